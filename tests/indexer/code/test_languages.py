import pytest

from indexer.extract import extract_code
from indexer.languages import CODE_LANGUAGES, language_of, language_of_script
from knowledge.errors import SourceError
from knowledge.types import Kind


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a.py", "python"),
        ("stubs/a.pyi", "python"),
        ("src/deep/a.test.js", "javascript"),
        ("a.jsx", "javascript"),
        ("a.mjs", "javascript"),
        ("a.cjs", "javascript"),
        ("a.ts", "typescript"),
        ("a.d.ts", "typescript"),
        ("a.mts", "typescript"),
        ("a.cts", "typescript"),
        ("a.tsx", "tsx"),
        ("a.go", "go"),
        ("A.java", "java"),
        ("lib/tasks/a.rake", "ruby"),
        ("a.gemspec", "ruby"),
        ("Rakefile", "ruby"),
        ("etc/.bashrc", "bash"),
        ("a.phtml", "php"),
        ("build.sbt", "scala"),
        ("test/a.bats", "bash"),
        ("a.rockspec", "lua"),
        ("db/001_init.up.sql", "sql"),
        ("README.MD", "markdown"),
        ("a.markdown", "markdown"),
        ("a.mdx", "markdown"),
        ("größe/名.py", "python"),
        (".py", None),
        ("py", None),
        ("src.py/notes", None),
        ("a.txt", "text"),
        ("a.csv", None),
        ("", None),
    ],
)
def test_language_follows_the_suffix(path, language):
    assert language_of(path) == language


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("#!/usr/bin/env python3", "python"),
        ("#!/usr/bin/python3.11 -u", "python"),
        ("#! /usr/bin/env -S python", "python"),
        ("#!/usr/bin/env NODE_ENV=test node", "javascript"),
        ("\ufeff#!/usr/local/bin/node", "javascript"),
        ("#!/usr/bin/env deno run", "typescript"),
        ("#!/bin/sh", "bash"),
        ("#!/usr/bin/env -S zsh -f", "bash"),
        ("#!/usr/bin/ruby2.7 -w", "ruby"),
        ("#!/usr/bin/env luajit", "lua"),
        ("#!/usr/bin/php", "php"),
        ("#!/usr/bin/fish", None),
        ("#!/usr/bin/pythonista", None),
        ("import os", None),
        ("#!", None),
        ("", None),
    ],
)
def test_language_of_a_script_follows_its_first_line(line, language):
    assert language_of_script(line) == language


@pytest.mark.parametrize("language", [language.name for language in CODE_LANGUAGES])
def test_every_language_of_the_table_loads(language):
    assert [draft.kind for draft in extract_code(language, "")] == [Kind.MODULE]


def test_suffixes_belong_to_one_language_each():
    suffixes = [suffix for language in CODE_LANGUAGES for suffix in language.suffixes]
    assert len(suffixes) == len(set(suffixes))


def test_unknown_language_is_refused_with_what_is_known():
    with pytest.raises(SourceError, match="python, javascript"):
        extract_code("cobol", "")
