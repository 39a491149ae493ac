; Captures: see indexer/code/scan.py.

(function_definition name: (word) @name body: (_) @body) @unit
