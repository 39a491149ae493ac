; Captures: see indexer/code/scan.py.
; Anonymous classes and the bodies of enum constants lend no name: their methods belong to what encloses them.

(method_declaration name: (identifier) @name body: (block)? @body) @unit
(constructor_declaration name: (identifier) @name body: (_) @body) @unit
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @unit
(annotation_type_element_declaration name: (identifier) @name) @unit
(field_declaration
  declarator: (variable_declarator name: (identifier) @name value: (lambda_expression body: (_) @body))) @unit

(class_declaration name: (identifier) @name body: (_) @body) @class
(interface_declaration name: (identifier) @name body: (_) @body) @class
(enum_declaration name: (identifier) @name body: (_) @body) @class
(record_declaration name: (identifier) @name body: (_) @body) @class
(annotation_type_declaration name: (identifier) @name body: (_) @body) @class
