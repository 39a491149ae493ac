"""The query: what to look for, with the weight of each term in this catalog."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from augmenter.explanation import asks_for_explanation
from augmenter.mentions import Mention
from augmenter.task import Intent, Task
from knowledge.catalog.reader import CatalogReader, Statistics
from knowledge.taxonomy import Taxonomy
from knowledge.terms import terms
from knowledge.types import SourceKind

PARTS = ("title", "prose", "code")  # of a task, told apart by the learned profile
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
class Expansion:
    """What a task says beside its own words, by the project's glossary.

    Attributes:
        mentions: of names and files, of kind ALIAS, each once, with a reason; in the order of the nicknames.
            Their ``order`` goes on after that of the task's own.
        terms: weight by term, heaviest first. Where the task has the term itself, its own weight counts.
        globs: of paths in which what is meant may lie.
        reasons: what was understood, one text for each entry.
    """

    mentions: tuple[Mention, ...] = ()
    terms: tuple[tuple[str, float], ...] = ()
    globs: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


NOTHING = Expansion()


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """One term of a query.

    Attributes:
        term: as `knowledge.terms` makes it.
        weight: how much the task leans on it (parts of the task, repetitions).
        idf: how rare it is in the catalog, in nats, at least 0.
        documents: in how many evidence rows it occurs.
        parts: in the order of `PARTS`, the share that the term has in the part's mass; they sum to 1 at most.
    """

    term: str
    weight: float
    idf: float
    documents: int
    parts: tuple[float, ...] = (0.0,) * len(PARTS)

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
        said: all terms of the task, heaviest first; the past may have those that no evidence has.
        explains: whether the task asks for an explanation.
    """

    terms: tuple[QueryTerm, ...]
    mass: float
    known_share: float
    mentions: tuple[Mention, ...]
    tags: tuple[str, ...]
    asked: frozenset[SourceKind]
    intent: Intent
    statistics: Statistics
    said: tuple[str, ...] = ()
    explains: bool = False


def make_query(
    task: Task,
    reader: CatalogReader,
    statistics: Statistics,
    taxonomy: Taxonomy,
    expansion: Expansion = NOTHING,
    tags: tuple[str, ...] = (),
) -> Query:
    """Weigh a task's terms against a catalog, and those that the glossary adds.

    Args:
        task: the task, understood.
        reader: of the catalog.
        statistics: of the catalog.
        taxonomy: tells the task's tags.
        expansion: what the glossary adds.
        tags: more of them.
    """
    by_part = _by_part(task)
    weights = _weights(by_part)
    for term, weight in expansion.terms:
        weights.setdefault(term, weight)
    documents = reader.document_frequencies(weights)
    count = statistics.count
    # Plain tuples until it is known which are kept: a long task has a thousand terms.
    known = [
        (weight * (idf := _idf(documents[term], count)), term, weight, idf)
        for term, weight in weights.items()
        if term in documents
    ]
    known.sort(key=lambda t: (-t[0], t[1]))
    masses = [_mass(part, documents, count) for part in by_part]
    chosen = tuple(
        QueryTerm(term, weight, idf, documents[term], _shares(term, idf, by_part, masses))
        for _, term, weight, idf in known[:MAX_TERMS]
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
        mentions=(*task.mentions, *expansion.mentions),
        tags=_tags(taxonomy.tags_of(f"{task.title}\n{task.prose}"), tags),
        asked=frozenset(kind for kind, sign in _ASKED if sign.search(task.title)),
        intent=task.intent,
        statistics=statistics,
        explains=asks_for_explanation(task),
        said=tuple(
            sorted(weights, key=lambda term: (-weights[term] * _idf(documents.get(term, 0), count), term))
        ),
    )


def _tags(own: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({*own, *more})) if more else own


def _by_part(task: Task) -> tuple[dict[str, float], ...]:
    """Weight by term in title, prose and code: repetitions count up to a bound, words of the errand less."""
    return tuple(
        {
            term: (ERRAND_WEIGHT if term in ERRAND_TERMS else 1.0) * _REPEATED[min(count, MAX_REPEATS)]
            for term, count in Counter(terms(text)).items()
        }
        for text in (task.title, task.prose, task.code)
    )


def _weights(by_part: tuple[dict[str, float], ...]) -> dict[str, float]:
    """Weight by term: the parts of the task add up."""
    weights: dict[str, float] = {}
    for part, share in zip(by_part, (TITLE_WEIGHT, PROSE_WEIGHT, CODE_WEIGHT), strict=True):
        for term, weight in part.items():
            weights[term] = weights.get(term, 0.0) + share * weight
    return weights


def _mass(part: dict[str, float], documents: Mapping[str, int], count: int) -> float:
    """What it would be worth to match all of a part's terms, those that nothing has included."""
    return math.fsum(weight * _idf(documents.get(term, 0), count) for term, weight in part.items())


def _shares(
    term: str, idf: float, by_part: tuple[dict[str, float], ...], masses: list[float]
) -> tuple[float, ...]:
    return tuple(
        part[term] * idf / mass if term in part else 0.0 for part, mass in zip(by_part, masses, strict=True)
    )


def _idf(documents: int, count: int) -> float:
    """Robertson and Sparck Jones's inverse document frequency, kept positive as in Lucene."""
    return math.log(1 + (count - documents + 0.5) / (documents + 0.5))
