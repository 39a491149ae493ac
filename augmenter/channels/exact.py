"""The exact channel: what the task mentions by name, path or traceback line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
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
    MentionKind.ALIAS: 0.7,  # people say what it stands for, but may not mean it
}
IN_CODE_KIND = "code"  # of names in samples, whatever their form
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
        by_kind: strength by kind of mention; that of names in samples of code under ``code``.
    """

    rowid: int
    strength: float
    reason: str
    by_path: bool = False
    by_kind: Mapping[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class _Tally:
    strength: float = 0.0
    best: float = 0.0
    reason: str = ""
    by_path: bool = False
    by_kind: dict[str, float] = field(default_factory=dict)

    def add(self, strength: float, reason: str, mention: Mention) -> None:
        """Count one mention."""
        self.strength += strength
        self.by_path |= bool(mention.path)
        kind = IN_CODE_KIND if _is_incidental(mention) else mention.kind.value
        self.by_kind[kind] = self.by_kind.get(kind, 0.0) + strength
        if strength > self.best:
            self.best, self.reason = strength, reason


@dataclass(slots=True)
class _Asked:
    """What a mention may stand for, as far as keys tell.

    Attributes:
        mention: as in the task.
        rowids: what bears the name, or the cards of the files of such a path.
        owners: the parts of the name that nothing bears, before those that something does.
        inside: what lies at the mentioned line.
    """

    mention: Mention
    rowids: list[int]
    owners: list[str] = field(default_factory=list)
    inside: list[int] = field(default_factory=list)


def exact(mentions: Iterable[Mention], reader: CatalogReader) -> tuple[list[ExactHit], dict[int, Evidence]]:
    """Everything mentioned, unordered, and its evidence.

    What all mentions may stand for is read at once: a long task has dozens of them.
    """
    asked = [_look_up(mention, reader) for mention in list(mentions)[:MAX_MENTIONS]]
    known = reader.evidence({rowid for one in asked for rowid in one.rowids})
    for one in asked:
        if one.mention.path:
            _look_inside(one, known, reader)
    known |= reader.evidence({rowid for one in asked for rowid in one.inside})
    tallies: dict[int, _Tally] = {}
    for one in asked:
        mention = one.mention
        base = STRENGTH[mention.kind] * (IN_CODE if _is_incidental(mention) else 1.0)
        found = _by_path(one, known) if mention.path else _by_name(one, known)
        share = base / (len(found) ** 0.5) if found else 0.0
        for rowid, factor, reason in found:
            tallies.setdefault(rowid, _Tally()).add(share * factor, reason, mention)
    hits = [
        ExactHit(rowid, tally.strength, tally.reason, tally.by_path, tally.by_kind)
        for rowid, tally in tallies.items()
    ]
    return hits, known


def _is_incidental(mention: Mention) -> bool:
    """Whether it stands in code that was pasted for another reason; a traceback is pasted for its frames."""
    return mention.in_code and mention.kind is not MentionKind.FRAME


def _look_up(mention: Mention, reader: CatalogReader) -> _Asked:
    """What the longest tail of a mentioned path, or suffix of a name, that anything bears stands for."""
    if mention.path:
        parts, joint = list(PurePosixPath(mention.path.lower()).parts[-MAX_TAIL:]), "/"
    else:
        parts, joint = mention.name.lower().strip("$").split("."), "."
    for start in range(len(parts)):
        rowids = reader.named(joint.join(parts[start:]), MAX_NAMESAKES + 1)
        if rowids:
            return _Asked(mention, rowids if len(rowids) <= MAX_NAMESAKES else [], parts[:start])
    return _Asked(mention, [])


def _look_inside(asked: _Asked, known: Mapping[int, Evidence], reader: CatalogReader) -> None:
    """Leave only files that the path may mean; when it is one, look what lies at the mentioned line."""
    mention, theirs = asked.mention, PurePosixPath(asked.mention.path.lower()).parts
    asked.rowids = [rowid for rowid in asked.rowids if _agree(known[rowid].path, theirs)]
    if mention.line and len(asked.rowids) == 1:
        path = known[asked.rowids[0]].path
        asked.inside = reader.in_file(path, mention.line, mention.line, MAX_PER_FILE)


def _by_name(asked: _Asked, known: Mapping[int, Evidence]) -> list[tuple[int, float, str]]:
    """The things that bear the longest suffix of the mentioned name that anything bears."""
    mention, owners, rowids = asked.mention, asked.owners, asked.rowids
    parts = mention.name.strip("$").split(".")[len(owners) :]
    fitting = [rowid for rowid in rowids if _in_scope(known[rowid], owners)]
    qualified = QUALIFIED if len(parts) > 1 or (owners and fitting) else 1.0
    suffix, reason = ".".join(parts), f"mentioned as {mention.kind.value} {mention.name}"
    return [
        (rowid, qualified * _case(known[rowid].name, suffix), reason)
        for rowid in (fitting or ([] if owners and len(rowids) > 1 else rowids))
    ]


def _by_path(asked: _Asked, known: Mapping[int, Evidence]) -> list[tuple[int, float, str]]:
    """The unit at a mentioned line, or the file's card; the mentioned path may be longer or shorter."""
    mention = asked.mention
    where = f"{mention.path}:{mention.line}" if mention.line else mention.path
    reason = f"mentioned as {mention.kind.value} {where}"
    units = [rowid for rowid in asked.inside if known[rowid].kind is Kind.UNIT]
    is_one_place = mention.line and len(asked.rowids) == 1
    named = mention.name.rpartition(".")[2] if is_one_place else ""
    return [
        (rowid, QUALIFIED if named and known[rowid].name.endswith(named) else 1.0, reason)
        for rowid in units or asked.rowids
    ]


def _agree(path: str, theirs: tuple[str, ...]) -> bool:
    """Whether a path and the parts of a mentioned one, of files with the same name, may be one.

    The name is enough only when one of them says no more: ``json/decoder.py`` of a traceback is not the
    ``src/decoder.py`` of this repository. A package may be installed elsewhere than it is laid out.
    """
    mine = path.lower().split("/")
    return min(len(mine), len(theirs)) == 1 or mine[-2] == theirs[-2]


def _in_scope(evidence: Evidence, owners: list[str]) -> bool:
    """Whether the names before the found suffix stand in the thing's path or enclosing names."""
    if not owners:
        return True
    path = PurePosixPath(evidence.path.lower())
    around = {*path.with_suffix("").parts, *evidence.name.lower().split(".")}
    return owners[-1] in around


def _case(name: str, suffix: str) -> float:
    return 1.0 if name == suffix or name.endswith(f".{suffix}") else CASE_DIFFERS
