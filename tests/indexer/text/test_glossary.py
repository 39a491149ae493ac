"""Files of a glossary: what they say, and what is wrong with them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.documents.glossary import MAX_ITEMS, parse_glossary
from indexer.parse import is_glossary
from knowledge.types import GlossaryEntry, Status

PATH = "knowledge/glossary/terms.md"
WHOLE = """\
---
status: draft
expires: 2027-01-31
---
# What we call things

How to read this.

## The *bouncer*
Turns `requests` away
when there are too many.

Free text: it was written in a night.

- Also: doorman, gate keeper
- Code: `RateLimiter`, `limits.check()`, src/limits/,
  `src/limits/**`, `Map<K, V>`, limits.py, Limits::count
- Words: rate limit, "throttling".
- Note: anything: at all
- https://example.org says more

## SSE
- **Words**:
  - server-sent events
  - event stream
- Status: current
- Expires: `2026-12-31`

```
- Cod: this is an example
```
"""


def entries(text):
    found = parse_glossary(PATH, text)
    assert not found.problems
    return found.entries


def problems(text):
    return parse_glossary(PATH, text).problems


def test_entry_says_what_people_call_things_and_what_those_are_in_the_code():
    assert entries(WHOLE) == (
        GlossaryEntry(
            id=f"glossary:{PATH}#the-bouncer",
            term="The bouncer",
            aliases=("doorman", "gate keeper"),
            meaning="Turns requests away when there are too many.",
            names=("RateLimiter", "limits.check", "Map", "Limits.count"),
            paths=("src/limits/", "src/limits/**", "limits.py"),
            words=("rate limit", "throttling"),
            path=PATH,
            start=9,
            status=Status.DRAFT,
            expires="2027-01-31",
        ),
        GlossaryEntry(
            id=f"glossary:{PATH}#sse",
            term="SSE",
            aliases=(),
            meaning="",
            names=(),
            paths=(),
            words=("server-sent events", "event stream"),
            path=PATH,
            start=22,
            status=Status.CURRENT,
            expires="2026-12-31",
        ),
    )


@pytest.mark.parametrize("heading", ["# SSE", "SSE\n===", "### SSE ###", "<h2>SSE</h2>"])
def test_file_of_one_entry_under_any_heading(heading):
    (entry,) = entries(f"{heading}\n\nEvents.\n\n* Code: `EventStream`\n")
    assert (entry.term, entry.meaning, entry.names) == ("SSE", "Events.", ("EventStream",))


def test_heading_above_others_is_an_entry_only_with_labels():
    text = "# Words\n## Streams\n- Code: Stream\n### SSE\n- Code: EventStream\n"
    assert [entry.term for entry in entries(text)] == ["Streams", "SSE"]


def test_other_names_of_a_thing_are_enough():
    (entry,) = entries("# SSE\n- Also: server-sent events\n")
    assert (entry.aliases, entry.names) == (("server-sent events",), ())


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("- Cod: `X`", ":8: unknown label 'cod'; allowed: Also, Code, Words, Status, Expires, Note, See"),
        ("- Code: the stream", ":8: 'the stream' is neither a name nor a path"),
        ("- Code: X\n- Status: fine", ":9: 'status' is 'fine'; allowed: current, draft"),
        ("- Code: X\n- Expires: soon", ":9: 'expires' is 'soon'; allowed: a date"),
        ("Text alone.", ":7: 'Bad' stands for nothing"),
        ("- Code:", ":7: 'Bad' stands for nothing"),
        ("- Words: " + "x" * 90, ":8: 'xxx"),
        (
            "- Words: " + ", ".join(f"w{n}" for n in range(40)),
            f":8: 40 values of 'words'; allowed: {MAX_ITEMS}",
        ),
    ],
)
def test_malformed_entry_costs_itself_and_is_named_with_its_line(body, problem):
    text = f"# Words\n## Good\n- Code: A\n## Fine\n- Code: B\n\n## Bad\n{body}\n## Last\n- Code: C\n"
    found = parse_glossary(PATH, text)
    assert [entry.term for entry in found.entries] == ["Good", "Fine", "Last"]
    (told,) = found.problems
    assert told.startswith(PATH + problem)


def test_term_of_stop_words_alone_cannot_be_searched_for():
    assert problems("# The\n- Code: X\n")[0].startswith(f"{PATH}:1: 'The' has no word")


@pytest.mark.parametrize("front", ["statu: draft", "status: fine", "expires: soon", "{", "- a"])
def test_bad_front_matter_costs_the_entries_that_it_is_of(front):
    found = parse_glossary(PATH, f"---\n{front}\n---\n# SSE\n- Code: X\n")
    assert found.entries == ()
    assert found.problems[0].startswith(f"{PATH}:1: ")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (PATH, True),
        ("knowledge/glossary/deeper/a.md", True),
        ("knowledge/glossary/README.md", False),
        ("knowledge/glossary/a.txt", False),
        ("knowledge/glossary.md", False),
        ("docs/knowledge/glossary/a.md", False),
    ],
)
def test_place_tells_what_is_a_glossary(path, expected):
    assert is_glossary(path, "knowledge") is expected


piece = st.sampled_from(
    [
        *("# a\n", "## b\n", "- Code: ", "- Also: ", "`x`", ", ", "\n", "  - ", "---\n", "status: draft\n"),
        "é",
        "```\n",
    ]
)


@given(st.lists(piece, max_size=30).map("".join) | st.text())
def test_any_text_is_read(text):
    found = parse_glossary(PATH, text)
    assert len({entry.id for entry in found.entries}) == len(found.entries)
    assert [entry.start for entry in found.entries] == sorted(entry.start for entry in found.entries)
