"""Versions of files, parsed in workers and remembered for a while."""

from __future__ import annotations

from collections.abc import Iterable

from evals.mining.functions import Version, version_of
from evals.mining.objects import Objects
from evals.mining.reasons import Reason
from indexer.runs.jobs import Job
from indexer.runs.pool import Pool
from indexer.sources.limits import limit_of
from knowledge.catalog.rows import FileRow
from knowledge.settings import IndexSettings
from knowledge.types import SourceKind

REMEMBERED = 256  # versions: what one commit has made, the next one above it changes


class Versions:
    """What versions of files hold, by path and the object name of their content.

    Args:
        objects: where they lie.
        pool: workers that run `evals.mining.functions.parse_version`.
        settings: say which files are too large.
    """

    def __init__(self, objects: Objects, pool: Pool, settings: IndexSettings) -> None:
        self._objects = objects
        self._pool = pool
        self._settings = settings
        self._known: dict[tuple[str, str], Version | Reason] = {}

    def learn(self, wanted: Iterable[tuple[str, str]]) -> None:
        """Parse what is not known, and forget what was learned long before."""
        asked = dict.fromkeys(wanted)
        for version in [one for one in self._known if one not in asked][
            : max(0, len(self._known) - REMEMBERED)
        ]:
            del self._known[version]
        jobs = (self._job(*version) for version in asked if version not in self._known)
        for job in self._pool.run(job for job in jobs if job):
            parsed = version_of(job.answer, job.row) if isinstance(job.answer, bytes) else Reason.UNPARSED
            self._known[job.row.path, job.row.blob] = parsed

    def get(self, path: str, blob: str) -> Version | Reason:
        """What was learned last: the version, or why there is none."""
        return self._known[path, blob]

    def _job(self, path: str, blob: str) -> Job | None:
        limit = limit_of(path, self._settings)
        data = self._objects.read(blob, limit + 1)
        if data is None or len(data) > limit:
            self._known[path, blob] = Reason.MISSING if data is None else Reason.UNPARSED
            return None
        return Job(FileRow(path, blob, len(data), 0, "", SourceKind.IMPLEMENTATION), data)
