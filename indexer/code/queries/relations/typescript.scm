; What TypeScript and TSX add to ecmascript.scm.

(extends_clause value: (_) @base)
(extends_clause value: (call_expression arguments: (arguments [(identifier) (member_expression)] @base)))
(implements_clause (_) @base)
(extends_type_clause type: (_) @base)

(import_require_clause source: (string) @import)
