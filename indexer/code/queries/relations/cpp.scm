; What C++ adds to c_family.scm.

(call_expression function: [(qualified_identifier) (template_function)] @call)
(new_expression type: (_) @call)
; Item item{…}; Item item(…);
(declaration
  type: [(type_identifier) (qualified_identifier) (template_type)] @call
  declarator: (init_declarator value: [(initializer_list) (argument_list)]))

(base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base)

(using_declaration (qualified_identifier) @import)
(namespace_alias_definition (nested_namespace_specifier) @import)
