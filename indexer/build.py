"""A run of the indexer: what changed since the last one, and only that, in one transaction.

The flow: walk the tree → compare with the known files → forget what is gone → parse what changed → date the
files by git's log → write the fingerprint. Nothing is visible to readers before the commit; a crash leaves
the previous catalog whole. Whatever happened in between, a run ends in the catalog that a full one would
make, and a run that finds nothing to do writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from indexer.dating import date_files, observe
from indexer.decode import SkippedSource, read_source
from indexer.limits import limit_of
from indexer.parse import ParseContext, language_in, may_have_language, parse_file, recipe_of
from indexer.walk import SkipReason, SourceFile, Walk, walk
from knowledge.catalog import database
from knowledge.catalog.packed import pack
from knowledge.catalog.rows import FileRow, ParsedFile
from knowledge.catalog.writer import CatalogWriter
from knowledge.clock import Clock
from knowledge.errors import CatalogCorrupt, CatalogTooNew, SourceError
from knowledge.githead import head_stamp
from knowledge.hashing import fingerprint, git_blob_hash
from knowledge.project import Project, ensure_state
from knowledge.settings import Settings
from knowledge.settings_file import note_settings
from knowledge.taxonomy import load_taxonomy
from knowledge.types import SourceKind

RACY_NS = 20_000_000  # a file written within one clock tick of the run may change again unseen
COARSE_RACY_NS = 2_000_000_000  # file systems that keep whole seconds only
INODE_MASK = 2**63 - 1  # some file systems use 64 bits; SQLite's integers are signed

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
    """The state of one run.

    Attributes:
        context: what parsing depends on.
        writer: the catalog.
        started_ns: when it began.
        known: the files as the catalog has them.
        rows: the files as it will have them.
        parsed: paths of the files parsed in this run.
        problems: by path, what cost a file.
        removed: number of files forgotten.
    """

    context: ParseContext
    writer: CatalogWriter
    started_ns: int
    known: dict[str, FileRow]
    rows: dict[str, FileRow] = field(default_factory=dict)
    parsed: set[str] = field(default_factory=set)
    problems: dict[str, str] = field(default_factory=dict)
    removed: int = 0


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
        CatalogBusy: another run is at it.
        CatalogCorrupt, CatalogTooNew: the catalog cannot be continued; ``full`` would replace it.
        CatalogError: the catalog cannot be written.
    """
    began = clock.tick()
    context = ParseContext(settings, load_taxonomy(settings.taxonomy))
    ensure_state(project)
    with database.only_writer(project.catalog):
        try:
            report = _run(project, context, clock, progress, full=full)
        except (CatalogCorrupt, CatalogTooNew):
            if not full:
                raise
            database.remove(project.catalog)
            report = _run(project, context, clock, progress, full=full)
    return replace(report, seconds=clock.tick() - began)


def _run(
    project: Project, context: ParseContext, clock: Clock, progress: Progress, *, full: bool
) -> IndexReport:
    recipe = recipe_of(context)
    with CatalogWriter(project.catalog) as writer:
        meta = writer.meta()
        if full or meta.get("recipe") != recipe:
            writer.clear()
            meta = {}
        run = _Run(context, writer, int(clock.now() * 1e9), writer.files())
        state = observe(project, meta)  # before the walk: see GitState
        tree = walk(project, context.settings.index)
        _update(run, tree, progress)
        dated = date_files(project, state, run.rows, run.known, meta)
        writer.restamp(dated)
        run.rows.update((row.path, row) for row in dated)
        if head_stamp(project) != state.head_stamp:  # the dates may be of neither commit: once more next time
            state = replace(state, head="")
        result = _fingerprint(recipe, run.rows)
        noted = note_settings(project.view_root, context.settings)
        writer.set_meta({"recipe": recipe, "fingerprint": result, **state.meta(), **noted})
        return _report(run, result)


def _update(run: _Run, tree: Walk, progress: Progress) -> None:
    present = _compare(run, tree)
    _forget(run, sorted(run.known.keys() - present.keys() - run.rows.keys()))
    changed = [file for path, file in sorted(present.items()) if path not in run.rows]
    for file in progress(changed, len(changed), "Indexing"):
        parsed = _parse(run, file)
        if parsed is not None:
            _store(run, parsed)
    stamps = [run.rows[path] for path in sorted(run.rows.keys() - run.parsed)]
    run.writer.restamp(row for row in stamps if run.known.get(row.path) != row)


def _compare(run: _Run, tree: Walk) -> dict[str, SourceFile]:
    """Settle what needs no look at its content; returns the files that may be indexed, by path."""
    for skip in tree.skipped:
        run.rows[skip.path] = _skipped(skip.path, skip.reason)
    present: dict[str, SourceFile] = {}
    for file in tree.files:
        if not may_have_language(file.path):
            run.rows[file.path] = _skipped(file.path, SkipReason.UNSUPPORTED)
            continue
        run.rows.pop(file.path, None)  # an unreadable name that is printed like this one
        present[file.path] = file
        known = run.known.get(file.path)
        if known is not None and known.mtime_ns and _is_untouched(file, known):
            run.rows[file.path] = known
    overtaken = [path for path, row in sorted(run.rows.items()) if row.skip and path in run.known]
    run.writer.remove(path for path in overtaken if not run.known[path].skip)
    return present


