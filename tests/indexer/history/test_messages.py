"""What a commit's message says, without what says nothing."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.history.messages import MAX_SUBJECT, MAX_TERMS, read_message


@pytest.mark.parametrize(
    ("message", "subject"),
    [
        ("Fixed #36326 -- Added keys to QuerySet.raw().", "Added keys to QuerySet.raw()."),
        ("Fixed #1, Refs #2 -- Closed the pool.", "Closed the pool."),
        ("Keep the order (#1234)", "Keep the order"),
        ("Keep the order (ada/project#12)\n\nCloses #3, see also #4.", "Keep the order"),
        ("Merge pull request #1 from ada/side\n\nKeep the order", "Keep the order"),
        ("Fix the pool\n\nSigned-off-by: Ada <ada@example.org>\nCo-authored-by: Bob <b@c>", "Fix the pool"),
        ("Drop what deadbeef1 did, see https://example.org/x", "Drop what did, see"),
        ("<!-- describe your change -->\nKeep the order\n- [x] I have tests", "Keep the order"),
        ("Bump into walls less often", "Bump into walls less often"),
        ("Release the lock when done", "Release the lock when done"),
        ('Revert "Keep the order"\n\nThis reverts commit 0123456789abcdef.', 'Revert "Keep the order"'),
    ],
)
def test_the_subject_is_what_a_person_said(message, subject):
    assert read_message(message).subject == subject


@pytest.mark.parametrize(
    "message",
    [
        *("", "\n\n", "...", "wip", "v1.2.3", "Release 1.2.3", "release: v2.0.0-rc1", "Initial commit"),
        *("Merge branch 'main' into side", "Merge remote-tracking branch 'origin/main'", "fixup! Keep"),
        *("Bump requests from 2.0 to 2.1", "chore(deps): update dependency x", "Bump version", "Fixes #12"),
        *("[pre-commit.ci] pre-commit autoupdate", "Prepare the 2.0 release", "#12", "0123456789abcdef"),
    ],
)
def test_what_says_nothing_has_no_terms(message):
    assert read_message(message) == read_message("")
    assert read_message(message).terms == ()


@pytest.mark.parametrize("author", ["dependabot[bot]", "renovate[bot]", "pre-commit-ci", "github-actions"])
def test_what_robots_write_says_nothing(author):
    assert read_message("Keep the order", author).terms == ()
    assert read_message("Keep the order", "Robotha").terms == ("keep", "order")


def test_a_merge_says_what_it_merged_once():
    merged = ["Keep the order", "Sort by name (#3)", "Merge branch 'main' into side"]
    told = read_message("Merge pull request #9 from a/b\n\nKeep the order", "Ada", merged)
    assert (told.subject, told.terms) == ("Keep the order", ("keep", "order", "sort", "name"))
    assert read_message("Merge branch 'side'", "Ada", merged) == told


@pytest.mark.parametrize(
    "unit", ["a", "a/", "\n", "fixes ", "-", "<!--", "bump to ", "#1", "a" * 40 + " ", "( "]
)
def test_no_message_takes_long(unit):
    began = time.process_time()
    read_message(unit * (16_384 // len(unit)))
    assert time.process_time() - began < 0.5


@given(st.text(), st.lists(st.text(), max_size=3))
def test_whatever_is_said_is_bounded(message, merged):
    told = read_message(message, "", merged)
    assert len(told.subject) <= MAX_SUBJECT
    assert len(told.terms) <= MAX_TERMS
    assert "\n" not in told.subject
    assert told.subject or not told.terms
