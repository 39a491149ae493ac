; What C++ adds to c_family.scm.

; Of two patterns that match one definition, the earlier gives the name: TEST(Parser, Reads) { … }
(function_definition
  !type
  declarator: (function_declarator
    declarator: (identifier) @_macro
    parameters: (parameter_list
      .
      (parameter_declaration type: (type_identifier) @receiver !declarator)
      .
      (parameter_declaration type: (type_identifier) @name !declarator)
      .))
  body: (_) @body
  (#match? @_macro "^[A-Z][A-Z0-9_]+$")) @unit

; Members, methods written outside of their class, operators, destructors, specialisations.
(function_definition
  declarator: [
    (function_declarator
      declarator: [
        (field_identifier) (qualified_identifier) (destructor_name) (operator_name) (template_function)
      ] @name)
    (_ (function_declarator
      declarator: [(field_identifier) (qualified_identifier) (operator_name) (template_function)] @name))
    (_ (_ (function_declarator declarator: [(field_identifier) (qualified_identifier)] @name)))
  ]
  (field_initializer_list)? @body
  body: (_) @body) @unit
(function_definition
  declarator: [
    (function_declarator
      declarator: [
        (identifier) (field_identifier) (qualified_identifier) (destructor_name) (operator_name)
      ] @name)
    (reference_declarator (function_declarator
      declarator: [(field_identifier) (qualified_identifier) (operator_name)] @name))
  ]
  [(default_method_clause) (delete_method_clause)]) @unit
(function_definition declarator: (operator_cast "operator" @name type: (_) @name) body: (_) @body) @unit
(function_definition
  declarator: (qualified_identifier
    scope: (_) @receiver
    name: (operator_cast "operator" @name type: (_) @name))
  body: (_) @body) @unit

(field_declaration
  declarator: [
    (function_declarator declarator: [(field_identifier) (operator_name)] @name)
    (_ (function_declarator declarator: [(field_identifier) (operator_name)] @name))
    (_ (_ (function_declarator declarator: (field_identifier) @name)))
  ]
  (#not-match? @name "^[A-Z0-9]*_[A-Z0-9_]*$")) @prototype
(declaration
  declarator: [
    (function_declarator declarator: [(destructor_name) (operator_name)] @name)
    (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))
  ]) @prototype
(declaration declarator: (operator_cast "operator" @name type: (_) @name)) @prototype

(class_specifier name: (_) @name body: (_) @body) @class
(struct_specifier name: [(template_type) (qualified_identifier)] @name body: (_) @body) @class
(concept_definition name: (identifier) @name) @class
(alias_declaration
  name: (type_identifier) @name
  type: (type_descriptor declarator: (abstract_function_declarator))) @class

; An inline namespace is there not to be named, and has no name here.
(namespace_definition "inline") @scope
(namespace_definition name: (_) @name body: (_)) @scope

(init_declarator
  declarator: (identifier) @name
  value: (lambda_expression body: (_) @body)) @unit
(declaration declarator: (init_declarator value: (lambda_expression)) @widen) @range @head

(template_declaration
  [
    (function_definition) (declaration) (class_specifier) (struct_specifier) (union_specifier)
    (concept_definition) (alias_declaration) (field_declaration)
  ] @widen) @range @head
(template_declaration
  (template_declaration [(function_definition) (declaration) (field_declaration)] @widen)) @range @head
