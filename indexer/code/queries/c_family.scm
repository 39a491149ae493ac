; What C and C++ share. Captures: see indexer/code/scan.py.

; Of two patterns that match one definition, the earlier gives the name: PREFIX(name)(…)
(function_definition
  declarator: (function_declarator
    declarator: (function_declarator
      parameters: (parameter_list . (parameter_declaration type: (type_identifier) @name !declarator) .)))
  body: (_) @body) @unit
(declaration
  declarator: (function_declarator
    declarator: (function_declarator
      parameters: (parameter_list . (parameter_declaration type: (type_identifier) @name !declarator) .))))
  @prototype

; The name stands below pointers, and deeper where a function returns a function. What broken syntax makes of
; statements, and macros that are called where a declaration may stand, are no functions.
(function_definition
  declarator: [
    (function_declarator declarator: [(identifier) @name (parenthesized_declarator . (identifier) @name .)])
    (_ (function_declarator declarator: (identifier) @name))
    (_ (_ (function_declarator declarator: (identifier) @name)))
    (_ (_ (_ (function_declarator declarator: (identifier) @name))))
    (function_declarator
      declarator: (parenthesized_declarator
        (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))))
  ]
  body: (_) @body
  (#not-any-of? @name "if" "else" "for" "while" "switch" "catch" "return")) @unit
(declaration
  declarator: [
    (function_declarator declarator: [(identifier) @name (parenthesized_declarator . (identifier) @name .)])
    (pointer_declarator (function_declarator declarator: (identifier) @name))
    (pointer_declarator (pointer_declarator (function_declarator declarator: (identifier) @name)))
    (function_declarator
      declarator: (parenthesized_declarator
        (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))))
  ]
  (#not-match? @name "^[A-Z0-9]*_[A-Z0-9_]*$")) @prototype

; MACRO(name) { … } as a function
(function_definition
  declarator: (parenthesized_declarator . (identifier) @name .)
  body: (_) @body) @unit

(preproc_function_def name: (identifier) @name value: (_)? @body) @unit

; A type takes the name that its typedef gives it, and keeps its tag as another.
(type_definition
  type: [
    (struct_specifier name: (type_identifier)? @alias body: (_) @body)
    (union_specifier name: (type_identifier)? @alias body: (_) @body)
    (enum_specifier name: (type_identifier)? @alias body: (_) @body)
  ] @class
  .
  declarator: (type_identifier) @name)
(type_definition type: [(struct_specifier) (union_specifier) (enum_specifier)] @widen) @range @head
(type_definition
  declarator: (function_declarator
    declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @class
(type_definition declarator: (function_declarator declarator: (type_identifier) @name)) @class

(struct_specifier name: (type_identifier) @name body: (_) @body) @class
(union_specifier name: (type_identifier) @name body: (_) @body) @class
(enum_specifier name: (type_identifier) @name body: (_) @body) @class

(linkage_specification body: [(function_definition) (declaration)] @widen) @range @head
