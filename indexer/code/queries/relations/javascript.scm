; What JavaScript adds to ecmascript.scm.

(class_heritage [(identifier) (member_expression) (call_expression)] @base)
; class A extends mixin(Base)
(class_heritage (call_expression arguments: (arguments [(identifier) (member_expression)] @base)))
