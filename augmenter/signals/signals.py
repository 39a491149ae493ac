"""The signals of all candidates of a task: what the learned profile combines, each kept apart.

A signal is named, not negative, and zero where it is not given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from augmenter.candidates import Candidate, Gathered
from augmenter.query import Query
from augmenter.signals import members, mentioned, naming, relations, shape, text
from knowledge.settings import ChannelSettings

VERSION = 1  # raised when a signal comes to mean something else: weights fitted before do not hold then
# Words are measured by the best candidate, but by no less than this share of all that words could give: of
# a task whose words are hardly here, the best is not good, and a line of its traceback says more.
LITTLE = 0.15
HISTORY = ("history", "history_total", "history_file")
DISPATCHES = "dispatches"  # weighed by hand: see augmenter.profiles
# All that can be fitted, in the order in which they are given.
FITTED = (
    *text.SIGNALS,
    *naming.SIGNALS,
    *mentioned.SIGNALS,
    *shape.SIGNALS,
    *HISTORY,
    *members.SIGNALS,
    *relations.SIGNALS,
)
# What a candidate is like may speak against it; what answers a task may not, whatever a fit makes of signals
# that say nearly the same: nobody would understand why a word in its name counts against a function.
MAY_SPEAK_AGAINST = frozenset(shape.SIGNALS)
Signals = dict[str, float]
_Source = Callable[[Candidate], Iterable[tuple[str, float]]]


def signals_of(gathered: Gathered, query: Query, switches: ChannelSettings) -> list[Signals]:
    """The signals of each candidate, in the candidates' order."""
    candidates = gathered.candidates
    scores = [c.lexical.score for c in (*candidates, *gathered.cards) if c.lexical]
    best = max(scores, default=0.0)
    scale = max(best, LITTLE * query.mass)
    sources: list[_Source] = [
        text.TextSignals(query, scale),
        naming.NamingSignals(query),
        mentioned.mention_signals,
        shape.ShapeSignals(candidates, explains=query.explains),
        _PastSignals(gathered),
    ]
    if switches.members:
        sources.append(members.MemberSignals(candidates, gathered.cards, scale))
    if switches.relations:
        sources.append(relations.RelationSignals(candidates, best))
    return [
        {name: value for source in sources for name, value in source(candidate) if value}
        for candidate in candidates
    ]


class _PastSignals:
    """What past commits and dispatches say."""

    def __init__(self, gathered: Gathered) -> None:
        self._files = gathered.past.files

    def __call__(self, candidate: Candidate) -> Iterator[tuple[str, float]]:
        if candidate.history:
            yield "history", candidate.history.strength
            yield "history_total", min(1.0, candidate.history.total)
        if candidate.evidence.path in self._files:
            yield "history_file", self._files[candidate.evidence.path]
        if candidate.used:
            yield DISPATCHES, min(1.0, candidate.used.total)
