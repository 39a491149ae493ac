"""Signals of mentions: how a candidate itself is named, by kind of mention."""

from __future__ import annotations

from collections.abc import Iterator

from augmenter.candidates import Candidate
from augmenter.channels.exact import IN_CODE_KIND
from augmenter.mentions import MentionKind

MOST = 2.0  # strength from which more mentions tell nothing more

ALIAS = f"mentioned_{MentionKind.ALIAS.value}"  # weighed by hand: repositories to learn from have no glossary
SIGNALS = (
    f"mentioned_{IN_CODE_KIND}",
    *(f"mentioned_{kind.value}" for kind in MentionKind if kind is not MentionKind.ALIAS),
)


def mention_signals(candidate: Candidate) -> Iterator[tuple[str, float]]:
    """What is not zero: strength by kind of mention, names in samples of code apart, each in [0, `MOST`]."""
    hit = candidate.exact
    if hit is None:
        return
    for kind, strength in hit.by_kind.items():
        yield f"mentioned_{kind}", min(MOST, strength)
