"""The preamble: parted from a task, never lost, never changed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from augmenter.preamble import split_preamble
from knowledge.settings import Settings

PATTERN = Settings().brief.preamble


@given(st.text(), st.sampled_from(["", PATTERN, "x*", r"(?:a|b)+\n"]))
def test_parts_join_to_the_task(task, pattern):
    preamble, body = split_preamble(task, None, pattern)
    assert preamble + body == task
    assert body or not task


@given(st.text(), st.text())
def test_preamble_that_was_given_leaves_the_task_whole(task, given_preamble):
    assert split_preamble(task, given_preamble, PATTERN) == (given_preamble, task)


def test_shipped_pattern_knows_skills_and_roles():
    for top in ("/fix-bug --now\n", "/a:b\n\n", "You are a tester.\n\n"):
        assert split_preamble(f"{top}Do it.", None, PATTERN) == (top, "Do it.")
    for text in (
        "Do it.\n/fix\n",
        "/ path\nDo it",
        "/fix",
        "You are\n",
        "/usr is full",
        "Are you a tester?\n",
    ):
        assert split_preamble(text, None, PATTERN) == ("", text)
