"""Diffs: of git and of others, whole or broken."""

from __future__ import annotations

import contextlib
import difflib

import pytest
from cases import rows
from hypothesis import given, settings
from hypothesis import strategies as st

from learning.diff import DiffError, DiffLine, FileDiff, parse_diff

MODIFIED = """\
diff --git a/src/stream.py b/src/stream.py
index 1111111..2222222 100644
--- a/src/stream.py
+++ b/src/stream.py
@@ -10,4 +10,5 @@ class Stream:
 def close(self):
-    self.a()
+    self.b()
+    self.c()
\x20
     return None
"""


def only_file(text: str) -> FileDiff:
    (file,) = parse_diff(text).files
    return file


def test_lines_carry_their_numbers_on_both_sides():
    file = only_file(MODIFIED)
    assert (file.old_path, file.new_path, file.binary) == ("src/stream.py", "src/stream.py", False)
    assert file.lines == (
        DiffLine("context", "def close(self):", 10, 10),
        DiffLine("removed", "    self.a()", 11, 10),
        DiffLine("added", "    self.b()", 11, 11),
        DiffLine("added", "    self.c()", 11, 12),
        DiffLine("context", "", 12, 13),
        DiffLine("context", "    return None", 13, 14),
    )
    assert [line.text for line in file.of_kind("added")] == ["    self.b()", "    self.c()"]


def test_empty_diff_has_no_files():
    assert parse_diff("").files == ()
    assert parse_diff("\n \n").files == ()


def test_new_file():
    file = only_file(
        "diff --git a/n.py b/n.py\nnew file mode 100644\nindex 0000000..1\n--- /dev/null\n+++ b/n.py\n"
        "@@ -0,0 +1,2 @@\n+a\n+b\n"
    )
    assert (file.old_path, file.new_path) == (None, "n.py")
    assert [(line.old, line.new) for line in file.lines] == [(0, 1), (0, 2)]


def test_deleted_file():
    file = only_file(
        "diff --git a/n.py b/n.py\ndeleted file mode 100644\n--- a/n.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
    )
    assert (file.old_path, file.new_path) == ("n.py", None)
    assert file.lines == (DiffLine("removed", "a", 1, 0),)


def test_empty_new_file_has_no_hunks():
    file = only_file("diff --git a/x/n.py b/x/n.py\nnew file mode 100644\nindex 0000000..e69de29\n")
    assert (file.old_path, file.new_path, file.lines) == (None, "x/n.py", ())


def test_rename_with_and_without_change():
    pure = "diff --git a/old name.py b/new.py\nrename from old name.py\nrename to new.py\n"
    files = parse_diff(pure + MODIFIED).files
    assert [(f.old_path, f.new_path) for f in files] == [
        ("old name.py", "new.py"),
        ("src/stream.py", "src/stream.py"),
    ]


def test_change_of_mode_alone():
    file = only_file("diff --git a/my run.sh b/my run.sh\nold mode 100644\nnew mode 100755\n")
    assert (file.old_path, file.new_path, file.lines) == ("my run.sh", "my run.sh", ())


@pytest.mark.parametrize(
    "body",
    [
        "Binary files a/x.png and b/x.png differ\n",
        "GIT binary patch\nliteral 4\nLc${NkU|;|M00aO5\n\nliteral 3\nKcmZQzU|?hb0ssI2\n\n",
    ],
)
def test_binary_file(body):
    files = parse_diff("diff --git a/x.png b/x.png\nindex 1..2 100644\n" + body + MODIFIED).files
    assert [(f.new_path, f.binary) for f in files] == [("x.png", True), ("src/stream.py", False)]


def test_quoted_paths_are_undone():
    file = only_file(
        r'diff --git "a/\303\274 \"x\"\t.py" "b/\303\274 \"x\"\t.py"' + "\n"
        r'--- "a/\303\274 \"x\"\t.py"' + "\n"
        r'+++ "b/\303\274 \"x\"\t.py"' + "\n@@ -1 +1 @@\n-a\n+b\n"
    )
    assert file.old_path == file.new_path == 'ü "x"\t.py'


