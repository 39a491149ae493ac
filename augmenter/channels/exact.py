"""The exact channel: what the task mentions by name, path or traceback line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from augmenter.mentions import Mention, MentionKind
from knowledge.catalog.reader import CatalogReader
from knowledge.types import Evidence, Kind

MAX_NAMESAKES = 40  # a name that more things bear than this tells nothing by itself
MAX_MENTIONS = 60  # a pasted log names hundreds of things; the first ones matter
MAX_TAIL = 12  # folders of a mentioned path that are looked at, from its end
MAX_PER_FILE = 3  # a traceback line lies in a method, its class and its module

STRENGTH = {  # how sure a mention of each kind points at what the task is about
    MentionKind.FRAME: 0.9,
    MentionKind.PATH: 0.8,
    MentionKind.QUOTED: 1.0,
    MentionKind.DOTTED: 0.9,
    MentionKind.CALL: 0.7,
    MentionKind.BARE: 0.6,
}
IN_CODE = 0.5  # names in a reproduction are incidental more often than in prose
CASE_DIFFERS = 0.7  # `Close` for `close` is probably, not surely, meant
QUALIFIED = 1.3  # `EventStream.close` says more than `close`


@dataclass(frozen=True, slots=True)
class ExactHit:
    """A candidate by mention.

    Attributes:
        rowid: in the catalog.
        strength: how surely it is meant, above 0; mentions add up.
        reason: the strongest mention, in words.
        by_path: whether its file is mentioned: then it is asked for, whatever kind of source it is.
    """

    rowid: int
    strength: float
    reason: str
    by_path: bool = False


@dataclass(slots=True)
class _Tally:
    strength: float = 0.0
    best: float = 0.0
    reason: str = ""
    by_path: bool = False

    def add(self, strength: float, reason: str, *, by_path: bool) -> None:
        """Count one mention."""
        self.strength += strength
        self.by_path |= by_path
        if strength > self.best:
            self.best, self.reason = strength, reason


def exact(mentions: Iterable[Mention], reader: CatalogReader) -> tuple[list[ExactHit], dict[int, Evidence]]:
    """Everything mentioned, unordered, and its evidence."""
    tallies: dict[int, _Tally] = {}
    known: dict[int, Evidence] = {}
    for mention in list(mentions)[:MAX_MENTIONS]:
        base = STRENGTH[mention.kind] * (IN_CODE if mention.in_code else 1.0)
        found = _by_path(mention, reader, known) if mention.path else _by_name(mention, reader, known)
        share = base / (len(found) ** 0.5) if found else 0.0
        for rowid, factor, reason in found:
            tallies.setdefault(rowid, _Tally()).add(share * factor, reason, by_path=bool(mention.path))
    hits = [ExactHit(rowid, tally.strength, tally.reason, tally.by_path) for rowid, tally in tallies.items()]
    return hits, known


def _by_name(
    mention: Mention, reader: CatalogReader, known: dict[int, Evidence]
) -> list[tuple[int, float, str]]:
    """The things that bear the longest suffix of the mentioned name that anything bears."""
    parts = mention.name.strip("$").split(".")
    for start in range(len(parts)):
        suffix = ".".join(parts[start:])
        rowids = reader.named(suffix.lower(), MAX_NAMESAKES + 1)
        if not rowids:
            continue
        if len(rowids) > MAX_NAMESAKES:
            return []
        _learn(rowids, reader, known)
        owners = [part.lower() for part in parts[:start]]
        fitting = [rowid for rowid in rowids if _in_scope(known[rowid], owners)]
        qualified = QUALIFIED if len(parts) - start > 1 or (owners and fitting) else 1.0
        return [
            (
                rowid,
                qualified * _case(known[rowid].name, suffix),
                f"mentioned as {mention.kind.value} {mention.name}",
            )
            for rowid in (fitting or ([] if owners and len(rowids) > 1 else rowids))
        ]
    return []


def _by_path(
    mention: Mention, reader: CatalogReader, known: dict[int, Evidence]
) -> list[tuple[int, float, str]]:
    """The unit at a mentioned line, or the file's card; the mentioned path may be longer or shorter."""
    cards = _files_like(mention.path, reader)
    where = f"{mention.path}:{mention.line}" if mention.line else mention.path
    reason = f"mentioned as {mention.kind.value} {where}"
    _learn(cards, reader, known)
    cards = [rowid for rowid in cards if _agree(known[rowid].path, mention.path)]
    if not mention.line or len(cards) != 1:
        return [(rowid, 1.0, reason) for rowid in cards]
    inside = reader.in_file(known[cards[0]].path, mention.line, mention.line, MAX_PER_FILE)
    _learn(inside, reader, known)
    units = [rowid for rowid in inside if known[rowid].kind is Kind.UNIT]
    named = mention.name.rpartition(".")[2]
    return [
        (rowid, QUALIFIED if named and known[rowid].name.endswith(named) else 1.0, reason)
        for rowid in units or cards
    ]


def _agree(path: str, mentioned: str) -> bool:
    """Whether two paths of files with the same name may be one.

    The name is enough only when one of them says no more: ``json/decoder.py`` of a traceback is not the
    ``src/decoder.py`` of this repository. A package may be installed elsewhere than it is laid out.
    """
    mine, theirs = PurePosixPath(path.lower()).parts, PurePosixPath(mentioned.lower()).parts
    return min(len(mine), len(theirs)) == 1 or mine[-2] == theirs[-2]


def _files_like(path: str, reader: CatalogReader) -> list[int]:
    """The cards of the files whose path ends in the longest tail of ``path`` that any does."""
    parts = PurePosixPath(path.lower()).parts[-MAX_TAIL:]
    for start in range(len(parts)):
        rowids = reader.named("/".join(parts[start:]), MAX_NAMESAKES + 1)
        if rowids:
            return rowids if len(rowids) <= MAX_NAMESAKES else []
    return []


def _learn(rowids: list[int], reader: CatalogReader, known: dict[int, Evidence]) -> None:
    known.update(reader.evidence([rowid for rowid in rowids if rowid not in known]))


def _in_scope(evidence: Evidence, owners: list[str]) -> bool:
    """Whether the names before the found suffix stand in the thing's path or enclosing names."""
    if not owners:
        return True
    path = PurePosixPath(evidence.path.lower())
    around = {*path.with_suffix("").parts, *evidence.name.lower().split(".")}
    return owners[-1] in around


def _case(name: str, suffix: str) -> float:
    return 1.0 if name == suffix or name.endswith(f".{suffix}") else CASE_DIFFERS
