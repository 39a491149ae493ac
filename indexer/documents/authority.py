"""How much a file's statements bind, and whether they hold: by what it declares and where it lies."""

from __future__ import annotations

from pathlib import PurePosixPath

from indexer.documents.declared import Declared
from indexer.format_names import PROSE
from knowledge.catalog.rows import FileRow
from knowledge.types import Authority, Kind, SourceKind, Status

_DECISIONS = "decision"
_PROPOSALS = "proposal"
# What the documents of a folder are, by its name; the innermost that is named here decides.
_FOLDERS: dict[str, str | Authority] = {
    folder: meaning
    for meaning, folders in (
        (_DECISIONS, "adr adrs decision decisions decision-records architecture-decisions"),
        (_PROPOSALS, "rfc rfcs proposal proposals design-proposals peps keps enhancements"),
        (Authority.POLICY, "policy policies"),
        (Authority.PROCEDURE, "runbook runbooks playbook playbooks howto how-to"),
        (Authority.REVIEWED_NOTE, "notes meeting-notes meetings minutes journal postmortems"),
    )
    for folder in folders.split()
}
_DOCUMENT_KINDS = (Kind.SECTION, Kind.DOCUMENT)


def status_in(row: FileRow, declared: Declared) -> Status:
    """Whether a file's statements still hold.

    A line ``Status: …`` in the text counts in decisions and proposals alone: elsewhere it may be of anything.
    """
    is_record = _folder(row.path) in (_DECISIONS, _PROPOSALS)
    return declared.status or (declared.record_status if is_record else None) or Status.CURRENT


def authority_in(row: FileRow, kind: Kind, declared: Declared) -> Authority:
    """How much a file's statements of a kind bind; never more than its folder or front matter warrants."""
    if row.source_kind is SourceKind.GENERATED:
        return Authority.GENERATED
    if row.source_kind is SourceKind.VENDORED:
        return Authority.UNTRUSTED
    if kind not in _DOCUMENT_KINDS or row.language not in PROSE:
        return Authority.IMPLEMENTATION
    return declared.authority or _authority_by_folder(row, declared)


def _authority_by_folder(row: FileRow, declared: Declared) -> Authority:
    folder = _folder(row.path)
    if isinstance(folder, Authority):
        return folder
    status = declared.status or declared.record_status
    if folder == _DECISIONS:  # kept there, it is decided, unless it says that it isn't yet, or isn't at all
        is_open = status in (Status.DRAFT, Status.DEPRECATED)
        return Authority.REVIEWED_NOTE if is_open else Authority.ACCEPTED_DECISION
    if folder == _PROPOSALS:  # kept there, it is proposed, unless it says that it is accepted
        return Authority.ACCEPTED_DECISION if status is Status.CURRENT else Authority.REVIEWED_NOTE
    return Authority.PROCEDURE


def _folder(path: str) -> str | Authority:
    names = PurePosixPath(path.lower()).parts[:-1]
    return next((_FOLDERS[name] for name in reversed(names) if name in _FOLDERS), "")
