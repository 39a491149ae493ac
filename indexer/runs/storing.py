"""From an answered job into the catalog. Of two files that claim one id, the first by path has it."""

from __future__ import annotations

from dataclasses import replace

from indexer.runs.changes import Run
from indexer.runs.jobs import NOTHING, Job, Refusal
from indexer.sources.walk import SkipReason
from knowledge.catalog.packed import PackedFile, from_bytes
from knowledge.catalog.rows import FileRow
from knowledge.errors import SourceError
from knowledge.types import SourceKind


def store(run: Run, job: Job) -> None:
    """Put what a file gives into the catalog, and into the cache."""
    answer, row = job.answer, job.row
    if isinstance(answer, Refusal):
        _put(run, _refused(run, row, answer))
    elif answer and answer != NOTHING:
        if job.is_parsed:
            run.cache.put(row.blob, row.path, answer)
        _put(run, _dated(run, _settled(run, from_bytes(answer, row))))


def restamp(run: Run) -> None:
    """Write the rows of the files that this run did not write otherwise, where they have changed."""
    rows = (run.rows[path] for path in sorted(run.rows.keys() - run.written))
    run.writer.restamp(row for row in rows if run.known.get(row.path) != row)


def _settled(run: Run, packed: PackedFile) -> PackedFile:
    """The file without evidence if it loses an id to another; those that lose to it lose theirs."""
    path = packed.row.path
    while namesake := run.writer.namesake(packed):
        taken, other = namesake
        if other < path:
            return _without_evidence(run, packed.row, taken, other)
        loser = _without_evidence(run, run.rows.get(other, run.known[other]), taken, path)
        _put(run, loser)
        run.known[other] = loser.row  # if its own turn is still to come, it is read anew
    return packed


def _dated(run: Run, packed: PackedFile) -> PackedFile:
    """The file with the date that it had, until git's log says otherwise."""
    known = run.known.get(packed.row.path)
    if known is None or known.skip or packed.row.skip:
        return packed
    dated = replace(packed.row, last_commit=known.last_commit, last_commit_time=known.last_commit_time)
    return replace(packed, row=dated)


def _put(run: Run, packed: PackedFile) -> None:
    row = packed.row
    if not row.skip:
        run.problems.pop(row.path, None)
    for number, problem in enumerate(packed.problems):  # of parts of the file, which cost those alone
        run.problems[f"{row.path}\0{number:06}"] = problem
    if not (row.skip and row == run.known.get(row.path)):
        run.writer.replace(packed)
    run.rows[row.path] = row
    run.written.add(row.path)


def _refused(run: Run, row: FileRow, refusal: Refusal) -> PackedFile:
    if refusal.problem:
        run.problems[row.path] = refusal.problem
    # What could not be read is tried again in every run: permissions show in no stat that is compared.
    return PackedFile(replace(row, skip=refusal.reason.value, mtime_ns=row.mtime_ns if row.blob else 0))


def _without_evidence(run: Run, row: FileRow, taken: str, other: str) -> PackedFile:
    """What is left of the second file that claims an id, by path: looked at again in every run."""
    error = SourceError(
        f"the id '{taken}' is taken by {other}",
        where=row.path,
        remedy="Give one of the two files another id",
    )
    bare = FileRow(row.path, row.blob, row.size, 0, "", SourceKind.IMPLEMENTATION, inode=row.inode)
    return _refused(run, bare, Refusal(SkipReason.PARSE_FAILURE, str(error)))
