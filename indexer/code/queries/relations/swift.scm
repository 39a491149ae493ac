; Captures: see indexer/relations/extract.py.

(call_expression . [(simple_identifier) (navigation_expression)] @call)
(constructor_expression constructed_type: (_) @call)

(inheritance_specifier inherits_from: (_) @base)

(import_declaration (identifier) @import)
