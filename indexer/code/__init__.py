"""Source code: definitions, names, doc comments, by tree-sitter."""
