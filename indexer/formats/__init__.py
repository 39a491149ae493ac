"""Documents and data files beside Markdown: a module for each format, `table` says which is whose."""