def _forget(run: _Run, paths: list[str]) -> None:
    run.writer.remove(paths)
    run.removed += len(paths)


def _parse(run: _Run, file: SourceFile) -> ParsedFile | None:
    """The file's evidence; None when its content is what the catalog has, or when it has vanished."""
    known = run.known.get(file.path)
    row = FileRow(
        path=file.path,
        blob="",
        size=file.size,
        mtime_ns=_stamp(file, run.started_ns),
        language="",
        source_kind=SourceKind.IMPLEMENTATION,
        inode=file.inode & INODE_MASK,
    )
    try:
        data = read_source(file.absolute, limit_of(file.path, run.context.settings.index))
        row = replace(row, blob=git_blob_hash(data), size=len(data))
        if known is not None and known.blob == row.blob and not known.skip:
            run.rows[file.path] = replace(known, mtime_ns=row.mtime_ns, size=row.size, inode=row.inode)
            return None
        if language_in(file.path, data) is None:
            return ParsedFile(replace(row, skip=SkipReason.UNSUPPORTED.value))
        return parse_file(row, data, run.context)
    except FileNotFoundError:
        if known is not None:
            _forget(run, [file.path])
        return None
    except SkippedSource as error:
        return _refused(run, row, error, error.skip)
    except SourceError as error:
        return _refused(run, row, error, SkipReason.PARSE_FAILURE)


def _refused(run: _Run, row: FileRow, error: SourceError, reason: SkipReason) -> ParsedFile:
    run.problems[row.path] = str(error)
    # What could not be read is tried again in every run: permissions show in no stat that is compared.
    return ParsedFile(replace(row, skip=reason.value, mtime_ns=row.mtime_ns if row.blob else 0))


def _store(run: _Run, parsed: ParsedFile) -> None:
    path = parsed.row.path
    while namesake := run.writer.namesake(pack(parsed)):
        taken, other = namesake
        if other < path:
            parsed = _without_evidence(run, parsed.row, taken, other)
        else:
            loser = _without_evidence(run, run.rows.get(other, run.known[other]), taken, path)
            _put(run, loser)
            run.known[other] = loser.row  # if its own turn is still to come, it is read anew
    known = run.known.get(path)
    if known is not None and not known.skip and not parsed.row.skip:  # dated until git's log says otherwise
        row = replace(parsed.row, last_commit=known.last_commit, last_commit_time=known.last_commit_time)
        parsed = replace(parsed, row=row)
    _put(run, parsed)


def _put(run: _Run, parsed: ParsedFile) -> None:
    row = parsed.row
    if not row.skip:
        run.problems.pop(row.path, None)
    if not (row.skip and row == run.known.get(row.path)):
        run.writer.replace(parsed)
    run.rows[row.path] = row
    run.parsed.add(row.path)


def _without_evidence(run: _Run, row: FileRow, taken: str, other: str) -> ParsedFile:
    """What is left of the second file that claims an id, by path: looked at again in every run."""
    error = SourceError(
        f"the id '{taken}' is taken by {other}",
        where=row.path,
        remedy="Give one of the two files another id",
    )
    bare = FileRow(row.path, row.blob, row.size, 0, "", SourceKind.IMPLEMENTATION, inode=row.inode)
    return _refused(run, bare, error, SkipReason.PARSE_FAILURE)


def _is_untouched(file: SourceFile, row: FileRow) -> bool:
    seen = (file.mtime_ns, file.size, file.inode & INODE_MASK)
    return seen == (row.mtime_ns, row.size, row.inode)


def _stamp(file: SourceFile, started_ns: int) -> int:
    window = RACY_NS if file.mtime_ns % 1_000_000_000 else COARSE_RACY_NS
    return 0 if file.mtime_ns >= started_ns - window else file.mtime_ns


def _skipped(path: str, reason: SkipReason) -> FileRow:
    return FileRow(path, "", 0, 0, "", SourceKind.IMPLEMENTATION, reason.value)


def _fingerprint(recipe: str, rows: dict[str, FileRow]) -> str:
    def parts() -> Iterator[str]:
        yield recipe
        for path in sorted(rows):
            row = rows[path]
            yield from (path, row.blob, row.skip, row.last_commit)

    return fingerprint(parts())


def _report(run: _Run, result: str) -> IndexReport:
    counts = run.writer.counts()
    indexed = [path for path, row in run.rows.items() if not row.skip]
    changed = sum(path in run.parsed for path in indexed)
    return IndexReport(
        fingerprint=result,
        files=counts["languages"],
        kinds=counts["kinds"],
        skipped=counts["skipped"],
        events=counts["events"],
        changed=changed,
        removed=run.removed,
        unchanged=len(indexed) - changed,
        problems=tuple(run.problems[path] for path in sorted(run.problems)),
        seconds=0.0,
    )
