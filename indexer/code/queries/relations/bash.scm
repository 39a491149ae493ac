; Captures: see indexer/relations/extract.py.

; `\cd` passes by functions and aliases of that name.
((command name: (command_name (word) @call)) (#not-match? @call "^\\\\"))

(command
  name: (command_name (word) @_source)
  .
  argument: [(word) (raw_string) (string . (string_content) .)] @import
  (#any-of? @_source "source" "."))
