"""Which files a view has, what they are, and their text."""
