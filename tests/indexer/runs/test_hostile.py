"""Awkward and hostile files, end to end."""

import os
import sqlite3
from itertools import chain

import pytest

from knowledge.catalog.schema import Band

KEY = "AKIAIOSFODNN7" + "REALKEY"  # in two parts, or scanners of this repository would find it
PASSWORD = "hunter2-Q9x" + "ZtR7vLm4"


def everything_in(folder):
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def test_secret_is_counted_by_line_and_kind_and_is_nowhere_in_the_catalog(repo):
    repo.write("a.py", f"def connect():\n    key = '{KEY}'\n    password = '{PASSWORD}'\n")
    repo.write("docs/x.md", f"# Setup\n\nUse https://admin:{PASSWORD}@example.org/ now.\n")
    repo.write(
        "knowledge/rules/r.md", f"---\nstatement: Use no {KEY} here.\nterms: ['{KEY}']\n---\nWhy {KEY}.\n"
    )
    repo.write("knowledge/rules/bad.md", f"---\nstatement: S.\nid: '{KEY} x'\n---\n")
    report = repo.index_and_compare()
    stored = everything_in(repo.catalog.parent) + repr(repo.dump()).encode()  # records are compressed
    for secret in (KEY, PASSWORD):
        assert secret.lower().encode() not in stored.lower()
        assert secret not in " ".join(report.problems)
    assert sum(count for kind, count in report.events.items() if kind.startswith("secret:")) >= 5
    with sqlite3.connect(repo.catalog) as db:
        events = db.execute("SELECT path, line, kind FROM events ORDER BY path, line").fetchall()
    assert ("a.py", 2, "secret:aws-access-key") in events
    assert any(event[:2] == ("a.py", 3) for event in events)


def test_text_that_was_removed_is_not_left_in_free_pages(repo):
    marker = "Zq" + "unusualmarkername"
    repo.write("a.py", "".join(f"def {marker}_{i}():\n    '''{marker}'''\n\n" for i in range(300)))
    repo.index()
    assert marker.lower().encode() in everything_in(repo.catalog.parent)
    repo.write("a.py", "def plain():\n    pass\n")
    repo.index(full=True)
    assert marker.lower().encode() not in everything_in(repo.catalog.parent).lower()


def test_hidden_characters_are_counted_and_gone(repo):
    repo.write("a.py", "def f():\n    return 'a\u202eb'  # \u200bx\n")
    report = repo.index_and_compare()
    assert report.events == {"unicode:bidi": 1, "unicode:zero-width": 1}
    assert "\u202e".encode() not in everything_in(repo.catalog.parent)
    assert "\u202e" not in "".join(map(str, chain.from_iterable(repo.dump())))


NAMES = (
    *("with space.py", "quo'te\".py", "new\nline.py", "tab\t.py", "-dash.py", "%_like*.py", "back\\slash.py"),
    *("[glob]?.py", "a::b.py", "a#b.md", "ünïcode/Größe.py", "日本/語.py"),
)


def test_file_names_of_all_kinds(repo):
    repo.commit(**dict.fromkeys(NAMES, "def inner():\n    pass\n"))
    repo.index_and_compare()
    with repo.reader() as reader:
        assert reader.paths() == sorted(NAMES)
        rows = reader.files(NAMES)
        assert all(rows[name].last_commit and reader.in_file(name, 1, 1, 10) for name in NAMES)
    assert not repo.stale(*NAMES)
    for name in NAMES:
        (repo.root / name).unlink()
    assert repo.index_and_compare().removed == len(NAMES)


def test_name_that_is_no_utf8_beside_one_that_looks_like_its_escape(repo):
    (repo.root / os.fsdecode(b"caf\xe9.py")).write_text("def f(): pass\n")
    repo.write("caf\\xe9.py", "def inner():\n    pass\n")
    report = repo.index_and_compare()
    assert report.files == {"python": 1}
    assert "inner" in repo.names()


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "bom"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"], ids=["lf", "crlf", "cr"])
def test_line_ends_and_marks_change_neither_lines_nor_hashes(folder, mark, end):
    lines = [
        b"import os",
        b"",
        b"def first():",
        b"    return 1",
        b"",
        b"class C:",
        b"    def m(self):",
        b"        pass",
    ]
    folder.write("plain.py", b"\n".join(lines))
    folder.write("other.py", mark + end.join(lines))
    folder.index_and_compare()
    with folder.reader() as reader:
        found = {(row[3], row[2]): row for row in reader.dump() if len(row) > 20}
    for name in ("first", "C", "C.m"):
        plain, other = found["plain.py", name], found["other.py", name]
        assert plain[4:6] == other[4:6]
        assert plain[9] == other[9]


def test_large_real_file(folder):
    body = "".join(
        f"def function_{i}(argument):\n    '''Number {i}.'''\n    return {i}\n\n" for i in range(4_000)
    )
    folder.set(index={"max_file_bytes": 4 * 1024 * 1024})
    folder.write("large.py", body)
    report = folder.index()
    assert report.kinds["unit"] == 4_000
    with folder.reader() as reader:
        assert len(reader.named("function_3999", 5)) == 1
        assert reader.search(["function3999"], Band.UNITS, 5, (1, 1, 1, 1, 1))


@pytest.mark.parametrize("name", ["line.py", "line.md", "line.js"])
def test_single_line_of_five_megabytes(folder, name):
    folder.set(index={"max_file_bytes": 8 * 1024 * 1024})
    folder.write(name, 'x = "' + f"{'long' * 12} short " * 95_000 + '"')
    folder.write("good.py", "def good():\n    pass\n")
    folder.index()
    assert "good" in folder.names()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("deep.py", "(" * 20_000 + ")" * 20_000),
        ("deep.js", "[" * 20_000 + "]" * 20_000),
        ("deep.go", "package p\nvar x = " + "{" * 4_000),
        ("defs.py", "".join("  " * i + f"def f{i}():\n" for i in range(120)) + "  " * 120 + "pass\n"),
        ("deep.md", ">" * 5_000 + " quoted\n" + "- " * 2_000 + "listed\n"),
    ],
)
def test_deep_nesting_costs_at_most_its_file(folder, name, text):
    folder.write(name, text)
    folder.write("good.py", "def good():\n    pass\n")
    folder.index()
    assert "good" in folder.names()


def test_empty_repository_and_repository_without_commits(repo):
    assert repo.index_and_compare().files == {}
    repo.write("a.py", "def f():\n    pass\n")
    assert repo.index_and_compare().files == {"python": 1}
    with repo.reader() as reader:
        assert reader.meta()["head"] == ""
