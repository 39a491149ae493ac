; What JavaScript and TypeScript share. Captures: see indexer/relations/extract.py.

(call_expression function: [(identifier) (member_expression)] @call)
(new_expression constructor: [(identifier) (member_expression)] @call)
(decorator [(identifier) (member_expression)] @call)

(import_statement source: (string) @import)
(import_statement
  (import_clause (named_imports (import_specifier name: (identifier) @import)))
  source: (string) @from)
(export_statement source: (string) @import)
(export_statement (export_clause (export_specifier name: (identifier) @import)) source: (string) @from)

; require('./x'), const { a, b: c } = require('./x'), import('./x')
(call_expression
  function: [(identifier) @_require (import)]
  arguments: (arguments . [(string) (template_string)] @import)
  (#any-of? @_require "require"))
(variable_declarator
  name: (object_pattern
    [(shorthand_property_identifier_pattern) @import (pair_pattern key: (property_identifier) @import)])
  value: (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string) @from)
    (#eq? @_require "require")))

; describe('Stream', () => …), describe(Stream, …), describe.each(…)('Stream', …)
(call_expression
  function: [(identifier) @_describe (member_expression object: (identifier) @_describe)]
  arguments: (arguments . [(string) (identifier) (member_expression) (template_string)] @subject)
  (#any-of? @_describe "describe" "suite" "context"))
