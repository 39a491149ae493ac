"""Ten thousand levels of nesting, in code and in formats, cost at most the file that has them."""

DEPTH = 10_000


def nested(opening, closing="", inner=""):
    return opening * DEPTH + inner + closing * DEPTH


DEEP = {
    "parentheses.py": "x = " + nested("(", ")", "1"),
    "calls.py": "x = " + nested("f(", ")", "1"),
    "subscripts.py": "x = a" + nested("[a", "]"),
    "unary.py": "x = " + nested("not ", "", "a"),
    "blocks.js": nested("if (a) {\n", "}\n", "b()\n"),
    "functions.js": nested("(function () {\n", "})()\n"),
    "arrays.ts": "const x = " + nested("[", "]"),
    "elements.tsx": "const x = " + nested("<a>", "</a>"),
    "open.go": "package p\nvar x = " + nested("{"),
    "blocks.go": "package p\nfunc f() {\n" + nested("{\n", "}\n") + "}\n",
    "blocks.java": "class A { void f() {" + nested("{", "}") + "} }",
    "classes.java": nested("class A {\n", "}\n"),
    "blocks.rs": "fn f() {" + nested("{", "}") + "}",
    "types.rs": "type A = " + nested("Vec<", ">", "u8") + ";",
    "parentheses.c": "int x = " + nested("(", ")", "1") + ";",
    "namespaces.cpp": nested("namespace a {\n", "}\n"),
    "parentheses.rb": "x = " + nested("(", ")", "1"),
    "arrays.php": "<?php $x = " + nested("[", "]") + ";",
    "subshells.sh": nested("(", ")", "ls"),
    "queries.sql": nested("SELECT * FROM (", ")", "SELECT 1"),
    "arrays.json": nested("[", "]"),
    "objects.json": nested('{"a":', "}", "1"),
    "notebook.ipynb": '{"cells": ' + nested("[", "]") + "}",
    "flow.yaml": "a: " + nested("[", "]"),
    "blocks.yaml": "".join(f"{' ' * level}a:\n" for level in range(DEPTH // 10)),
    "arrays.toml": "a = " + nested("[", "]"),
    "quotes.md": nested("> ", "", "quoted"),
    "lists.md": nested("- ", "", "listed"),
    "elements.md": nested("<div>\n\n", "</div>\n\n"),
    "brackets.md": nested("[", "](x)"),
    "emphasis.md": nested("*a ", " b*"),
    "quotes.rst": "\n".join(f"{' ' * level}quoted\n" for level in range(DEPTH // 10)),
    "front.md": "---\na: " + nested("[", "]") + "\n---\n# T\n",
}


def test_deep_nesting_costs_at_most_its_file(folder):
    for name, text in DEEP.items():
        folder.write(f"deep/{name}", text)
    folder.write("good.py", "def good():\n    pass\n")
    report = folder.index()
    assert "good" in folder.names()
    lost = sum(report.skipped.get(reason, 0) for reason in ("parse-failure", "parse-timeout"))
    assert sum(report.files.values()) + lost == len(DEEP) + 1
    assert len(report.problems) == lost
