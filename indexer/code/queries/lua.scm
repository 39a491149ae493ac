; Captures: see indexer/code/scan.py. An empty body is the word `end`.

(function_declaration name: (_) @name [body: (block) "end"] @body) @unit
(assignment_statement
  (variable_list . name: (_) @name .)
  (expression_list . value: (function_definition [body: (block) "end"] @body) .)) @unit
(field name: (identifier) @name value: (function_definition [body: (block) "end"] @body)) @unit
(field name: (string content: (_) @name) value: (function_definition [body: (block) "end"] @body)) @unit

; Tables lend their name to the functions in them, also where a call makes a class of them.
(assignment_statement
  (variable_list . name: (_) @name .)
  (expression_list
    .
    value: [
      (table_constructor)
      (function_call arguments: (arguments (table_constructor)))
      (binary_expression (table_constructor))
    ]
    .)) @scope
(field name: (identifier) @name value: (table_constructor)) @scope
(field name: (string content: (_) @name) value: (table_constructor)) @scope

(variable_declaration (assignment_statement) @widen) @range @head
