; Captures: see indexer/relations/extract.py.

(function_call name: [(identifier) (dot_index_expression) (method_index_expression)] @call)

; What a metatable looks up in is what its table derives from.
(field name: (identifier) @_index value: [(identifier) (dot_index_expression)] @base (#eq? @_index "__index"))

(function_call
  name: (identifier) @_require
  arguments: (arguments . (string content: (_) @import) .)
  (#eq? @_require "require"))
(function_call
  name: (identifier) @_load
  arguments: (arguments . (string) @import .)
  (#any-of? @_load "dofile" "loadfile"))

(function_call
  name: (identifier) @_describe
  arguments: (arguments . (string) @subject)
  (#eq? @_describe "describe"))
