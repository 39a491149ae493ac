"""What is understood of a task: title, prose, code, intent."""

import pytest
from cases import cases_by_value

from augmenter.task import Intent, understand

LIMIT = 1 << 20


def parts(text, limit=LIMIT):
    task = understand(text, limit)
    return (
        task.title,
        task.prose.split("\n") if task.prose else [],
        task.code.split("\n") if task.code else [],
    )


def test_title_is_the_first_line_of_prose():
    assert parts("\n\n## **Close the stream**\n\nIt leaks.\n")[:2] == ("Close the stream", ["", "It leaks."])


def test_fenced_blocks_are_code():
    title, prose, code = parts("Title\n```python\nx = 1\n\ny = 2\n```\nAfter")
    assert (title, prose, code) == ("Title", ["After"], ["x = 1", "", "y = 2"])


def test_unclosed_fence_reaches_to_the_end():
    assert parts("Title\n~~~\nx = 1\nstill code") == ("Title", [], ["x = 1", "still code"])


def test_fence_holds_shorter_fences_and_fences_of_the_other_sign():
    text = "T\n````md\n```py\nx\n```\n~~~\n````\nprose"
    assert parts(text) == ("T", ["prose"], ["```py", "x", "```", "~~~"])


def test_fence_is_not_closed_by_one_with_an_info_string():
    assert parts("T\n```\n```python\nx\n```\nprose") == ("T", ["prose"], ["```python", "x"])


def test_inline_code_in_three_backticks_opens_no_fence():
    title, prose, code = parts("```close``` hangs\nsince the update")
    assert (title, prose, code) == ("```close``` hangs", ["since the update"], [])


@pytest.mark.parametrize("line", ["    x = 1", "\tx = 1", ">>> x = 1", "... x = 2"])
def test_indented_lines_and_prompts_are_code(line):
    assert parts(f"Title\n\n{line}\n\nAfter") == ("Title", ["", "", "After"], [line])


def test_task_that_is_indented_as_a_whole_is_prose():
    assert parts("    Title\n\n    Body.\n        x = 1\n") == ("Title", ["", "Body."], ["    x = 1"])


def test_traceback_outside_of_a_fence_is_code():
    text = 'Boom\nTraceback (most recent call last):\n  File "a.py", line 3, in f\n    g()\nValueError: no\n'
    title, prose, code = parts(text)
    assert title == "Boom"
    assert prose == ["ValueError: no"]
    assert code == ["Traceback (most recent call last):", '  File "a.py", line 3, in f', "    g()"]


def test_both_lines_of_a_go_frame_are_code():
    _, prose, code = parts("panic: boom\n\nmain.run(0xc0)\n\t/src/main.go:12 +0x1d\nexit status 2")
    assert prose == ["", "exit status 2"]
    assert code == ["main.run(0xc0)", "\t/src/main.go:12 +0x1d"]


def test_comments_of_issue_templates_are_dropped():
    text = "<!-- the\n`bug` -->\nTitle\n<!-- a --> one <!-- b --> two\n<!--\n```\nx\n```\n-->\nEnd"
    title, prose, code = parts(text)
    assert title == "Title"
    assert "bug" not in "".join(prose)
    assert [line.split() for line in prose] == [["one", "two"], [], ["End"]]
    assert code == []


def test_comment_in_fenced_code_is_code():
    assert parts("Title\n```html\n<!-- kept -->\n```")[2] == ["<!-- kept -->"]


def test_comment_that_never_ends_is_text():
    assert parts("Title\n<!-- no end\nmore")[1] == ["<!-- no end", "more"]


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_other_line_ends_are_line_ends(end):
    text = "Title\n\nbody\n```\nx\n```\n<!-- a\nb -->last"
    assert understand(text.replace("\n", end), LIMIT) == understand(text, LIMIT)


def test_links_are_no_text():
    title, _, code = parts("See https://example.org/close?x=1 now\n```\nget('http://a.b/c')\n```")
    assert title.split() == ["See", "now"]
    assert code == ["get(' ')"]


def test_hidden_characters_are_no_text():
    assert parts("clo\u200bse the st\u202eream")[0] == "close the stream"


def test_of_a_longer_task_beginning_and_end_are_read():
    title, prose, _ = parts("first " + "x" * 5000 + "\nlast", limit=1000)
    assert title.startswith("first")
    assert prose[-1] == "last"
    assert len(title) + sum(map(len, prose)) < 1010


@pytest.mark.parametrize("text", ["", " \n\n", "```\n```", "<!-- -->", "\x00"])
def test_empty_task_has_no_parts(text):
    task = understand(text, LIMIT)
    assert (task.title, task.prose.strip(), task.code, task.mentions) == ("", "", "", ())
    assert task.intent is Intent.SYNTHESIS


@pytest.mark.parametrize(
    ("text", "intent"),
    cases_by_value(
        {
            Intent.EXACT_LOOKUP: ("Where is the parser?",),
            Intent.PROCEDURE: (
                "How to add a migration",
                "Implement retries",
                "Add a flag\n\nIt fails today.",  # the title goes before the body
            ),
            Intent.TROUBLESHOOTING: (
                "Fix the SSE streaming timeout",
                "close() doesn’t return",
                "The storage layer\n\nIt crashes.",
                'Storage\n  File "a.py", line 1, in f\n',
            ),
            Intent.RATIONALE: ("Why do we poll?",),
            Intent.POLICY: ("What are our naming conventions?",),
            Intent.HISTORY: ("When was the cache removed?",),
            Intent.SYNTHESIS: (
                "Summarise the storage layer",
                "Prefixes and fixtures",  # not "fix"
            ),
        }
    ),
)
def test_intent(text, intent):
    assert understand(text, LIMIT).intent is intent
