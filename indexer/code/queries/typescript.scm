; What TypeScript and TSX add to ecmascript.scm.

(public_field_definition name: (_) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)
    (generator_function body: (_) @body)]) @unit

; `(…) as T`, `(…) satisfies T`
(variable_declarator
  name: (identifier) @name
  value: [
    (as_expression (arrow_function body: (_) @body))
    (as_expression (parenthesized_expression (arrow_function body: (_) @body)))
    (as_expression (parenthesized_expression (function_expression body: (_) @body)))
    (as_expression (as_expression (parenthesized_expression (arrow_function body: (_) @body))))
    (satisfies_expression (arrow_function body: (_) @body))
    (satisfies_expression (parenthesized_expression (arrow_function body: (_) @body)))
    (satisfies_expression (parenthesized_expression (function_expression body: (_) @body)))
  ]) @unit
(variable_declarator
  name: (identifier) @name
  value: [(as_expression (object)) (satisfies_expression (object))]) @scope

(function_signature name: (_) @name) @unit
(abstract_method_signature name: (_) @name) @unit
(interface_body (method_signature name: (_) @name) @unit)
(class_body (method_signature name: (_) @name) @unit)
(type_alias_declaration value: (object_type (method_signature name: (_) @name) @unit))
(type_alias_declaration
  value: (intersection_type (object_type (method_signature name: (_) @name) @unit)))

(abstract_class_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @class
(enum_declaration name: (_) @name body: (_) @body) @class
(internal_module name: (_) @name body: (_) @body) @class
(module name: (_) @name body: (_) @body) @class
(type_alias_declaration name: (_) @name value: (object_type) @body) @class
(type_alias_declaration
  name: (_) @name
  value: [(intersection_type (object_type)) (union_type (object_type))] @body) @class

(ambient_declaration (_) @widen) @range @head
(export_statement declaration: (ambient_declaration (_) @widen)) @range @head
