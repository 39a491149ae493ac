; What JavaScript and TypeScript share. Captures: see indexer/code/scan.py.

; Of two patterns that match one definition, the earlier gives the name.
(assignment_expression
  left: (member_expression) @_left
  right: (function_expression name: (identifier) @name body: (_) @body)
  (#any-of? @_left "module.exports" "exports")) @unit
(assignment_expression
  left: (member_expression) @_left
  right: (class name: (_) @name body: (_) @body)
  (#any-of? @_left "module.exports" "exports")) @class

(function_declaration name: (identifier) @name body: (_) @body) @unit
(generator_function_declaration name: (identifier) @name body: (_) @body) @unit
(method_definition name: (_) @name body: (_) @body) @unit
(class_declaration name: (_) @name body: (_) @body) @class

; Bound to a variable, a property, or an assigned place.
(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
    (parenthesized_expression (arrow_function body: (_) @body))
    (parenthesized_expression (function_expression body: (_) @body))
  ]) @unit
(pair key: (_) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)
    (generator_function body: (_) @body)]) @unit
(assignment_expression
  left: [(identifier) (member_expression) (subscript_expression)] @name
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)
    (generator_function body: (_) @body)]) @unit

; Wrappers that return the function they are given, in other clothes.
(variable_declarator
  name: (identifier) @name
  value: (call_expression
    function: [(identifier) @_wrapper (member_expression property: (property_identifier) @_wrapper)]
    arguments: (arguments . [(arrow_function body: (_) @body) (function_expression body: (_) @body)]))
  (#any-of? @_wrapper
    "memo" "forwardRef" "useCallback" "useEvent" "observer" "cache" "debounce" "throttle" "action"
    "asyncHandler" "defineComponent")) @unit

(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @class
(pair key: (_) @name value: (class body: (_) @body)) @class
(assignment_expression left: [(identifier) (member_expression)] @name right: (class body: (_) @body)) @class

; Objects lend their name to the methods in them.
(variable_declarator name: (identifier) @name value: (object)) @scope
(pair key: (_) @name value: (object)) @scope
(assignment_expression left: [(identifier) (member_expression)] @name right: (object)) @scope

; Expressions with a name of their own.
(arguments (function_expression name: (identifier) @name body: (_) @body) @unit)
(return_statement (function_expression name: (identifier) @name body: (_) @body) @unit)
(arguments (class name: (_) @name body: (_) @body) @class)
(return_statement (class name: (_) @name body: (_) @body) @class)
(arrow_function body: (class name: (_) @name body: (_) @body) @class)

; export default of something without a name.
((export_statement
  value: [
    (arrow_function body: (_) @body)
    (function_expression !name body: (_) @body)
    (generator_function !name body: (_) @body)
  ]) @unit (#set! name "default"))
((export_statement value: (class !name body: (_) @body)) @class (#set! name "default"))

(export_statement declaration: (_) @widen) @range @head
(lexical_declaration . (variable_declarator value: (_)) @widen .) @range @head
(variable_declaration . (variable_declarator value: (_)) @widen .) @range @head
(export_statement
  declaration: [
    (lexical_declaration . (variable_declarator) @widen .)
    (variable_declaration . (variable_declarator) @widen .)
  ]) @range @head
