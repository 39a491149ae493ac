; What JavaScript adds to ecmascript.scm.

(class_heritage [(identifier) (member_expression) (call_expression)] @base)
