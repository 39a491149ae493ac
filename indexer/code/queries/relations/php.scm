; Captures: see indexer/relations/extract.py.

(function_call_expression function: [(name) (qualified_name)] @call)
(member_call_expression object: (_) @receiver name: (name) @call)
(nullsafe_member_call_expression object: (_) @receiver name: (name) @call)
(scoped_call_expression scope: (_) @receiver name: (name) @call)
(object_creation_expression [(name) (qualified_name)] @call)
(attribute . [(name) (qualified_name)] @call)

(base_clause [(name) (qualified_name)] @base)
(class_interface_clause [(name) (qualified_name)] @base)
(use_declaration [(name) (qualified_name)] @base)

(namespace_use_declaration (namespace_use_clause . [(name) (qualified_name)] @import))
(namespace_use_declaration
  (namespace_name) @from
  (namespace_use_group (namespace_use_clause . [(name) (namespace_name) (qualified_name)] @import)))
[
  (include_expression (string) @import)
  (include_once_expression (string) @import)
  (require_expression (string) @import)
  (require_once_expression (string) @import)
]
