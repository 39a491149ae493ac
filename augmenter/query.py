"""The query: what to look for, with the weight of each term in this catalog."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass

from augmenter.mentions import Mention
from augmenter.task import Intent, Task
from knowledge.catalog.reader import CatalogReader, Statistics
from knowledge.taxonomy import Taxonomy
from knowledge.terms import terms
from knowledge.types import SourceKind

TITLE_WEIGHT = 2.0  # the title names the matter; issue bodies wander
PROSE_WEIGHT = 1.0
CODE_WEIGHT = 0.5  # reproductions are full of incidental names
ERRAND_WEIGHT = 0.25  # of words that tell what to do and not to what; measured: 1.0 and 0.0 are worse
MAX_REPEATS = 3  # a word said more often is not more important
_REPEATED = tuple(math.log2(1 + count) for count in range(MAX_REPEATS + 1))
MAX_TERMS = 64  # terms that are scored; a long issue has hundreds, and the rest weighs next to nothing

# Rare in code, so that their rarity would make them look telling, and common in tasks.
_ERRAND = """
add allow able actual actually avoid behavior behaviour bug change correct correctly currently ensure expect
expected fix handle implement improve instead introduce issue make new now possible problem properly provide
remove support update use work wrong
"""
ERRAND_TERMS = frozenset(terms(_ERRAND))

_ASKED: tuple[tuple[SourceKind, re.Pattern[str]], ...] = (
    (
        SourceKind.TEST,
        re.compile(
            r"\b(?:add|write|fix|update|extend|flaky|failing|missing|unit|regression|integration|more)"
            r"\s+(?:[\w-]+\s+){0,2}tests?\b|\btest (?:coverage|suite|cases?|fixtures?)\b",
            re.I,
        ),
    ),
    (SourceKind.EXAMPLE, re.compile(r"\b(?:examples?|samples?|demos?|tutorials?)\b", re.I)),
    (SourceKind.GENERATED, re.compile(r"\b(generated|codegen|generator output)\b", re.I)),
    (SourceKind.VENDORED, re.compile(r"\b(vendored?|third[- ]party|bundled)\b", re.I)),
    (SourceKind.CHANGELOG, re.compile(r"\b(changelog|release notes?|changes file|news file)\b", re.I)),
)


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """One term of a query.

    Attributes:
        term: as `knowledge.terms` makes it.
        weight: how much the task leans on it (parts of the task, repetitions).
        idf: how rare it is in the catalog, in nats, at least 0.
        documents: in how many evidence rows it occurs.
    """

    term: str
    weight: float
    idf: float
    documents: int

    @property
    def mass(self) -> float:
        """What it is worth to match this term."""
        return self.weight * self.idf


@dataclass(frozen=True, slots=True)
class Query:
    """What a task asks of a catalog.

    Attributes:
        terms: heaviest first; ties by term.
        mass: what it would be worth to match ``terms`` and the unknown terms in proportion to them.
        known_share: share of that mass whose terms the catalog holds at all, in [0, 1].
        mentions: what the task names.
        tags: taxonomy tags of the task.
        asked: kinds of source beside implementation that the task asks for.
        intent: what the task wants.
        statistics: of the catalog.
    """

    terms: tuple[QueryTerm, ...]
    mass: float
    known_share: float
    mentions: tuple[Mention, ...]
    tags: tuple[str, ...]
    asked: frozenset[SourceKind]
    intent: Intent
    statistics: Statistics


def make_query(task: Task, reader: CatalogReader, statistics: Statistics, taxonomy: Taxonomy) -> Query:
    """Weigh a task's terms against a catalog."""
    weights = _weights(task)
    documents = reader.document_frequencies(weights)
    count = statistics.count
    # Plain tuples until it is known which are kept: a long task has a thousand terms.
    known = [
        (weight * (idf := _idf(documents[term], count)), term, weight, idf)
        for term, weight in weights.items()
        if term in documents
    ]
    known.sort(key=lambda t: (-t[0], t[1]))
    chosen = tuple(
        QueryTerm(term, weight, idf, documents[term]) for _, term, weight, idf in known[:MAX_TERMS]
    )
    mass = math.fsum(term.mass for term in chosen)
    known_mass = math.fsum(term[0] for term in known)
    unknown = sum(weight for term, weight in weights.items() if term not in documents)
    unknown *= _idf(0, count)
    known_share = known_mass / (known_mass + unknown) if known_mass else 0.0
    return Query(
        terms=chosen,
        mass=mass / known_share if known_share else unknown,
        known_share=known_share,
        mentions=task.mentions,
        tags=taxonomy.tags_of(f"{task.title}\n{task.prose}"),
        asked=frozenset(kind for kind, sign in _ASKED if sign.search(task.title)),
        intent=task.intent,
        statistics=statistics,
    )


def _weights(task: Task) -> dict[str, float]:
    """Weight by term: parts of the task add up, repetitions count up to a bound."""
    weights: dict[str, float] = {}
    for text, weight in ((task.title, TITLE_WEIGHT), (task.prose, PROSE_WEIGHT), (task.code, CODE_WEIGHT)):
        for term, count in Counter(terms(text)).items():
            share = ERRAND_WEIGHT if term in ERRAND_TERMS else 1.0
            weights[term] = weights.get(term, 0.0) + share * weight * _REPEATED[min(count, MAX_REPEATS)]
    return weights


def _idf(documents: int, count: int) -> float:
    """Robertson and Sparck Jones's inverse document frequency, kept positive as in Lucene."""
    return math.log(1 + (count - documents + 0.5) / (documents + 0.5))
