"""HTTP on loopback: what the command line does, for programs that would rather ask a server."""
