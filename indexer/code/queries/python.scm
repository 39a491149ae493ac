; Captures: see indexer/code/scan.py.

(function_definition name: (identifier) @name body: (block) @body) @unit
(class_definition name: (identifier) @name body: (block) @body) @class
(assignment left: (identifier) @name right: (lambda body: (_) @body)) @unit

(decorated_definition definition: (_) @widen) @range

(function_definition body: (block . (comment)* . (expression_statement . (string) @docstring .))) @documented
(class_definition body: (block . (comment)* . (expression_statement . (string) @docstring .))) @documented
(module . (comment)* . (expression_statement . (string) @docstring .)) @documented
