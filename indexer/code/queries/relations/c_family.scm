; What C and C++ share. Captures: see indexer/relations/extract.py.

(call_expression function: [(identifier) (field_expression)] @call)
(call_expression
  function: (parenthesized_expression
    [(identifier) @call (field_expression) @call (pointer_expression argument: (_) @call)]))

(preproc_include path: [(system_lib_string) (string_literal)] @import)
