"""The parts of an index run: what changed, parsing in workers, storing, dating."""
