; Captures: see indexer/code_scan.py.

(function_definition name: (word) @name body: (_) @body) @unit
