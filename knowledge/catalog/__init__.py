"""The catalog: one SQLite file per view, a projection of the sources that can be rebuilt at any time."""
