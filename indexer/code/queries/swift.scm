; Captures: see indexer/code/scan.py.

; Names and bodies apart: together, with operators among the names, they take a quarter of a second to load.
(function_declaration "func" . name: _ @name) @unit
(function_declaration body: (_) @body) @unit
(protocol_function_declaration "func" . name: _ @name) @unit
(init_declaration "init" @name body: (_)? @body) @unit
(deinit_declaration "deinit" @name body: (_) @body) @unit
(subscript_declaration "subscript" @name (computed_property) @body) @unit
(macro_declaration (simple_identifier) @name) @unit

; Properties with code in them, and closures that have a name.
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (_) @body) @unit
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  (willset_didset_block) @body) @unit
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  value: [(lambda_literal) @body (call_expression . (lambda_literal) @body)]) @unit

(class_declaration name: (type_identifier) @name body: (_) @body) @class
(protocol_declaration name: (type_identifier) @name body: (_) @body) @class
(typealias_declaration name: (type_identifier) @name (function_type)) @class

; An extension lends its type's name.
(class_declaration "extension" name: (user_type) @name) @scope
