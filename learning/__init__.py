"""What was used, confidence, and the nightly cycle."""
