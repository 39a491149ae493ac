; Captures: see indexer/code/scan.py. Companions lend no name: nobody writes it before a member's.

(function_declaration
  [(user_type) @receiver (nullable_type) @receiver (parenthesized_type) @receiver]
  .
  name: (identifier) @name
  (function_body)? @body) @unit
(function_declaration name: (identifier) @name (function_body)? @body) @unit
(secondary_constructor "constructor" @name (block)? @body) @unit

; Properties with code in them, and functions that have a name.
(property_declaration
  [(user_type) @receiver (nullable_type) @receiver (parenthesized_type) @receiver]
  .
  (variable_declaration . (identifier) @name)
  [(getter (function_body)) (setter (function_body))] @body) @unit
(property_declaration
  (variable_declaration . (identifier) @name)
  [(getter (function_body)) (setter (function_body))] @body) @unit
(property_declaration
  (variable_declaration . (identifier) @name)
  [(lambda_literal) (anonymous_function)] @body) @unit
(property_declaration
  (variable_declaration . (identifier) @name)
  (property_delegate (call_expression (annotated_lambda) @body .))) @unit

(class_declaration name: (identifier) @name [(class_body) (enum_class_body)]? @body) @class
(object_declaration name: (identifier) @name (class_body)? @body) @class
(type_alias type: (identifier) @name (function_type)) @class
