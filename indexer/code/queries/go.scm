; Captures: see indexer/code/scan.py.

(function_declaration name: (identifier) @name body: (block)? @body) @unit
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @receiver))
  name: (field_identifier) @name
  body: (block)? @body) @unit

(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @class
(type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @class
(type_spec name: (type_identifier) @name type: (_)) @class
(type_spec type: (interface_type (method_elem name: (field_identifier) @name) @unit))

; Function literals that have a name: variables, assigned fields, fields of composite literals.
(var_spec . name: (identifier) @name value: (expression_list . (func_literal body: (block) @body) .)) @unit
(short_var_declaration
  left: (expression_list . (identifier) @name .)
  right: (expression_list . (func_literal body: (block) @body) .)) @unit
(assignment_statement
  left: (expression_list . [(identifier) (selector_expression)] @name .)
  right: (expression_list . (func_literal body: (block) @body) .)) @unit
(keyed_element
  key: (literal_element (identifier) @name)
  value: (literal_element (func_literal body: (block) @body))) @unit
(var_spec
  .
  name: (identifier) @name
  value: (expression_list . [(composite_literal) (unary_expression (composite_literal))] .)) @scope
(short_var_declaration
  left: (expression_list . (identifier) @name .)
  right: (expression_list . [(composite_literal) (unary_expression (composite_literal))] .)) @scope

(type_declaration . (type_spec) @widen .) @range @head
(var_declaration . (var_spec) @widen .) @range @head
