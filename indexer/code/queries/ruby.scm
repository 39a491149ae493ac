; Captures: see indexer/code/scan.py.
; `class << self` lends no name: its methods belong to the class around it. Blocks given to DSLs (RSpec's
; describe, rake's task) are no units, methods within them are. An empty body is the word `end`.

; `def Foo.bar` within `class Foo` is what `def self.bar` is.
(class
  name: (constant) @_owner
  body: (body_statement (singleton_method object: (constant) @_object name: (_) @name [body: (_) "end"]? @body) @unit)
  (#eq? @_owner @_object))
(module
  name: (constant) @_owner
  body: (body_statement (singleton_method object: (constant) @_object name: (_) @name [body: (_) "end"]? @body) @unit)
  (#eq? @_owner @_object))
(singleton_method object: (self) name: (_) @name [body: (_) "end"]? @body) @unit
(singleton_method
  object: [(constant) (identifier) (instance_variable)] @receiver
  name: (_) @name
  [body: (_) "end"]? @body) @unit
(singleton_method name: (_) @name [body: (_) "end"]? @body) @unit
(method name: (_) @name [body: (_) "end"]? @body) @unit

(class name: (_) @name [body: (_) "end"] @body) @class
(module name: (_) @name [body: (_) "end"] @body) @class

; Classes made by a call: Struct.new, Class.new, Module.new, Data.define.
(assignment
  left: [(constant) (scope_resolution)] @name
  right: (call
    receiver: (constant) @_maker
    method: (identifier) @_make
    block: (_)? @body)
  (#any-of? @_maker "Struct" "Class" "Module" "Data")
  (#any-of? @_make "new" "define")) @class

; Methods made by a call.
(call
  method: (identifier) @_make
  arguments: (argument_list
    .
    [(simple_symbol) (string . (string_content) .)] @name)
  block: [(do_block body: (_)? @body) (block) @body]
  (#any-of? @_make "define_method" "define_singleton_method")) @unit
; `scope :active, -> { … }` and its like.
(call
  arguments: (argument_list . (simple_symbol) @name . (lambda body: (_) @body) .)) @unit

; Lambdas that are bound to something.
(assignment
  left: [(constant) (identifier) (instance_variable) (class_variable) (scope_resolution) (call)] @name
  right: [
    (lambda body: (_) @body)
    (call method: (identifier) @_make !receiver !arguments block: (_) @body)
    (call receiver: (constant) @_maker method: (identifier) @_new block: (_) @body)
  ]
  (#any-of? @_make "lambda" "proc")
  (#eq? @_maker "Proc")
  (#eq? @_new "new")) @unit
(pair
  key: [(hash_key_symbol) (simple_symbol) (string . (string_content) .)] @name
  value: [
    (lambda body: (_) @body)
    (call method: (identifier) @_make !receiver !arguments block: (_) @body)
  ]
  (#any-of? @_make "lambda" "proc")) @unit
(assignment left: (constant) @name right: [(hash) (call receiver: (hash) method: (identifier))]) @scope
(pair key: [(hash_key_symbol) (simple_symbol)] @name value: (hash)) @scope

; `private def …`, `memoize def …`, and Sorbet's signatures.
(call arguments: (argument_list . [(method) (singleton_method)] @widen .)) @range @head
(call
  arguments: (argument_list
    .
    (call arguments: (argument_list . [(method) (singleton_method)] @widen .))
    .)) @range @head
((call method: (identifier) @_sig block: (_)) @range
  .
  [(method) (singleton_method)] @widen
  (#eq? @_sig "sig"))
