; Captures: see indexer/code/scan.py. Namespaces lend no name: nobody writes them before a type's.

(method_declaration name: (identifier) @name body: (_)? @body) @unit
(constructor_declaration name: (identifier) @name body: (_)? @body) @unit
(destructor_declaration "~" @name name: (identifier) @name body: (_)? @body) @unit
(operator_declaration "operator" @name operator: _ @name body: (_)? @body) @unit
(conversion_operator_declaration "operator" @name type: (_) @name body: (_)? @body) @unit
((local_function_statement name: (identifier) @name body: (_) @body) @unit
  (#not-any-of? @name "if" "for" "foreach" "while" "switch" "lock" "using" "catch" "fixed"))

; Properties, indexers and events with code in them.
(property_declaration
  name: (identifier) @name
  accessors: (accessor_list (accessor_declaration body: (_))) @body) @unit
(property_declaration name: (identifier) @name value: (arrow_expression_clause) @body) @unit
(indexer_declaration
  "this" @name
  parameters: (bracketed_parameter_list "[" @name "]" @name)
  [accessors: (_) @body value: (arrow_expression_clause) @body]) @unit
(event_declaration name: (identifier) @name accessors: (accessor_list) @body) @unit

(class_declaration name: (identifier) @name body: (_)? @body) @class
(struct_declaration name: (identifier) @name body: (_)? @body) @class
(record_declaration name: (identifier) @name body: (_)? @body) @class
(interface_declaration name: (identifier) @name body: (_)? @body) @class
(enum_declaration name: (identifier) @name body: (_) @body) @class
(delegate_declaration name: (identifier) @name) @class

(variable_declarator
  name: (identifier) @name
  [(lambda_expression body: (_) @body) (anonymous_method_expression (block) @body)]) @unit
(field_declaration (variable_declaration . type: (_) . (variable_declarator) @widen .)) @range @head
(local_declaration_statement
  (variable_declaration . type: (_) . (variable_declarator) @widen .)) @range @head
