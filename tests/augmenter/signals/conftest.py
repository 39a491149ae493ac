"""Candidates out of thin air, a task that asks for them, and their signals."""

from __future__ import annotations

import pytest
from evidence_factory import make_evidence
from hypothesis import strategies as st

from augmenter.candidates import Candidate, Gathered
from augmenter.channels.exact import ExactHit
from augmenter.channels.lexical import score_texts
from augmenter.channels.past import Past, PastHit
from augmenter.mentions import MentionKind
from augmenter.query import PARTS, Query, QueryTerm
from augmenter.signals import mentioned, relations
from augmenter.task import Intent
from knowledge.catalog.reader import Statistics
from knowledge.catalog.rows import FIELDS
from knowledge.types import Kind, Quality

WORDS = ("stream", "close", "pool", "user", "retri")
PATHS = ("src/stream.py", "src/pool.py", "lib/user.py")
NAMES = ("close", "Stream.close", "Stream.__init__", "Pool.Pool", "_take", "__enter__", "user", "a.b.c.d")
STATISTICS = Statistics(100, (2.0, 3.0, 2.0, 5.0, 20.0))
UNIT = st.floats(0, 1)
OF_THE_TITLE = tuple(float(part == "title") for part in PARTS)


def make_query(shares):
    """A query of terms with these shares in the parts of the task."""
    masses = [sum(shares[term][n] for term in shares) or 1.0 for n in range(len(PARTS))]
    terms = tuple(
        QueryTerm(term, 1.0, 1.0, 9, tuple(share / mass for share, mass in zip(parts, masses, strict=True)))
        for term, parts in sorted(shares.items())
    )
    return Query(terms, float(len(terms)), 1.0, (), (), frozenset(), Intent.SYNTHESIS, STATISTICS)


queries = st.dictionaries(
    st.sampled_from(WORDS), st.tuples(*[UNIT] * len(PARTS)), min_size=1, max_size=len(WORDS)
).map(make_query)
fields = st.tuples(*[st.lists(st.sampled_from([*WORDS, "other"]), max_size=8).map(" ".join)] * len(FIELDS))
past_hits = st.builds(PastHit, st.just(1), UNIT, st.floats(0, 9), st.just("touched"))
exact_hits = st.builds(
    ExactHit,
    st.just(1),
    st.floats(0.01, 9),
    st.just("mentioned"),
    st.booleans(),
    st.dictionaries(st.sampled_from([*(kind.value for kind in MentionKind), "code"]), st.floats(0.01, 9)),
)


@st.composite
def candidates(draw, query, kinds=(Kind.UNIT, Kind.CLASS, Kind.MODULE, Kind.SECTION, Kind.DOCUMENT)):
    """Up to ten candidates in order, with the words, mentions and past that a task may find in them."""
    found = []
    for number in range(draw(st.integers(0, 10))):
        kind, start = draw(st.sampled_from(kinds)), draw(st.integers(1, 50))
        evidence = make_evidence(
            number,
            kind=kind,
            name="" if kind in (Kind.MODULE, Kind.DOCUMENT) else draw(st.sampled_from(NAMES)),
            path=draw(st.sampled_from(PATHS)),
            start=start,
            end=start + draw(st.integers(0, 900)),
            doc=draw(st.sampled_from(["", "Does it."])),
            quality=Quality(draw(UNIT), {}),
        )
        hits = score_texts(query, [(number, draw(fields))]) if draw(st.booleans()) else []
        found.append(
            Candidate(
                evidence,
                hits[0] if hits else None,
                draw(st.none() | exact_hits),
                history=draw(st.none() | past_hits),
                used=draw(st.none() | past_hits),
            )
        )
    return sorted(found, key=lambda c: c.evidence.sort_key)


@st.composite
def gathered_with_query(draw):
    """What the channels may find, and the task's query."""
    query = draw(queries)
    found = draw(candidates(query))
    cards = draw(candidates(query, kinds=(Kind.CLASS, Kind.MODULE)))
    distinct = {(c.evidence.path, c.evidence.kind, c.evidence.name): c for c in cards}
    files = draw(st.dictionaries(st.sampled_from(PATHS), UNIT))
    return Gathered(found, list(distinct.values()), Past(files=files)), query


@pytest.fixture(scope="session")
def anything():
    """Strategy: what the channels may find, and the task's query."""
    return gathered_with_query()


@pytest.fixture(scope="session")
def asked():
    """A query of words, all of the title, all alike."""
    return lambda *words: make_query(dict.fromkeys(words, OF_THE_TITLE))


@pytest.fixture(scope="session")
def candidate():
    """Makes the n-th candidate of a query; ``body`` are its words."""

    def make(number=0, query=None, body="", *, exact=None, history=None, used=None, **changes):
        hits = score_texts(query, [(number, ("", "", "", "", body))]) if query and body else []
        evidence = make_evidence(number, **changes)
        return Candidate(evidence, hits[0] if hits else None, exact, history=history, used=used)

    return make


@pytest.fixture(scope="session")
def highest():
    """The highest value of a signal."""
    beyond_one = {*mentioned.SIGNALS, mentioned.ALIAS, "file_mentioned", "class_mentioned"}
    return lambda name: (
        mentioned.MOST if name in beyond_one else relations.MOST if name in relations.SIGNALS else 1.0
    )
