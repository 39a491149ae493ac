"""One warm process for all projects of a user: it briefs what hooks ask on a socket, and watches trees."""
