"""The Jinja templates and the one module that renders them."""
