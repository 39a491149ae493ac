"""Task to brief: the pipeline of a dispatch, its hosts and its applications."""
