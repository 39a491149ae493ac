; Captures: see indexer/code/scan.py.

(function_item name: (identifier) @name body: (block) @body) @unit
(function_signature_item name: (identifier) @name) @unit
(macro_definition name: (identifier) @name ["{" "(" "["] @body) @unit

(struct_item name: (type_identifier) @name body: (_)? @body) @class
(enum_item name: (type_identifier) @name body: (_) @body) @class
(union_item name: (type_identifier) @name body: (_) @body) @class
(trait_item name: (type_identifier) @name body: (_) @body) @class
(source_file (type_item name: (type_identifier) @name) @class)
(mod_item body: (declaration_list (type_item name: (type_identifier) @name) @class))

; Blocks lend their type's name to the methods in them, modules theirs to everything.
(impl_item
  type: [
    (type_identifier) @name
    (primitive_type) @name
    (scoped_type_identifier name: (_) @name)
    (generic_type type: (type_identifier) @name)
    (generic_type type: (scoped_type_identifier name: (_) @name))
    (reference_type type: [
      (type_identifier) @name
      (primitive_type) @name
      (scoped_type_identifier name: (_) @name)
      (generic_type type: (type_identifier) @name)
      (dynamic_type trait: (type_identifier) @name)
    ])
    (dynamic_type trait: [
      (type_identifier) @name
      (scoped_type_identifier name: (_) @name)
      (generic_type type: (type_identifier) @name)
    ])
    (bounded_type . (dynamic_type trait: (_) @name))
    (tuple_type) @name
    (array_type) @name
    (pointer_type) @name
    (function_type) @name
  ]) @scope
(mod_item name: (identifier) @name body: (_)) @scope

; Closures that have a name, by themselves or in what makes them lazy.
(let_declaration pattern: (identifier) @name value: (closure_expression body: (_) @body)) @unit
(const_item name: (identifier) @name value: (closure_expression body: (_) @body)) @unit
(static_item name: (identifier) @name value: (closure_expression body: (_) @body)) @unit
(static_item
  name: (identifier) @name
  value: (call_expression arguments: (arguments . (closure_expression body: (block) @body) .))) @unit
