; Captures: see indexer/relations/extract.py.

(method_invocation !object name: (identifier) @call)
(method_invocation object: (_) @receiver name: (identifier) @call)
(object_creation_expression type: (_) @call)
(explicit_constructor_invocation constructor: (_) @call)
(method_reference . (_) @receiver (identifier) @call .)
(method_reference . (_) @call "new")
[(annotation name: (_) @call) (marker_annotation name: (_) @call)]

(superclass (_) @base)
(super_interfaces (type_list (_) @base))
(extends_interfaces (type_list (_) @base))

(import_declaration (scoped_identifier) @import)
