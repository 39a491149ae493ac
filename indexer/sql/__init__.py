"""SQL scripts, split without a grammar."""
