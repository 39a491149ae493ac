"""From commits to verdicts: what each says, then which files it changed, then which functions.

Each look costs more than the one before, and few commits come as far as the last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from evals.cases import Answer
from evals.mining.functions import Function, compare
from evals.mining.messages import by_bot, kind_of, task_of
from evals.mining.objects import Change, Objects
from evals.mining.reasons import Reason
from evals.mining.verdicts import Kept, Verdict
from evals.mining.versions import Versions
from indexer.format_names import PROSE, format_of
from indexer.languages import BY_NAME, language_of
from indexer.recipe import ParseContext, may_have_language
from indexer.runs.pool import Pool
from indexer.sources.classify import source_kind
from indexer.sources.history import CommitTouch
from indexer.sources.walk import patterns
from knowledge.types import SourceKind

MINER_VERSION = 1  # raise it when the same commit would be judged otherwise
MAX_FILES = 5  # of code that a commit changes; of more it is a sweep, whatever it says
MAX_PATHS = 40  # that it touches at all, tests and documents with them
MAX_FUNCTIONS = 5
BATCH = 8  # commits looked at together: work for both processors, little of it in vain at the end
# Functions that are new, for each that is changed. Of a commit that mostly writes new code, what it changes
# is the place where that is called: an answer to no task that its message states.
MAX_NEW = 2
NEW_FILE = 3  # functions that a file counts as of which there is but one version


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A commit whose message is a task and that changed a few files of code.

    Attributes:
        touch: the commit.
        task: its message, cleaned.
        changes: the files of code that both its parent and itself have.
        unpaired: how many only one of both has.
    """

    touch: CommitTouch
    task: str
    changes: tuple[Change, ...]
    unpaired: int

    def verdict(self, reason: Reason | None, answers: Iterable[Answer] = ()) -> Verdict:
        commit, parent = self.touch.commit, self.touch.parents[0]
        return (
            Verdict(commit, parent, reason)
            if reason
            else Verdict(commit, parent, None, self.task, tuple(answers))
        )


