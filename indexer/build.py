"""A run of the indexer: what changed since the last one, and only that, in one transaction.

The flow: walk the tree → compare with the known files → parse what changed → forget what is gone →
date the files by git's log → write the fingerprint. Nothing is visible to readers before the commit; a
crash leaves the previous catalog whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from indexer.decode import read_source
from indexer.git import Repository
from indexer.history import History, last_touched
from indexer.languages import language_of
from indexer.parse import EXTRACTOR_VERSION, ParseContext, parse_file
from indexer.walk import SkipReason, SourceFile, Walk, walk
from knowledge.catalog import database
from knowledge.catalog.reader import CatalogReader
from knowledge.catalog.rows import FileRow, ParsedFile
from knowledge.catalog.writer import CatalogWriter
from knowledge.clock import Clock
from knowledge.errors import CatalogCorrupt, CatalogTooNew, SourceError
from knowledge.githead import index_stamp
from knowledge.hashing import fingerprint, git_blob_hash
from knowledge.project import Project, ensure_state
from knowledge.settings import Settings
from knowledge.taxonomy import load_taxonomy
from knowledge.types import SourceKind

RACY_NS = 20_000_000  # a file written within one clock tick of the run may change again unseen
COARSE_RACY_NS = 2_000_000_000  # file systems that keep whole seconds only

_Item = TypeVar("_Item")


class Progress(Protocol):
    """Shows how far a loop has come."""

    def __call__(self, items: Iterable[_Item], total: int, label: str) -> Iterable[_Item]:
        """The same items, shown as they pass."""


def silent(items: Iterable[_Item], total: int, label: str) -> Iterable[_Item]:  # noqa: ARG001 - see Progress
    """A `Progress` that shows nothing."""
    return items


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What a run did and what the catalog now holds.

    Attributes:
        fingerprint: of the catalog's content.
        files: indexed files by language.
        kinds: evidence by kind, parts not counted.
        skipped: files by reason.
        events: removals by hygiene, by kind.
        changed: files parsed in this run.
        removed: files forgotten in this run.
        unchanged: files left as they were.
        problems: what cost a file in this run, one text each.
        seconds: wall time.
    """

    fingerprint: str
    files: dict[str, int]
    kinds: dict[str, int]
    skipped: dict[str, int]
    events: dict[str, int]
    changed: int
    removed: int
    unchanged: int
    problems: tuple[str, ...]
    seconds: float


@dataclass(slots=True)
class _Run:
    """The state of one run."""

    context: ParseContext
    progress: Progress
    started_ns: int
    known: dict[str, FileRow]
    rows: dict[str, FileRow] = field(default_factory=dict)  # what the catalog will hold
    parsed: set[str] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)


def build_index(
    project: Project, settings: Settings, clock: Clock, *, progress: Progress = silent, full: bool = False
) -> IndexReport:
    """Bring a view's catalog up to date with its tree.

    Args:
        project: which view.
        settings: its settings.
        clock: for the duration, and to tell files that were written just now.
        progress: shows the parsing.
        full: forget the old catalog first, whatever state it is in.

    Raises:
        ProjectError, GitError: the tree cannot be seen; the catalog stays as it was.
        CatalogError: the catalog cannot be written.
    """
    began = clock.tick()
    ensure_state(project)
    tree = walk(project, settings.index)
    context = ParseContext(settings, load_taxonomy(settings.taxonomy))
    with _open(project, full=full) as writer:
        recipe = fingerprint(
            (str(EXTRACTOR_VERSION), settings.index_fingerprint, context.taxonomy.fingerprint)
        )
        meta = writer.meta()
        if full or meta.get("recipe") != recipe:
            writer.clear()
            meta = {}
        run = _Run(context, progress, int(clock.now() * 1e9), writer.files())
        _update(run, tree, writer)
        gone = sorted(run.known.keys() - run.rows.keys())
        writer.remove(gone)
        dated = _date_files(run, project, meta, writer)
        writer.set_meta({"recipe": recipe, "fingerprint": _fingerprint(recipe, run.rows), **dated})
    return _report(run, project, len(gone), clock.tick() - began)


def _open(project: Project, *, full: bool) -> CatalogWriter:
    try:
        return CatalogWriter(project.catalog)
    except (CatalogCorrupt, CatalogTooNew):
        if not full:
            raise
        database.remove(project.catalog)
        return CatalogWriter(project.catalog)


