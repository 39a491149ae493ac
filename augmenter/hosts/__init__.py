"""What each host of coding agents sends and expects."""
