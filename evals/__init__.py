"""Cases, metrics and runners that prove the ranking."""
