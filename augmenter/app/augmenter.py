"""`Augmenter`: the library's face, and the composition root of a dispatch."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from operator import call
from pathlib import Path
from typing import TYPE_CHECKING

from augmenter.app.ask import Ask, request_for, request_of
from augmenter.app.logs import Log
from augmenter.app.repeats import Answer, Repeats
from augmenter.app.roles import in_role
from augmenter.app.session import Session
from augmenter.augment import Request, Stopwatch, augment, rank
from augmenter.brief import Brief, Degraded, degradation, offered_record, passed_through
from augmenter.candidates import Filters
from augmenter.deadline import Deadline
from augmenter.record import (
    Envelope,
    make_brief,
    make_degraded_receipt,
    make_off_receipt,
    make_receipt,
)
from augmenter.seen import NOTHING_SEEN, content_of
from knowledge.clock import Clock
from knowledge.closing import Closing
from knowledge.errors import (
    LedgerError,
    PrebriefError,
    SessionError,
    SettingsError,
    TaskError,
    UnknownDispatch,
)
from knowledge.project import Project, ensure_state, locate
from knowledge.settings import DispatchSettings, Settings
from knowledge.types import Kind
from receipts.ledger import LOCK_TIMEOUT, Ledger, LedgerEvent
from receipts.reading import DispatchHistory
from receipts.records import OfferedRecord, OutcomeStatus, Receipt

if TYPE_CHECKING:
    from augmenter.app.completion import Completed
    from augmenter.app.scope import DispatchScope
    from knowledge.sessions import Sessions

Later = Callable[[Callable[[], None]], object]  # is handed what is to be done later

LAST = "last"  # stands for the id of the latest receipt
LOCK_SHARE = 0.5  # of the deadline, how much may go into waiting for other writers of the ledger
LATE_LOCK = 0.1  # seconds for the same once a dispatch has failed: an append takes about a millisecond


class Augmenter(Closing):
    """Briefs the tasks of one project.

    Not for use by several threads at once; each takes its own.
    """

    def __init__(self, project: Project, *, clock: Clock | None = None, log: Log | None = None) -> None:
        self.project = project
        self._clock = clock or Clock()
        self._log = log or Log("silent")
        self._session = Session(project, self._clock)
        self._repeats = Repeats()
        self._until = math.inf
        self._when_delivered: Later = call

    @classmethod
    def open(cls, root: str | Path = ".", *, clock: Clock | None = None, log: Log | None = None) -> Augmenter:
        """Find the project that a folder belongs to.

        Raises:
            ProjectError: there is no such folder.
        """
        return cls(locate(Path(root)), clock=clock, log=log)

    def close(self) -> None:
        """Let go of files."""
        self._session.close()

    def refresh(self) -> None:
        """Take note of settings and templates that were written since; for those that live long."""
        if self._session.refresh():
            self._repeats = Repeats()

    def seen_stale(self) -> bool:
        """Whether the tree was seen to be newer than the index, since the last time that this was asked."""
        return self._session.seen_stale()

    def hurry(self, seconds: float, when_delivered: Later = call) -> None:
        """Let dispatches end within so many seconds from now, though the settings may grant them more.

        Args:
            seconds: how many.
            when_delivered: is handed what is to be done once the brief has arrived, in any thread: it notes
                what was given. By default at once: a brief that is returned has arrived.
        """
        self._until = self._clock.tick() + seconds
        self._when_delivered = when_delivered

    def augment(self, task: str, *, session: str = "", ask: Ask | None = None) -> Brief:
        """Brief a task. Whatever goes wrong, the task comes out unchanged, with the reason.

        Args:
            task: its text.
            session: names the worker; overrides the sender's.
            ask: what differs from the settings.
        """
        ask = ask or Ask()
        if session:
            ask = replace(ask, sender=replace(ask.sender, session=session))
        dispatch_id = self._clock.dispatch_id()
        try:
            brief, receipt = self._brief(task, ask, dispatch_id)
        except Exception as error:  # noqa: BLE001 - fail open: whatever it is, the dispatch goes on and says why
            return self._passed(task, error, ask, dispatch_id)
        try:
            self._keep(receipt, self._granted(self._session.settings) * LOCK_SHARE)
        except Exception as error:  # noqa: BLE001 - as above; under a new id, for this one may be in the ledger
            return self._passed(task, error, ask, self._clock.dispatch_id())
        if receipt is not None:
            self._note(ask, brief)
        return brief

    def dispatch(self, task: str, *, session: str = "", ask: Ask | None = None) -> DispatchScope:
        """A ``with`` block that is briefed at its beginning and completes the receipt at its end.

        Args:
            task: its text.
            session: as in `augment`.
            ask: what differs from the settings.
        """
        from augmenter.app.scope import DispatchScope  # noqa: PLC0415 - only who asks pays

        return DispatchScope(self, task, ask, session)

    def report(self, what: str, error: Exception, dispatch_id: str) -> None:
        """Log what went wrong beside a dispatch."""
        degraded = degradation(error)
        self._log.bind(dispatch_id=dispatch_id).warning(what, reason=degraded.reason, detail=degraded.detail)

    def pass_through(self, task: str, error: Exception, ask: Ask | None = None) -> Brief:
        """The task unchanged, because of an error that came before the pipeline; recorded as any other."""
        return self._passed(task, error, ask or Ask(), self._clock.dispatch_id())

    def rank(self, task: str, *, limit: int = 50, kinds: Collection[str] = ()) -> list[OfferedRecord]:
        """Ranked evidence alone, with the fields of ``offered``; nothing is rendered or recorded.

        By score alone: what a brief leaves out as below the relevance threshold has its place too.

        Args:
            task: its text.
            limit: at most so many.
            kinds: of evidence (``unit``, ``class``, ``section`` …); empty for all.

        Raises:
            PrebriefError: the index cannot be used, or there is no such kind.
        """
        filters = Filters(kinds=frozenset(_kind(name) for name in kinds))
        tools = self._session.tools("plain")
        with self._session.snapshot():
            ranking = rank(task, filters, tools, Stopwatch(tools.tick, Deadline(tools.tick)))
        items = ranking.scored[:limit]
        return [offered_record(item, number, 0) for number, item in enumerate(items, start=1)]

    def complete(  # noqa: PLR0913 - the fields of an outcome
        self,
        dispatch_id: str,
        *,
        status: OutcomeStatus,
        base: str = "",
        head: str = "",
        diff: str | None = None,
        used: Collection[str] = (),
        error: str = "",
        replace: bool = False,
    ) -> Completed:
        """Link an outcome to a dispatch, and what of its brief was used.

        Args:
            dispatch_id: from the brief.
            status: success, failure, infra or cancelled.
            base: commit before the work; with ``head``, the difference shows what was used.
            head: commit after it.
            diff: a unified diff instead of the two commits.
            used: pattern hashes that the agent says it used.
            error: what went wrong, in words.
            replace: let this outcome take the place of a different one.

        Raises:
            PrebriefError: the dispatch is unknown, has another outcome, or the difference cannot be had.
        """
        from augmenter.app.completion import complete  # noqa: PLC0415 - no dispatch pays for reading diffs

        return complete(
            self.ledger(),
            self.project,
            dispatch_id,
            status=status,
            base=base,
            head=head,
            diff=diff,
            used=used,
            error=error,
            replace=replace,
        )

    def ledger(self, lock_timeout: float = LOCK_TIMEOUT) -> Ledger:
        """The project's receipts."""
        return Ledger(
            self.project.receipts, self._clock, on_event=self._log_ledger_event, lock_timeout=lock_timeout
        )

    def history(self, dispatch_id: str) -> DispatchHistory:
        """A receipt with all that is linked to it; ``last`` for the latest.

        Raises:
            UnknownDispatch: there is none.
        """
        ledger = self.ledger()
        if dispatch_id != LAST:
            return ledger.find(dispatch_id)
        latest = ledger.latest(1)
        if not latest:
            raise UnknownDispatch("there are no receipts yet", remedy="Run 'prebrief augment'")
        return ledger.find(latest[0].dispatch_id)

    @property
    def sessions(self) -> Sessions:
        """What agents were given. Its methods raise SessionError."""
        from knowledge.sessions import Sessions  # noqa: PLC0415 - no dispatch without a session pays for it

        return Sessions(self.project.sessions, self._clock.now)

    def learned_fingerprint(self) -> str:
        """Hash of the confidence state; ``""`` when nothing was learned. Raises CatalogError."""
        return self._session.learned_fingerprint()

    def weights_fingerprint(self, profile: str) -> str:
        """Hash of the weights of a profile, here. Raises SettingsError."""
        return self._session.profile(profile).fingerprint

    @property
    def settings(self) -> Settings:
        """The project's settings. Raises SettingsError."""
        return self._session.settings

    def answer(self, task: str, receipt: Receipt) -> Brief:
        """What a recorded task would be offered now, under the recorded options; nothing is recorded.

        Raises:
            PrebriefError: the index cannot be used.
        """
        request = request_of(task, receipt)
        # Whether the tree has moved on is no part of the question: a receipt is replayed after the work.
        tools = replace(
            self._session.tools(request.format, receipt.weights.profile, request.templates),
            stale=lambda _files: receipt.index.stale,
        )
        with self._session.snapshot():
            result = augment(request, tools, Deadline(tools.tick))
            return make_brief(result, receipt.dispatch_id, tools.reader.meta()["fingerprint"])

    @property
    def patience(self) -> float:
        """Seconds that a dispatch may take."""
        return self._granted(self._settings_or_defaults())

    def _granted(self, settings: Settings) -> float:
        seconds = settings.dispatch.deadline_ms / 1000
        if self._until == math.inf:
            return seconds
        return max(0.0, min(seconds, self._until - self._clock.tick()))

    def _brief(self, task: str, ask: Ask, dispatch_id: str) -> tuple[Brief, Receipt | None]:
        """A brief and its receipt, which is not written yet."""
        began = self._clock.tick()
        if not task.strip():
            raise TaskError("the task is empty", remedy="Give a text, as an argument or on standard input")
        settings = self._session.settings
        ask = in_role(ask, settings)
        if ask.off:
            return self._off(task, ask, dispatch_id, settings)
        deadline = Deadline(self._clock.tick, began + self._granted(settings))
        seen = self._seen(ask.window)
        asked = replace(ask, keys=())  # which say nothing about the answer
        key = (task, repr(asked), tuple(seen.items()), self._session.state())
        known = self._repeats.find(key, self._session.is_stale)
        if known is None:
            known = self._answer(request_for(task, ask, settings, seen), ask, dispatch_id, deadline)
            self._repeats.keep(key, known)
            return known.brief, known.receipt
        return known.again(dispatch_id, (self._clock.tick() - began) * 1000)

    def _off(self, task: str, ask: Ask, dispatch_id: str, settings: Settings) -> tuple[Brief, Receipt | None]:
        """The task as it is, for a role that is to get nothing."""
        if not ask.record:
            return Brief(prompt=task), None
        envelope = self._envelope(dispatch_id, ask, settings, "")
        receipt = make_off_receipt(request_for(task, ask, settings), envelope)
        return Brief(prompt=task, dispatch_id=dispatch_id), receipt

    def _answer(self, request: Request, ask: Ask, dispatch_id: str, deadline: Deadline) -> Answer:
        """The answer to a question that has not been asked lately."""
        tools = self._session.tools(request.format, templates=request.templates)
        with self._session.snapshot(deadline):
            result = augment(request, tools, deadline)
            fingerprint = tools.reader.meta()["fingerprint"]
            if not ask.record:
                return Answer(make_brief(result, "", fingerprint), None, result.files)
            brief = make_brief(result, dispatch_id, fingerprint)
            learned = self._session.learned_fingerprint()
            envelope = self._envelope(dispatch_id, ask, self._session.settings, learned)
            return Answer(brief, make_receipt(brief, request, result, tools, envelope), result.files)

    def _seen(self, window: str) -> Mapping[str, str]:
        """What a context window was given before; nothing where that cannot be told."""
        if not window:
            return NOTHING_SEEN
        try:
            return self.sessions.given(window)
        except SessionError as error:
            self._log.warning("what was given before is not known", detail=str(error))
            return NOTHING_SEEN

    def _note(self, ask: Ask, brief: Brief) -> None:
        """Note what a context window has been given, and what the host will call the dispatch."""
        if ask.window or ask.keys:
            # Once the time is over, whoever asked may have gone on without the brief.
            is_late = self._clock.tick() >= self._until
            self._when_delivered(partial(self._note_delivered, ask, brief, is_late))

    def _note_delivered(self, ask: Ask, brief: Brief, is_late: bool) -> None:
        try:
            for name in ask.keys:
                self.sessions.link(name, brief.dispatch_id)
            if ask.window and not is_late:
                offered = (*brief.offered, *brief.rules)
                self.sessions.give(ask.window, ((item.id, content_of(item)) for item in offered))
        except Exception as error:  # noqa: BLE001 - the receipt says that the brief went out: so it must
            self._log.warning("what was given is not noted", detail=str(error))

    def _keep(self, receipt: Receipt | None, lock_timeout: float) -> None:
        if receipt is not None:
            ensure_state(self.project)
            self.ledger(lock_timeout).append(receipt)

    def _log_ledger_event(self, event: LedgerEvent) -> None:
        self._log.warning(f"ledger: {event.kind}", where=event.where)

    def _envelope(self, dispatch_id: str, ask: Ask, settings: Settings, learned: str) -> Envelope:
        return Envelope(dispatch_id, self.project, settings, ask.sender, learned)

    def _passed(self, task: str, error: Exception, ask: Ask, dispatch_id: str) -> Brief:
        """The task unchanged; the reason goes to the log, and to the ledger when that can be done."""
        degraded = degradation(error)
        log = self._log.bind(dispatch_id=dispatch_id)
        unexpected = None if isinstance(error, PrebriefError) else error
        log.warning("dispatch degraded", reason=degraded.reason, detail=degraded.detail, exc_info=unexpected)
        wanted = ask.record and not isinstance(error, LedgerError) and self.project.is_in_use
        kept = wanted and self._record_degraded(task, ask, dispatch_id, degraded, log)
        brief = passed_through(task, degraded, dispatch_id if kept else "")
        if kept:  # its outcome is worth knowing, too
            self._note(ask, brief)
        return brief

    def _record_degraded(self, task: str, ask: Ask, dispatch_id: str, degraded: Degraded, log: Log) -> bool:
        try:
            settings = self._settings_or_defaults()
            request = request_for(task, ask, settings)
            envelope = self._envelope(dispatch_id, ask, settings, "")
            self._keep(make_degraded_receipt(request, degraded, envelope), LATE_LOCK)
        except Exception as error:  # noqa: BLE001 - no further failure: the caller is told the first one
            log.warning("degraded dispatch not recorded", detail=str(error))
            return False
        return True

    def _settings_or_defaults(self) -> Settings:
        """The settings; where they cannot be read, the defaults, with the task's text not kept.

        For nobody knows then whether it may be.
        """
        try:
            return self._session.settings
        except SettingsError:
            return Settings(dispatch=DispatchSettings(keep_task=False))


def _kind(name: str) -> Kind:
    try:
        return Kind(name)
    except ValueError:
        raise TaskError(f"there is no kind '{name}'", remedy=f"Allowed: {', '.join(Kind)}") from None
