; Captures: see indexer/relations/extract.py.

(call_expression function: [(identifier) (scoped_identifier) (field_expression)] @call)
(call_expression function: (generic_function function: (_) @call))
(struct_expression name: (_) @call)
(macro_invocation macro: (_) @call)
; Within a macro's arguments there are but tokens. (So there are in attributes, which call nothing.)
(macro_invocation (token_tree (identifier) @call . (token_tree . "(")))
(macro_invocation (token_tree (token_tree (identifier) @call . (token_tree . "("))))
(macro_invocation (token_tree (token_tree (token_tree (identifier) @call . (token_tree . "(")))))

(impl_item trait: (_) @base)
(trait_item bounds: (trait_bounds [(type_identifier) (scoped_type_identifier) (generic_type)] @base))

(use_declaration argument: [(identifier) (scoped_identifier) (use_wildcard)] @import)
(use_as_clause path: (scoped_identifier) @import)
(scoped_use_list
  path: (_) @from
  list: (use_list
    [
      (identifier) @import
      (scoped_identifier) @import
      (use_as_clause path: (_) @import)
      (scoped_use_list path: (_) @import)
    ]))
(extern_crate_declaration name: (identifier) @import)
(mod_item name: (identifier) @import !body)
