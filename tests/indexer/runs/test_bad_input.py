"""Files in odd encodings, with odd bytes and odd sizes: indexed right, or counted with their reason."""

import os

import pytest

from indexer.sources.skips import MEANINGS, list_skipped
from indexer.sources.walk import SkipReason

PLAIN = "def plain():\n    return 'größe'\n"


def found(repo):
    """The places of all functions: path, name, first line."""
    with repo.reader() as reader:
        paths = reader.paths()
        rows = [row for path in paths for row in reader.in_file(path, 1, 10**6, 100)]
        evidence = reader.evidence(rows).values()
    return {(item.path, item.name, item.start) for item in evidence if item.kind == "unit"}


@pytest.mark.parametrize(
    "data",
    [
        PLAIN.encode(),
        b"\xef\xbb\xbf" + PLAIN.encode(),
        b"\xff\xfe" + PLAIN.encode("utf-16-le"),
        b"\xfe\xff" + PLAIN.encode("utf-16-be"),
        PLAIN.encode("cp1252"),
        b"# coding: koi8-r\n" + "def plain():\n    return '\u0444'\n".encode("koi8-r"),
    ],
    ids=["utf-8", "bom", "utf-16-le", "utf-16-be", "windows", "declared"],
)
def test_text_of_any_encoding_is_indexed(folder, data):
    folder.write("a.py", data)
    assert folder.index_and_compare().skipped == {}
    assert {name for _, name, _ in found(folder)} == {"plain"}


def test_mixed_line_ends_count_as_lines_each(folder):
    folder.write("a.py", b"import os\r\nx = 1\rdef a():\r\n    pass\n\ndef b():\r    pass\r\n")
    folder.index_and_compare()
    assert found(folder) == {("a.py", "a", 3), ("a.py", "b", 6)}


def test_bytes_that_are_no_text_cost_their_file_and_a_late_nul_costs_nothing(folder):
    folder.write("binary.py", b"def f():\n    return '\0'\n")
    folder.write("late.py", b"# " + b"x" * 9000 + b"\ndef late():\n    return '\0'\n")
    folder.write("lying.py", b"\xff\xfe\x00\xd8\x00")
    report = folder.index_and_compare()
    assert report.skipped == {"binary": 1, "encoding": 1}
    assert {name for _, name, _ in found(folder)} == {"late"}


def test_a_file_of_300_megabytes_is_counted_unread(repo):
    repo.commit(**{"a.py": PLAIN})
    huge = repo.write("huge.py", "")
    os.truncate(huge, 300 * 1024 * 1024)
    report = repo.index()
    assert report.skipped == {"too-large": 1}
    assert report.seconds < 5
    with repo.reader() as reader:
        assert reader.files(["huge.py"])["huge.py"].blob == ""


def test_links_that_loop_cost_nothing_but_themselves(folder):
    folder.write("a/b.py", PLAIN)
    (folder.root / "a" / "up").symlink_to(folder.root)
    (folder.root / "self.py").symlink_to("self.py")
    report = folder.index_and_compare()
    assert (report.files, report.skipped) == ({"python": 1}, {"symlink": 2})


def test_every_reason_has_a_meaning():
    assert set(MEANINGS) == set(SkipReason)


def test_what_is_listed_is_what_is_counted(folder):
    folder.write("Cargo.lock", "x\n")
    folder.write("big.csv", b"1,2\n" * 300_000)
    folder.write("x.py", b"\0")
    folder.write("a.py", PLAIN)
    report = folder.index()
    with folder.reader() as reader:
        rows = reader.files(["Cargo.lock", "a.py", "big.csv", "x.py"]).values()
    listed = list_skipped(rows, folder.root, folder.settings.index, report.problems)
    assert [(item.path, item.reason) for item in listed] == [
        ("big.csv", "too-large"),
        ("Cargo.lock", "generated"),
        ("x.py", "binary"),
    ]
    assert listed[0].detail == "1200000 bytes; allowed: 1048576"
    assert sum(report.skipped.values()) == len(listed)
