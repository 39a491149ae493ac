; Captures: see indexer/relations/extract.py.

(invocation_expression function: [(identifier) (generic_name) (member_access_expression)] @call)
(invocation_expression function: (conditional_access_expression) @call)
(object_creation_expression type: (_) @call)
(attribute name: (_) @call)

(base_list [(identifier) (generic_name) (qualified_name)] @base)
(base_list (primary_constructor_base_type type: (_) @base))

(using_directive [(identifier) (qualified_name)] @import .)
