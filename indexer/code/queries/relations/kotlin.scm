; Captures: see indexer/relations/extract.py.

(call_expression . [(identifier) (navigation_expression)] @call)
(callable_reference (identifier) @call .)
(annotation [(user_type) @call (constructor_invocation (user_type) @call)])

(delegation_specifier
  [
    (user_type) @base
    (constructor_invocation (user_type) @base)
    (explicit_delegation . (user_type) @base)
  ])

(import (qualified_identifier) @import)
