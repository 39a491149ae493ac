"""Nicknames in tasks, and what a glossary makes of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augmenter.channels.exact import exact
from augmenter.glossary import MAX_MATCHES, MAX_MENTIONS, MAX_TERMS, WORD_WEIGHT, expand
from augmenter.mentions import MentionKind
from augmenter.query import NOTHING
from augmenter.task import understand
from indexer.documents.glossary import parse_glossary
from knowledge.types import GlossaryEntry, Status

AS_OF = 1_769_860_800  # 2026-01-31
BOUNCER = GlossaryEntry(
    id="glossary:g.md#bouncer",
    term="The bouncer",
    aliases=("gate keeper", "限流器", "door"),
    meaning="Turns requests away.",
    names=("RateLimiter", "limits.check"),
    paths=("src/limits/", "src/limits.py", "lib/**/limit_*.py"),
    words=("throttling",),
    path="g.md",
    start=1,
)


LIMITS = """\
class RateLimiter:
    def check(self):
        return 1

    def reset(self):
        return 2
"""


def entry(term, *names, **changes):
    value = {"id": f"glossary:g.md#{term}", "aliases": (), "meaning": "", "paths": (), "words": ()}
    return GlossaryEntry(**(value | {"term": term, "names": names, "path": "g.md", "start": 1} | changes))


def expanded(text, *entries, as_of=AS_OF):
    return expand(understand(text, 1 << 20), entries or (BOUNCER,), as_of)


def names(text, *entries):
    return [mention.name or mention.path for mention in expanded(text, *entries).mentions]


def test_nickname_stands_for_names_files_folders_and_words():
    found = expanded("Why does the Bouncer let this in?")
    assert [(m.kind, m.name, m.path, m.reason) for m in found.mentions] == [
        (MentionKind.ALIAS, "RateLimiter", "", "glossary: The bouncer"),
        (MentionKind.ALIAS, "limits.check", "", "glossary: The bouncer"),
        (MentionKind.ALIAS, "", "src/limits.py", "glossary: The bouncer"),
    ]
    assert found.globs == ("src/limits/**", "lib/**/limit_*.py")
    assert found.reasons == ("glossary: The bouncer",)
    weights = dict(found.terms)
    assert {"throttl", "rate", "ratelimiter", "gate", "keeper"} <= weights.keys()
    assert max(weights.values()) == WORD_WEIGHT < 1


@pytest.mark.parametrize(
    "text",
    [
        "our bouncers are slow",
        "BOUNCER!",
        "the bouncer's list",
        "gate keeper",
        "Gate-Keeper",
        "gateKeeper fails",
        "gate_keeper",
        "the gatekeeper",
        "修复限流器的问题",
        "door",
    ],
)
def test_nickname_is_known_in_any_form(text):
    assert names(text)


@pytest.mark.parametrize(
    "text",
    [
        "debouncer",
        "bouncerList",
        "bounce",
        "gate of the town keeper",
        "keeper gate",
        "outdoor",
        "doors_open",
        "the",
    ],
)
def test_part_of_a_word_is_no_nickname(text):
    assert expanded(text).mentions == ()


def test_longest_nickname_is_meant_and_a_shorter_one_only_beside_it():
    entries = (
        entry("limiter", "Limiter"),
        entry("rate limiter", "RateLimiter"),
        entry("a rate limiter pool", "Pool"),
    )
    assert names("The rate limiter hangs", *entries) == ["RateLimiter"]
    assert names("The rate limiter pool hangs", *entries) == ["Pool"]
    assert names("The rate limiter and the limiter", *entries) == ["RateLimiter", "Limiter"]
    assert names("b c d", entry("a b c", "A"), entry("b c", "B"), entry("c d e", "C")) == []
    overlapping = (entry("red team", "Red"), entry("team lead office", "Lead"))
    assert names("the red team lead office", *overlapping) == ["Lead"]


def test_all_entries_of_one_nickname_count():
    assert names("sse", entry("SSE", "EventStream"), entry("sse", "Extensions", id="glossary:h.md#sse")) == [
        "EventStream",
        "Extensions",
    ]


@pytest.mark.parametrize("status", [Status.SUPERSEDED, Status.DEPRECATED, Status.EXPIRED])
def test_entry_that_no_longer_holds_does_not_count(status):
    assert expanded("sse", entry("SSE", "EventStream", status=status)) == NOTHING


def test_entry_holds_on_its_last_day():
    until = entry("SSE", "EventStream", expires="2026-01-31")
    assert expanded("sse", until).mentions
    assert expanded("sse", until, as_of=AS_OF + 86_400) == NOTHING
    assert expanded("sse", until, as_of=0).mentions


def test_what_the_task_names_itself_is_not_mentioned_again():
    task = understand("The bouncer: `RateLimiter` in src/limits.py", 1 << 20)
    found = expand(task, (BOUNCER,), AS_OF)
    assert [mention.name for mention in found.mentions] == ["limits.check"]
    assert [mention.order for mention in found.mentions] == [len(task.mentions)]


def test_nickname_in_code_counts_less():
    found = expanded("It fails\n```\nbouncer = 1\n```")
    assert all(mention.in_code for mention in found.mentions)
    assert max(weight for _, weight in found.terms) < WORD_WEIGHT
    assert not any(mention.in_code for mention in expanded("The bouncer\n```\nbouncer = 1\n```").mentions)


def test_no_more_counts_than_the_bounds_say():
    many = [entry(f"nick{n:03}name", *(f"Thing{n}.part{m}" for m in range(9))) for n in range(60)]
    found = expanded(" ".join(one.term for one in many), *many)
    assert len(found.reasons) == MAX_MATCHES
    assert len(found.mentions) == MAX_MENTIONS
    assert len(found.terms) == MAX_TERMS


def test_without_a_glossary_nothing_is_said():
    assert expand(understand("The bouncer", 1 << 20), (), AS_OF) == NOTHING
    assert expanded("Another matter") == NOTHING


word = st.sampled_from(
    ["rate", "limiter", "pool", "gate", "the", "RateLimiter", "限流", "x", "Größe", "\n", "`a.py`"]
)
phrase = st.lists(word, min_size=1, max_size=4).map(" ".join)


@given(st.lists(word, max_size=12).map(" ".join) | st.text(), st.lists(phrase, max_size=6))
def test_expansion_is_a_function_of_task_and_glossary(text, terms):
    entries = [entry(term, f"Thing{n}", id=f"glossary:g.md#{n}") for n, term in enumerate(terms)]
    task = understand(text, 1 << 20)
    found = expand(task, entries, AS_OF)
    assert found == expand(task, list(entries), AS_OF)
    assert len({mention.name for mention in found.mentions}) == len(found.mentions)
    assert [weight for _, weight in found.terms] == sorted((w for _, w in found.terms), reverse=True)
    assert all(0 < weight < 1 for _, weight in found.terms)


@given(
    st.lists(st.sampled_from(["rate", "limiter", "pool", "gate"]), max_size=10),
    st.sampled_from(["rate limiter", "pool"]),
)
def test_nickname_that_stands_in_the_task_is_found_and_no_other(said, alias):
    text = " ".join(said)
    is_there = f" {alias} " in f" {text} "
    assert bool(names(text, entry(alias, "Thing"))) == is_there


def test_task_that_only_has_the_nickname_finds_the_function(make_catalog):
    files = {
        "src/app/limits.py": LIMITS,
        "src/app/other.py": "def check():\n    return 1\n",
        "knowledge/glossary/terms.md": "# The bouncer\nTurns away.\n- Code: `RateLimiter.check`\n",
    }
    catalog = make_catalog(files)
    task = understand("The bouncer is slow at night", 1 << 20)
    assert exact(task.mentions, catalog.reader) == ([], {})
    expansion = expand(task, catalog.reader.glossary(), AS_OF)
    hits, evidence = exact([*task.mentions, *expansion.mentions], catalog.reader)
    assert [evidence[hit.rowid].id for hit in hits] == ["symbol:src/app/limits.py::RateLimiter.check"]


def test_what_is_written_is_what_is_expanded():
    (told,) = parse_glossary(
        "g.md", "# SSE\n- Also: server-sent events\n- Code: src/sse/, `EventStream::close`\n"
    ).entries
    found = expanded("Server-sent events stop", told)
    assert [mention.name for mention in found.mentions] == ["EventStream.close"]
    assert found.globs == ("src/sse/**",)
    assert found.reasons == ("glossary: server-sent events",)
