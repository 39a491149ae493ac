; Captures: see indexer/relations/extract.py.

(call_expression function: [(identifier) (selector_expression)] @call)
(call_expression function: (type_instantiation_expression) @call)
(call_expression function: (index_expression) @call)
(call_expression function: (parenthesized_expression [(identifier) (selector_expression)] @call))
(composite_literal type: [(type_identifier) (qualified_type) (generic_type)] @call)

; Embedded structs, and interfaces in interfaces.
(field_declaration !name type: (_) @base)
(interface_type (type_elem . [(type_identifier) (qualified_type) (generic_type)] @base .))

(import_spec path: (_) @import)
