; Captures: see indexer/relations/extract.py.
; A call without arguments and receiver is no more than an identifier: it may as well be a variable.

(call !receiver method: (identifier) @call)
(call receiver: (_) @receiver method: [(identifier) (constant)] @call)

(superclass (_) @base)
(call
  !receiver
  method: (identifier) @_mix
  arguments: (argument_list [(constant) (scope_resolution)] @base)
  (#any-of? @_mix "include" "extend" "prepend"))

(call
  !receiver
  method: (identifier) @_require
  arguments: (argument_list (string) @import .)
  (#any-of? @_require "require" "require_relative" "load" "autoload"))

(call
  method: (identifier) @_describe
  arguments: (argument_list . [(constant) (scope_resolution) (string)] @subject)
  (#any-of? @_describe "describe" "context"))
