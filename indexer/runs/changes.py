"""What of a tree the catalog does not hold yet: by stamps first, then by content."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from indexer.recipe import ParseContext, language_in, may_have_language
from indexer.runs.jobs import NOTHING, Job, Refusal
from indexer.sources.decode import SkippedSource, read_source
from indexer.sources.limits import limit_of
from indexer.sources.walk import SkipReason, SourceFile, Walk
from knowledge.catalog.rows import FileRow
from knowledge.catalog.writer import CatalogWriter
from knowledge.hashing import git_blob_hash
from knowledge.parse_cache import ParseCache
from knowledge.types import SourceKind

RACY_NS = 20_000_000  # a file written within one clock tick of the run may change again unseen
COARSE_RACY_NS = 2_000_000_000  # file systems that keep whole seconds only


@dataclass(slots=True)
class Run:
    """The state of one run.

    Attributes:
        context: what parsing depends on.
        writer: the catalog.
        cache: what was parsed before.
        started_ns: when it began.
        known: the files as the catalog has them.
        rows: the files as it will have them.
        written: paths of the files that this run puts into the catalog.
        problems: by path, what cost a file; and by path, NUL and a number, what cost parts of one.
        removed: number of files forgotten.
    """

    context: ParseContext
    writer: CatalogWriter
    cache: ParseCache
    started_ns: int
    known: dict[str, FileRow]
    rows: dict[str, FileRow] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)
    problems: dict[str, str] = field(default_factory=dict)
    removed: int = 0


def compare(run: Run, tree: Walk) -> list[SourceFile]:
    """Settle what needs no look at its content, forget what is gone; returns the rest, by path."""
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
        if known is not None and known.mtime_ns and file.is_as(known):
            run.rows[file.path] = known
    overtaken = [path for path, row in sorted(run.rows.items()) if row.skip and path in run.known]
    run.writer.remove(path for path in overtaken if not run.known[path].skip)
    _forget(run, sorted(run.known.keys() - present.keys() - run.rows.keys()))
    return [file for path, file in sorted(present.items()) if path not in run.rows]


def read(run: Run, files: Iterable[SourceFile]) -> Iterator[Job]:
    """One job for each file, read when it is asked for; answered where nothing has to be parsed."""
    for file in files:
        yield _job(run, file)


def _job(run: Run, file: SourceFile) -> Job:
    row = FileRow(
        path=file.path,
        blob="",
        size=file.size,
        mtime_ns=_stamp(file, run.started_ns),
        language="",
        source_kind=SourceKind.IMPLEMENTATION,
        inode=file.inode,
    )
    known = run.known.get(file.path)
    try:
        data = read_source(file.absolute, limit_of(file.path, run.context.settings.index))
    except FileNotFoundError:
        if known is not None:
            _forget(run, [file.path])
        return Job(row, answer=NOTHING)
    except SkippedSource as error:
        return Job(row, answer=Refusal(error.skip, "" if error.on_purpose else str(error)))
    row = replace(row, blob=git_blob_hash(data), size=len(data))
    if known is not None and known.blob == row.blob and not known.skip:
        run.rows[file.path] = replace(known, mtime_ns=row.mtime_ns, size=row.size, inode=row.inode)
        return Job(row, answer=NOTHING)
    if language_in(file.path, data) is None:
        return Job(row, answer=Refusal(SkipReason.UNSUPPORTED))
    packed = run.cache.get(row.blob, row.path)
    return Job(row, answer=packed) if packed else Job(row, data)


def _forget(run: Run, paths: list[str]) -> None:
    run.writer.remove(paths)
    run.removed += len(paths)


def _stamp(file: SourceFile, started_ns: int) -> int:
    window = RACY_NS if file.mtime_ns % 1_000_000_000 else COARSE_RACY_NS
    return 0 if file.mtime_ns >= started_ns - window else file.mtime_ns


def _skipped(path: str, reason: SkipReason) -> FileRow:
    return FileRow(path, "", 0, 0, "", SourceKind.IMPLEMENTATION, reason.value)
