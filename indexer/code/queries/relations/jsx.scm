; An element is a call of its component; HTML's own are lower case.

(jsx_opening_element name: [((identifier) @call (#match? @call "^[A-Z]")) (member_expression) @call])
(jsx_self_closing_element name: [((identifier) @call (#match? @call "^[A-Z]")) (member_expression) @call])