def test_mark_of_a_missing_line_end_is_no_line():
    file = only_file(
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"
    )
    assert [(line.kind, line.text) for line in file.lines] == [("removed", "a"), ("added", "b")]


def test_windows_line_ends_make_no_difference():
    assert parse_diff(MODIFIED.replace("\n", "\r\n")) == parse_diff(MODIFIED)


def test_only_a_line_feed_ends_a_line():
    file = only_file("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\x0cb\u2028c\n+d\x85e\n")
    assert [line.text for line in file.lines] == ["a\x0cb\u2028c", "d\x85e"]


def test_removed_and_added_lines_that_look_like_headers():
    file = only_file("--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,2 @@\n--- drop\n-- keep\n+++ add\n++ keep\n")
    assert [line.text for line in file.lines] == ["-- drop", "- keep", "++ add", "+ keep"]


def test_plain_diffs_one_after_the_other():
    text = "".join(
        f"--- old/{name}\t2026-01-01 00:00:00\n+++ new/{name}\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n"
        for name in "xy"
    )
    assert [(f.old_path, f.new_path) for f in parse_diff(text).files] == [
        ("old/x", "new/x"),
        ("old/y", "new/y"),
    ]


def test_letters_around_patches_are_passed_over():
    letter = (
        "From 1234 Mon Sep 17\nSubject: [PATCH] x\n\nrename from here\n--- not a file\n---\n x | 2 +-\n\n"
    )
    text = letter + MODIFIED + "-- \n2.40.0\n\n" + letter + MODIFIED.replace("stream", "other")
    assert [f.new_path for f in parse_diff(text).files] == ["src/stream.py", "src/other.py"]


def test_context_line_whose_blank_was_stripped():
    assert parse_diff(MODIFIED.replace("\n \n", "\n\n")) == parse_diff(MODIFIED)


def test_mnemonic_prefixes_are_taken_off():
    file = only_file("diff --git i/x.py w/x.py\n--- i/x.py\n+++ w/x.py\n@@ -1 +1 @@\n-a\n+b\n")
    assert (file.old_path, file.new_path) == ("x.py", "x.py")


@pytest.mark.parametrize(
    ("line", "what", "text"),
    rows(r"""
        1  no unified diff        hello\nworld\n
        1  without a file         @@ -1 +1 @@\n-a\n+b\n
        3  header cannot be read  --- a/x\n+++ b/x\n@@ nonsense @@\n
        3  ends before            --- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n
        5  neither added          --- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n*b\n
        5  more lines             --- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\n-b\n+c\n+d\n
        1  combined               diff --cc x.py\nindex 1,2..3\n--- a/x.py\n+++ b/x.py\n@@@ -1 -1 +1 @@@\n
    """),
)
def test_broken_diff_says_where(line, what, text):
    with pytest.raises(DiffError, match=what) as caught:
        parse_diff(text)
    assert caught.value.where == f"diff line {line}"
    assert caught.value.remedy


LINES = st.lists(
    st.sampled_from(["", "a", "b", "-- c", "++ d", "@@ -1 +1 @@", "diff --git a/x b/x"]), max_size=12
)


@settings(max_examples=100, deadline=None)
@given(old=LINES, new=LINES, context=st.integers(0, 4))
def test_either_side_can_be_told_from_the_diff(old, new, context):
    """What difflib writes, read back: removed and added lines stand where the numbers say."""
    text = "\n".join(difflib.unified_diff(old, new, "a/x", "b/x", n=context, lineterm=""))
    for file in parse_diff(text).files:
        for line in file.lines:
            if line.kind != "added":
                assert old[line.old - 1] == line.text
            if line.kind != "removed":
                assert new[line.new - 1] == line.text
        assert len(old) - len(list(file.of_kind("removed"))) == len(new) - len(list(file.of_kind("added")))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from([*MODIFIED.splitlines(), "", "x", "\\ No", "@@ -1 +1 @@", "--- a", "+++ b"])))
def test_any_other_text_is_an_error_or_a_diff(lines):
    with contextlib.suppress(DiffError):
        parse_diff("\n".join(lines))