class Miner:
    """Judges commits.

    Args:
        objects: of the repository.
        context: the settings say which files are indexed, and which of them are implementation.
        pool: workers that run `parse_version`.
        kept: what is known of commits, and will be.
    """

    def __init__(self, objects: Objects, context: ParseContext, pool: Pool, kept: Kept | None = None) -> None:
        self._objects = objects
        self._settings = context.settings.index
        self._include = patterns(self._settings.include, "index.include")
        self._exclude = patterns(self._settings.exclude, "index.exclude")
        self._kept = kept
        self._versions = Versions(objects, pool, self._settings)

    def verdicts(self, touches: Iterable[CommitTouch]) -> Iterator[Verdict]:
        """One verdict for each commit, in their order. A message that came before makes no second case."""
        tasks: set[str] = set()
        for verdict in self._in_batches(touches):
            if verdict.task in tasks:
                yield Verdict(verdict.commit, verdict.parent, Reason.DUPLICATE)
                continue
            if verdict.reason is None:
                tasks.add(verdict.task)
            yield verdict

    def _in_batches(self, touches: Iterable[CommitTouch]) -> Iterator[Verdict]:
        waiting: list[Verdict | _Candidate] = []
        for touch in touches:
            waiting.append(self._at_first_sight(touch))
            if sum(isinstance(one, _Candidate) for one in waiting) >= BATCH:
                yield from self._settled(waiting)
                waiting = []
        yield from self._settled(waiting)

    def _at_first_sight(self, touch: CommitTouch) -> Verdict | _Candidate:
        """The verdict, if message and paths tell it or it is known, else a candidate."""
        parent = touch.parents[0] if touch.parents else ""
        if reason := self._reason_told(touch):
            return Verdict(touch.commit, parent, reason)
        if self._kept and (known := self._kept.get(touch.commit)):
            return known
        task = task_of(touch.message, touch.paths)
        if not task:
            return Verdict(touch.commit, parent, Reason.UNINFORMATIVE)
        if by_bot(self._objects.author(touch.commit)):
            return Verdict(touch.commit, parent, Reason.BOT)
        changes = self._objects.changes(parent, touch.commit)
        paired = tuple(one for one in changes if self._is_code(one.path))
        return _Candidate(touch, task, paired, sum(map(self._is_code, touch.paths)) - len(paired))

    def _reason_told(self, touch: CommitTouch) -> Reason | None:
        if len(touch.parents) != 1:
            return Reason.MERGE if touch.parents else Reason.NO_PARENT
        if reason := kind_of(touch.message, touch.paths):
            return reason
        code = [path for path in touch.paths if self._is_code(path)]
        if not code:
            return _without_code(touch.paths, self._kind)
        too_many = len(code) > MAX_FILES or len(touch.paths) > MAX_PATHS
        return Reason.TOO_MANY_FILES if too_many else None

    def _is_code(self, path: str) -> bool:
        """Whether a file is program code that is indexed as implementation, by its path."""
        language = language_of(path)
        if language not in BY_NAME and (language or not may_have_language(path)):
            return False
        if not _is_text(path):
            return False
        if self._include and not self._include.match_file(path):
            return False
        if self._exclude and self._exclude.match_file(path):
            return False
        return self._kind(path) is SourceKind.IMPLEMENTATION

    def _kind(self, path: str) -> SourceKind:
        return source_kind(path, "", self._settings)

    def _settled(self, waiting: list[Verdict | _Candidate]) -> list[Verdict]:
        """The verdicts, in order, after a look at the functions of all candidates together."""
        candidates = [one for one in waiting if isinstance(one, _Candidate)]
        changes = [change for one in candidates for change in one.changes]
        self._versions.learn((one.path, blob) for one in changes for blob in (one.old, one.new))
        judged = {one.touch.commit: self._judged(one) for one in candidates}
        if self._kept:
            lasting = (one for one in judged.values() if one.reason is not Reason.MISSING)
            self._kept.add(lasting)  # what is missing may be fetched before the next run
        return [judged[one.touch.commit] if isinstance(one, _Candidate) else one for one in waiting]

    def _judged(self, candidate: _Candidate) -> Verdict:
        answers: list[Answer] = []
        added = removed = 0
        is_same = candidate.unpaired == 0
        for change in candidate.changes:
            old, new = (self._versions.get(change.path, blob) for blob in (change.old, change.new))
            if isinstance(old, Reason) or isinstance(new, Reason):
                return candidate.verdict(old if isinstance(old, Reason) else Reason.UNPARSED)
            difference = compare(old, new)
            answers += (_answer(change.path, function) for function in difference.changed)
            added += difference.added
            removed += difference.removed
            is_same &= old.text == new.text
        if not answers:
            return candidate.verdict(Reason.FORMAT if is_same else Reason.NO_FUNCTION)
        return candidate.verdict(
            _unfit(len(answers), added + NEW_FILE * candidate.unpaired, removed), answers
        )


def _unfit(changed: int, added: int, removed: int) -> Reason | None:
    """Why the functions that were changed are no answer, by how many were."""
    if changed > MAX_FUNCTIONS:
        return Reason.TOO_MANY_FUNCTIONS
    if removed > changed:
        return Reason.REWRITE
    return Reason.NEW_CODE if added > MAX_NEW * changed else None


def _without_code(paths: Iterable[str], kind_of_path: Callable[[str], SourceKind]) -> Reason:
    """What a commit without code is about."""
    kinds = {kind_of_path(path) for path in paths if format_of(path) not in PROSE}
    if not kinds:
        return Reason.DOCUMENTATION
    return Reason.TESTS if kinds == {SourceKind.TEST} else Reason.NO_CODE


def _answer(path: str, function: Function) -> Answer:
    return Answer(function.id, path, function.name, function.start, function.end)


def _is_text(path: str) -> bool:
    """Whether a path is UTF-8; others are not indexed."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
