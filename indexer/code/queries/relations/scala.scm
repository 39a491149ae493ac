; Captures: see indexer/relations/extract.py.

(call_expression function: [(identifier) (field_expression) (generic_function)] @call)
(instance_expression . [(type_identifier) (generic_type) (stable_type_identifier)] @call)
(annotation name: (_) @call)

(extends_clause type: (_) @base)
(derives_clause type: (_) @base)

(import_declaration
  . (identifier) @from (identifier)* @from
  . (namespace_selectors [(identifier) @import (_ name: (identifier) @import)]))
(import_declaration . (identifier) @from (identifier)* @from . (namespace_wildcard) .)
(import_declaration . (identifier) @from (identifier)* @from .)
