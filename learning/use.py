"""The first detector of use: did the change take up what was offered?

Two signs, each weak alone and kept apart: an offered item's identifier that is new in the change, and a
change to the very lines of an offered item.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from knowledge.errors import LedgerError
from knowledge.types import Kind
from learning.diff import Diff, DiffLine, FileDiff
from receipts.records import GuidanceRecord, HowUsed, OfferedRecord, Receipt, UsedItem

_IDENTIFIER = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")
_SEPARATOR = re.compile(r"(?:\.|::|->|#|/)")
# A section's name is its heading and a module's its path: no identifiers.
_NAMED_KINDS = (Kind.UNIT, Kind.CLASS)
# Between the parts of a qualified name as code writes it.
_JOINED = r"\s*(?:\.|::|->|#)\s*"
# A shorter name says too little by itself: it counts only together with the name it is qualified by.
SHORTEST_NAME = 4
# Names that any change may bring in, whatever was offered: likewise.
_GENERIC = """
__call__ __enter__ __eq__ __exit__ __hash__ __init__ __iter__ __len__ __new__ __repr__ __str__
apply build call check clear close constructor copy create data default delete display dump equals error
exec execute filter find from getName handle hashCode hash index init insert invoke items keys length
list load main name next open parse path post print process push read register remove render reset result
save send setup setUp size start state status stop string tearDown test toString type update validate
value values wait write
"""
GENERIC_NAMES = frozenset(_GENERIC.split())
# More places than this tell nothing more.
_MOST_PLACES = 5


def detect_use(
    offered: Sequence[OfferedRecord],
    diff: Diff,
    task: str,
    before: Mapping[str, str] | None = None,
) -> tuple[UsedItem, ...]:
    """Which offered items the change used, and how that shows, in the order of ``offered``.

    An identifier counts when it stands as a whole in added lines of a file, and neither in the task, nor
    in the context of that file, nor in any removed line: what was asked for, was there before, or only
    moved, is no sign of use. A generic or short name must stand there qualified.

    A location counts when a line of the item was removed or changed, or lines were added between its
    first and its last line. Lines added right after its last line don't count: they may be its end or
    its new neighbour.

    Rules and warnings are not looked for: following one leaves no trace of its name, and whoever edits
    its file has not followed it.

    Args:
        offered: the items, with paths and lines as they were before the change.
        diff: the change.
        task: the task's text.
        before: text of changed files before the change, by path, when the diff shows only part of them.

    Returns:
        At most one entry for each item and sign, with up to five places, ``path:line``, of the changed
        file for an identifier and of the file before for a location.
    """
    new = _NewCode(diff, task, before or {})
    used: list[UsedItem] = []
    for item in offered:
        if isinstance(item, GuidanceRecord):
            continue
        if item.kind in _NAMED_KINDS and (places := new.places_of(item.name)):
            used.append(_used(item, "identifier", places))
        if places := _changed_lines(item, diff):
            used.append(_used(item, "location", places))
    return tuple(used)


def stated_use(receipt: Receipt, hashes: Iterable[str]) -> tuple[UsedItem, ...]:
    """The offered items that somebody says were used, in the order of the brief.

    Args:
        receipt: what was offered.
        hashes: pattern hashes, or unambiguous beginnings of them, with or without the algorithm's name.

    Raises:
        LedgerError: a hash names none of the offered items, or more than one.
    """
    chosen = {_named(receipt, text).pattern_hash for text in hashes}
    return tuple(_used(item, "stated", []) for item in receipt.items if item.pattern_hash in chosen)


def _named(receipt: Receipt, text: str) -> OfferedRecord:
    digest = text.split(":", 1)[-1]
    matches = {
        item.pattern_hash: item
        for item in receipt.items
        if digest and item.pattern_hash.split(":", 1)[-1].startswith(digest)
    }
    if len(matches) != 1:
        raise LedgerError(
            f"'{text}' names {len(matches) or 'none'} of the items this dispatch offered",
            where=receipt.dispatch_id,
            remedy="Take a pattern hash from 'prebrief receipts show'",
        )
    return next(iter(matches.values()))


def _used(item: OfferedRecord, how: HowUsed, places: list[str]) -> UsedItem:
    places_kept = tuple(places[:_MOST_PLACES])
    return UsedItem(pattern_hash=item.pattern_hash, id=item.id, how=how, where=places_kept)


class _NewCode:
    """What a diff brings that was not there before, file by file."""

    def __init__(self, diff: Diff, task: str, before: Mapping[str, str]) -> None:
        removed = [line.text for file in diff.files for line in file.of_kind("removed")]
        self._known = "\n".join([task, *removed])
        self._known_names = set(_IDENTIFIER.findall(self._known))
        self._files = [_NewFile(file, before.get(file.old_path or "", "")) for file in diff.files]

    def places_of(self, name: str) -> list[str]:
        """Where an item's name is new, in order."""
        parts = [part for part in _SEPARATOR.split(name) if part]
        if not parts or not _IDENTIFIER.fullmatch(parts[-1]):
            return []
        if len(parts[-1]) >= SHORTEST_NAME and parts[-1] not in GENERIC_NAMES:
            if parts[-1] in self._known_names:
                return []
            return [place for file in self._files for place in file.places_of_name(parts[-1])]
        if len(parts) < 2:
            return []
        pattern = re.compile(rf"(?<![\w$]){_JOINED.join(re.escape(part) for part in parts[-2:])}(?![\w$])")
        if pattern.search(self._known):
            return []
        return [place for file in self._files for place in file.places_of_pattern(pattern)]


class _NewFile:
    """One file's added lines, by identifier, and what stood in it before."""

    def __init__(self, file: FileDiff, before: str) -> None:
        self._path = file.new_path or ""
        self._known = "\n".join([before, *(line.text for line in file.of_kind("context"))])
        self._added = list(file.of_kind("added"))
        self._lines: dict[str, list[int]] = {}
        for line in self._added:
            for name in dict.fromkeys(_IDENTIFIER.findall(line.text)):
                self._lines.setdefault(name, []).append(line.new)
        for name in _IDENTIFIER.findall(self._known):
            self._lines.pop(name, None)

    def places_of_name(self, name: str) -> list[str]:
        return [f"{self._path}:{number}" for number in self._lines.get(name, ())]

    def places_of_pattern(self, pattern: re.Pattern[str]) -> list[str]:
        if pattern.search(self._known):
            return []
        return [f"{self._path}:{line.new}" for line in self._added if pattern.search(line.text)]


def _changed_lines(item: OfferedRecord, diff: Diff) -> list[str]:
    touched = {
        line.old
        for file in diff.files
        if file.old_path == item.path
        for line in file.lines
        if _touches(line, item.start, item.end)
    }
    return [f"{item.path}:{number}" for number in sorted(touched)]


def _touches(line: DiffLine, start: int, end: int) -> bool:
    if line.kind == "removed":
        return start <= line.old <= end
    return line.kind == "added" and start <= line.old < end
