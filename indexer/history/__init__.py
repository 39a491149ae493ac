"""History beside the sources: past commits, what they say, and which functions of today they touched."""
