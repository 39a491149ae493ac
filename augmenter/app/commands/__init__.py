"""One module per command: what it takes, and what it does."""
