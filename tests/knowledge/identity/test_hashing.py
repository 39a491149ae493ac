"""Hashes of content, patterns and values."""

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.hashing import (
    canonical_json,
    content_hash,
    fingerprint,
    git_blob_hash,
    pattern_hash,
    text_hash,
    value_hash,
)

UNIT = "def f(x):\n    if x:\n        return 1\n\n    return 2\n"
LINES = st.lists(
    st.text(st.characters(categories=["L", "N", "P"], max_codepoint=0x2FF), max_size=8), max_size=6
)


@pytest.mark.parametrize(
    "other",
    [
        UNIT.replace("\n", "\r\n"),
        UNIT.replace("\n", "  \n"),
        "\n\n" + UNIT + "\n\n",
        UNIT.rstrip("\n"),
        "".join(f"    {line}\n" if line else "\n" for line in UNIT.splitlines()),
        "".join(f"  {line}\n" for line in UNIT.splitlines()),
        UNIT.replace("    ", "\t"),
    ],
)
def test_line_ends_trailing_blanks_depth_and_edges_do_not_count(other):
    assert content_hash(other) == content_hash(UNIT)


@pytest.mark.parametrize(
    "other",
    [UNIT.replace("1", "3"), UNIT.replace("        return", "    return"), UNIT.replace("\n\n", "\n"), ""],
)
def test_everything_else_counts(other):
    assert content_hash(other) != content_hash(UNIT)


@given(LINES, st.integers(1, 12))
def test_any_text_keeps_its_hash_when_indented(lines, depth):
    moved = [" " * depth + line for line in lines]
    assert content_hash("\n".join(moved)) == content_hash("\n".join(lines))


def test_a_tab_within_a_line_does_not_make_its_depth_count():
    assert content_hash("x = 1\t# note") == content_hash("  x = 1\t# note")


@given(st.text())
def test_any_text_has_a_hash_lone_surrogates_too(text):
    for digest in (text_hash(text), content_hash(text + "\ud800")):
        assert len(digest) == len("blake2b:") + 32


def test_a_pattern_hash_depends_on_both_its_parts():
    assert len({pattern_hash("a", "b"), pattern_hash("b", "a"), pattern_hash("ab", "")}) == 3


@given(st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])), max_size=4))
def test_a_fingerprint_tells_sequences_apart(parts):
    assert fingerprint(parts) != fingerprint([*parts, ""])
    if len(parts) > 1:
        assert fingerprint(parts) != fingerprint(["".join(parts[:2]), *parts[2:]])


@given(st.dictionaries(st.text(), st.integers() | st.text(), max_size=5))
def test_a_value_hash_does_not_depend_on_the_order_of_keys(value):
    backwards = dict(reversed(value.items()))
    assert canonical_json(backwards) == canonical_json(value)
    assert value_hash(backwards) == value_hash(value)


def test_canonical_json_refuses_what_json_has_not():
    with pytest.raises(ValueError, match="JSON"):
        canonical_json(float("nan"))


@pytest.mark.parametrize("data", [b"", b"hello\n", b"\r\n\0\xff"])
def test_a_blob_hash_is_gits(data, tmp_path):
    done = subprocess.run(
        ["git", "hash-object", "--stdin", "--no-filters"],
        input=data,
        capture_output=True,
        check=True,
        cwd=tmp_path,
    )
    assert git_blob_hash(data) == done.stdout.decode().strip()
