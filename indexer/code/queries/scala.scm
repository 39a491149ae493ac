; Captures: see indexer/code/scan.py.
; Packages lend no name. Plain type aliases and abstract types stay on the card of what they belong to.

; An extension's methods are named by the type that they extend.
(extension_definition
  . (parameters . (parameter type: (_) @receiver))
  (function_definition name: (_) @name body: (_) @body) @unit)
(extension_definition
  . (type_parameters) . (parameters . (parameter type: (_) @receiver))
  (function_definition name: (_) @name body: (_) @body) @unit)

(function_definition name: (_) @name body: (_) @body) @unit
(function_declaration name: (_) @name) @unit
(val_definition
  pattern: (identifier) @name
  value: [
    (lambda_expression (_) @body .)
    (block . (lambda_expression (_) @body .) .)
    (case_block) @body
  ]) @unit

(class_definition name: (_) @name body: (_)? @body) @class
(object_definition name: (_) @name body: (_)? @body) @class
(trait_definition name: (_) @name body: (_)? @body) @class
(enum_definition name: (_) @name body: (_) @body) @class
(package_object name: (_) @name body: (_) @body) @class
(type_definition (opaque_modifier) name: (_) @name) @class
(type_definition name: (_) @name type: (match_type) @body) @class

; A given with members is an instance of a type class; any other is a value, made or computed.
(given_definition name: (_) @name body: (with_template_body) @body) @class
(given_definition !name return_type: (_) @name body: (with_template_body) @body) @class
(given_definition name: (_) @name body: (_) @body) @unit
(given_definition !name return_type: (_) @name body: (_) @body) @unit

(val_definition pattern: (identifier) @name value: (instance_expression (template_body))) @scope
