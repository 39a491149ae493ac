; Captures: see indexer/relations/extract.py.

(call function: [(identifier) (attribute)] @call)
(decorator [(identifier) (attribute)] @call)

(class_definition
  superclasses: (argument_list [(identifier) (attribute) (subscript) (call)] @base))

(import_statement name: [(dotted_name) @import (aliased_import name: (dotted_name) @import)])
(import_from_statement
  module_name: (_) @from
  name: [(dotted_name) @import (aliased_import name: (dotted_name) @import)])
(import_from_statement module_name: (_) @from (wildcard_import))