def _update(run: _Run, tree: Walk, writer: CatalogWriter) -> None:
    for skip in tree.skipped:
        run.rows[skip.path] = _skipped(skip.path, skip.reason)
    changed: list[SourceFile] = []
    for file in tree.files:
        known = run.known.get(file.path)
        if known is not None and known.mtime_ns == file.mtime_ns and known.size == file.size:
            run.rows[file.path] = known
        else:
            changed.append(file)
    for file in run.progress(changed, len(changed), "Indexing"):
        parsed = _parse(run, file)
        if parsed is not None:
            _store(run, parsed, writer)
    stamps = [
        row for path, row in sorted(run.rows.items()) if run.known.get(path) != row and path not in run.parsed
    ]
    writer.remove(row.path for row in stamps if row.skip and row.path in run.known)
    writer.restamp(stamps)


def _parse(run: _Run, file: SourceFile) -> ParsedFile | None:
    """The file's evidence; None when its content is what the catalog has, or when it has vanished."""
    row = FileRow(file.path, "", file.size, _stamp(file, run.started_ns), "", SourceKind.IMPLEMENTATION)
    if language_of(file.path) is None:
        return ParsedFile(replace(row, skip=SkipReason.UNSUPPORTED.value))
    try:
        data = read_source(file.absolute, run.context.settings.index.max_file_bytes)
        row = replace(row, blob=git_blob_hash(data), size=len(data))
        known = run.known.get(file.path)
        if known is not None and known.blob == row.blob and not known.skip:
            run.rows[file.path] = replace(known, mtime_ns=row.mtime_ns, size=row.size)
            return None
        return parse_file(row, data, run.context)
    except FileNotFoundError:
        return None
    except SourceError as error:
        run.problems.append(str(error))
        return ParsedFile(replace(row, skip=getattr(error, "skip", SkipReason.PARSE_FAILURE).value))


def _store(run: _Run, parsed: ParsedFile, writer: CatalogWriter) -> None:
    known = run.known.get(parsed.row.path)
    if known is not None:  # keep the date until git's log says otherwise
        row = replace(parsed.row, last_commit=known.last_commit, last_commit_time=known.last_commit_time)
        parsed = replace(parsed, row=row)
    try:
        writer.replace(parsed)
    except SourceError as error:
        run.problems.append(str(error))
        parsed = ParsedFile(replace(parsed.row, skip=SkipReason.PARSE_FAILURE.value))
        writer.replace(parsed)
    run.rows[parsed.row.path] = parsed.row
    run.parsed.add(parsed.row.path)


def _stamp(file: SourceFile, started_ns: int) -> int:
    window = RACY_NS if file.mtime_ns % 1_000_000_000 else COARSE_RACY_NS
    return 0 if file.mtime_ns >= started_ns - window else file.mtime_ns


def _skipped(path: str, reason: SkipReason) -> FileRow:
    return FileRow(path, "", 0, 0, "", SourceKind.IMPLEMENTATION, reason.value)


def _date_files(run: _Run, project: Project, meta: dict[str, str], writer: CatalogWriter) -> dict[str, str]:
    """Give every file the last commit that touched it; returns what dispatches compare with later."""
    if project.git_dir is None:
        return {"head": "", "as_of": "0", "git_index": ""}
    repository = Repository(project.view_root)
    head = repository.head()
    if head is None:
        return {"head": "", "as_of": "0", "git_index": index_stamp(project)}
    if head.commit != meta.get("head"):
        paths = sorted(path for path, row in run.rows.items() if not row.skip)
        history = last_touched(repository, paths, since=meta.get("head", ""))
        dated = [row for path in paths if (row := _dated(run.rows[path], history)) != run.rows[path]]
        run.rows.update((row.path, row) for row in dated)
        writer.restamp(dated)
    return {"head": head.commit, "as_of": str(head.time), "git_index": index_stamp(project)}


def _dated(row: FileRow, history: History) -> FileRow:
    touch = history.touches.get(row.path)
    if touch is not None:
        return replace(row, last_commit=touch.commit, last_commit_time=touch.time)
    return row if history.incremental else replace(row, last_commit="", last_commit_time=0)


def _fingerprint(recipe: str, rows: dict[str, FileRow]) -> str:
    def parts() -> Iterator[str]:
        yield recipe
        for path in sorted(rows):
            row = rows[path]
            yield from (path, row.blob, row.skip, row.last_commit)

    return fingerprint(parts())


def _report(run: _Run, project: Project, removed: int, seconds: float) -> IndexReport:
    with CatalogReader(project.catalog) as reader:
        counts = reader.counts()
        meta = reader.meta()
    return IndexReport(
        fingerprint=meta["fingerprint"],
        files=counts["languages"],
        kinds=counts["kinds"],
        skipped=counts["skipped"],
        events=counts["events"],
        changed=sum(1 for path in run.parsed if not run.rows[path].skip),
        removed=removed,
        unchanged=sum(1 for path, row in run.rows.items() if not row.skip and path not in run.parsed),
        problems=tuple(run.problems),
        seconds=seconds,
    )
