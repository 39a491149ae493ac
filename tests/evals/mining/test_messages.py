"""What a commit's message says: whether it is a task, and what of it stays."""

from time import process_time

import pytest
from cases import rows
from hypothesis import example, given
from hypothesis import strategies as st

from evals.mining.messages import MAX_LENGTH, by_bot, kind_of, task_of
from evals.mining.reasons import Reason

CLEANED = rows(r"""
    Keep the pool's connections alive (#3571)                       Keep the pool's connections alive
    Keep connections alive, see https://example.org/a?b=c#d         Keep connections alive
    cf-socket: wait for idle sockets                                cf-socket: wait for idle sockets
    SEC-2472: Support LDAP crypto password encoder                  Support LDAP crypto password encoder
    Close sockets after 3f2a9c1b7d times out                        Close sockets after times out
    Share header normalization from _utils.py with pool.go          Share header normalization with
    Share header normalization from `pkg/_utils.py` in `lib/x.ts`   Share header normalization
    pool.go: close idle sockets on shutdown                         close idle sockets on shutdown
    [Fix #12] Fix an infinite loop of sockets                       Fix an infinite loop of sockets
    resolves #12, gh-13 and #14 honor idle timeouts of sockets      honor idle timeouts of sockets
    [13.x] Retry idle sockets (#12)                                 Retry idle sockets
    Crash when response.text is empty in Node.js servers            Crash when response.text is empty in Node.js servers
    Close idle sockets\n\nSigned-off-by: Ada <a@b.c>\nChange-Id: I1  Close idle sockets
    Retry idle sockets\n\nCloses gh-12, #34                         Retry idle sockets
    Retry idle sockets\n\n* Retry idle sockets\n* fix lint\n* Wait  Retry idle sockets\n\n* Wait
""")  # noqa: E501 - a table
KINDS = {
    Reason.MERGE: (
        "Merge branch 'main' into topic",
        "Merge pull request #12 from ada/topic",
        "Merged PR 12: Wait",
    ),
    Reason.REVERT: (
        'Revert "Wait longer"',
        "Wait less\n\nThis reverts commit 3f2a9c1.",
        "revert: wait longer",
    ),
    Reason.RELEASE: (
        "1.2.3",
        "v2.0.0-rc.1",
        "Version 0.28.1",
        "Bump ruff from 0.1 to 0.2",
        "Prepare for release 4.0",
        "chore(deps): update everything",
        "Upgrade okio to 2.0",
        "Scala 3.9.0-RC1",
    ),
    Reason.FORMAT: (
        "Fix lint",
        "Run black",
        "style: wrap",
        "Apply clang-format to the code",
        "Fix mypy errors",
        "Add type hints to the pool",
        "Enable ruff's SIM118",
    ),
    Reason.DOCUMENTATION: (
        "docs: say more",
        "Fix typo in retry loop",
        "Update README",
        "Clean up javadoc",
        "Document the retry of idle sockets",
    ),
    Reason.TESTS: (
        "test: wait longer",
        "Fix flaky tests",
        "ci: cache wheels",
        "Fix the build on Windows",
        "Remove hardcoded ports from tests",
    ),
}


@pytest.mark.parametrize(("message", "task"), CLEANED)
def test_what_gives_the_answer_away_is_removed(message, task):
    assert task_of(message, ("pool.go",)) == task


@pytest.mark.parametrize(
    ("reason", "message"), [(kind, text) for kind, texts in KINDS.items() for text in texts]
)
def test_what_is_no_task_is_told_by_its_subject(message, reason):
    assert kind_of(message) is reason


@pytest.mark.parametrize(
    "message",
    [
        "Retry idle sockets",
        "Fix the formatting of dates",
        "Report line numbers in type errors of schemas",
        "server: fix concat",
        "Support TLS 1.3",
        "Report the type of hints in completions",
        "Release the lock when a writer dies",
        "Version the cache by its recipe",
    ],
)
def test_a_task_is_taken_for_no_chore(message):
    assert kind_of(message) is None


@pytest.mark.parametrize(
    "message", ["Fix the bug", "wip", "Some more improvements", "Fix #12", "", "Update pool.go"]
)
def test_what_says_too_little_is_no_task(message):
    assert task_of(message, ("src/pool.go",)) == ""


@pytest.mark.parametrize(
    "author", ["dependabot[bot] <1+d[bot]@x.org", "Renovate Bot <b@renovateapp.com", "pre-commit-ci"]
)
def test_programs_are_known_by_their_names(author):
    assert by_bot(author)


@pytest.mark.parametrize("author", ["Ada <ada@example.org", "Robert Botha <rb@example.org"])
def test_people_are_no_programs(author):
    assert not by_bot(author)


HOSTILE = (
    "a/",
    "a.",
    "a-",
    "(",
    "( ",
    "[",
    "()",
    "#1",
    "a/b#",
    "<!--",
    "fix ",
    "`",
    "- ",
    "0a",
    " ",
    "\n",
    "a.py/",
    "in a ",
    " -",
)


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_message_takes_no_time(piece):
    message = piece * 100_000
    began = process_time()
    kind_of(message)
    task_of(f"Merge {message}", ("a/a.py", "a"))
    assert process_time() - began < 3


TEXTS = st.lists(
    st.sampled_from(
        (
            "Retry",
            "sockets",
            "idle",
            "src/pool.py",
            "pool.py",
            "#12",
            "(gh-3)",
            "3f2a9c1b7d",
            "- ",
            "\n",
            "`",
            "in",
        )
    )
)


@given(TEXTS)
def test_no_task_names_its_file_or_a_reference(pieces):
    task = task_of(" ".join(pieces), ("src/pool.py",))
    assert not any(named in task for named in ("pool.py", "#12", "gh-3", "3f2a9c1b7d"))


@given(st.text())
@example("\fRetry idle sockets\x85")
def test_any_text_is_cleaned_or_refused(message):
    task = task_of(message, ())
    assert len(task) <= MAX_LENGTH
    assert task == task.strip()
