"""Signals of names: how much of what a candidate is called the task says.

The share of the *name's* terms that occur in the task, by their rarity: `stream_close` is wholly named by
"close the stream", `close_all_idle_streams_on_shutdown` is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from augmenter.candidates import Candidate
from augmenter.query import PARTS, Query
from knowledge.terms import split_identifier, stem

UNKNOWN_IDF = 5.0  # nats, of a term that the task does not have: that of one in a hundred and fifty rows
SIGNALS = tuple(f"{name}_in_{part}" for name in ("own", "owner", "file") for part in ("task", "title"))
_TITLE = PARTS.index("title")


class NamingSignals:
    """The signals of one task's words for names."""

    def __init__(self, query: Query) -> None:
        self._task = {term.term: term.idf for term in query.terms}
        self._title = {term.term: term.idf for term in query.terms if term.parts[_TITLE]}

    def __call__(self, candidate: Candidate) -> Iterator[tuple[str, float]]:
        """What is not zero, each in [0, 1]."""
        evidence = candidate.evidence
        owner, _, own = evidence.name.rpartition(".")
        file = evidence.path.rpartition("/")[2].partition(".")[0]
        for name, words in (("own", own), ("owner", owner.rpartition(".")[2]), ("file", file)):
            parts = name_terms(words)
            in_task = _share(parts, self._task)
            if in_task:
                yield f"{name}_in_task", in_task
                in_title = _share(parts, self._title)
                if in_title:
                    yield f"{name}_in_title", in_title


@lru_cache(maxsize=1 << 16)  # names of a large repository; 10 MB at the most
def name_terms(name: str) -> tuple[str, ...]:
    """The stems of a name's parts, each once; single letters tell nothing."""
    return tuple(dict.fromkeys(stem(part) for part in split_identifier(name) if len(part) > 1))


def _share(parts: tuple[str, ...], said: dict[str, float]) -> float:
    found = [said[part] for part in parts if part in said]
    if not found:
        return 0.0
    mass = sum(found)
    return mass / (mass + UNKNOWN_IDF * (len(parts) - len(found))) if mass else 0.0
