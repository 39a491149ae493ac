; Captures: see indexer/code/scan.py.
; Namespaces lend no name. Anonymous classes lend none either, unless they are bound to a variable.

(function_definition name: (name) @name body: (_) @body) @unit
(method_declaration name: (name) @name body: (_)? @body) @unit
(property_declaration
  (property_element name: (variable_name) @name)
  (property_hook_list) @body) @unit

(class_declaration name: (name) @name body: (_) @body) @class
(interface_declaration name: (name) @name body: (_) @body) @class
(trait_declaration name: (name) @name body: (_) @body) @class
(enum_declaration name: (name) @name body: (_) @body) @class

; Closures and arrow functions that are bound to something.
(assignment_expression
  left: [
    (variable_name) (member_access_expression) (scoped_property_access_expression)
  ] @name
  right: [(anonymous_function body: (_) @body) (arrow_function body: (_) @body)]) @unit
(array_element_initializer
  .
  [(string . (string_content) @name .) (encapsed_string . (string_content) @name .)]
  .
  [(anonymous_function body: (_) @body) (arrow_function body: (_) @body)]) @unit
(assignment_expression
  left: [(variable_name) (member_access_expression) (scoped_property_access_expression)] @name
  right: [
    (array_creation_expression)
    (object_creation_expression (anonymous_class))
  ]) @scope
