; What TypeScript and TSX add to ecmascript.scm.

(extends_clause value: (_) @base)
(implements_clause (_) @base)
(extends_type_clause type: (_) @base)

(import_require_clause source: (string) @import)
