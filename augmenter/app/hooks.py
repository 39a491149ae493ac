"""What a host's event comes to: an answer in the host's form, in time; nothing here raises.

What a dispatch needs is imported when there is one: most events of an agent's day are none.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from augmenter.app.alarm import time_limit
from augmenter.app.desk import IN_PROCESS, Desk
from augmenter.hosts.events import Answer, Dispatch, Finished, Forgotten, Host, Ignored
from augmenter.hosts.registry import host
from knowledge.errors import TaskError

if TYPE_CHECKING:
    from augmenter.app.ask import Ask
    from augmenter.hosts.events import Event

# For finding out whether a project is in use, and for completing a receipt: what a dispatch may take.
PATIENCE_SECONDS = 1.0


def answer_event(name: str, data: bytes, root: str = "", desk: Desk = IN_PROCESS, here: str = "") -> Answer:
    """Answer an event of a host; never raises, whatever the bytes are.

    Args:
        name: of the host, one of `augmenter.hosts.registry.NAMES`.
        data: the event.
        root: a folder of the project; ``""`` takes the event's ``cwd``, or ``here``.
        desk: who hands out the project's `Augmenter`.
        here: what relative folders are relative to; ``""`` is this process's working directory.
    """
    known = host(name)
    try:
        event, error = _read(known, data)
        if isinstance(event, Ignored):
            return known.silence if error is None else pass_through(name, data, error)
        folder = Path(here, root or event.cwd or ".")
        if isinstance(event, Dispatch):
            return _brief(known, event, folder, desk, error)
        _complete(known, event, folder, desk)
    except Exception as failure:  # noqa: BLE001 - fail open: the host goes on as if there were no hook
        return pass_through(name, data, failure)
    return known.silence


def pass_through(name: str, data: bytes, error: Exception) -> Answer:
    """The answer that leaves the task as it is, because of an error; nothing is recorded; never raises.

    Args:
        name: of the host.
        data: the event.
        error: why.
    """
    known = host(name)
    if not known.answers_all:
        return known.silence
    from augmenter.brief import degradation, passed_through  # noqa: PLC0415 - see the module's text

    event = known.remains(data)
    event = event if isinstance(event, Dispatch) else Dispatch(task="")
    return known.answer(event, passed_through(event.task, degradation(error)))


def _read(known: Host, data: bytes) -> tuple[Event, TaskError | None]:
    """The event, or what remains of one that cannot be used, and why."""
    try:
        return known.read(data), None
    except TaskError as error:
        return known.remains(data), error


def _brief(known: Host, event: Dispatch, folder: Path, desk: Desk, error: Exception | None) -> Answer:
    if not known.answers_all and not _is_in_use(folder):
        return known.silence
    from augmenter.app.dispatching import dispatch  # noqa: PLC0415 - see the module's text

    brief = dispatch(folder, event.task, _ask(known, event), desk, error)
    return known.answer(event, brief)


def _is_in_use(folder: Path) -> bool:
    """Whether a folder belongs to a project that somebody has set up; looked up before all that is slow."""
    from knowledge.project import locate  # noqa: PLC0415 - see the module's text

    with time_limit(PATIENCE_SECONDS):
        return locate(folder).is_in_use


def _ask(known: Host, event: Dispatch) -> Ask:
    from augmenter.app.ask import Ask  # noqa: PLC0415 - see the module's text
    from augmenter.record import Sender  # noqa: PLC0415 - likewise

    return Ask(
        sender=Sender(event.agent, known.name, event.session, event.role),
        context=known.key(event.session, event.context) if event.session and event.context else "",
        keys=(known.key(event.session, event.key),) if event.key else (),
        preamble=event.preamble,
        patterns=event.patterns,
        rules=event.rules,
        budget=event.budget,
        format=event.format,
        max_tokens=known.cap.tokens,
        max_bytes=known.cap.bytes,
    )


def _complete(known: Host, event: Finished | Forgotten, folder: Path, desk: Desk) -> None:
    if not _is_in_use(folder):
        return
    from augmenter.app.aftermath import finish, forget  # noqa: PLC0415 - see the module's text

    with time_limit(PATIENCE_SECONDS), desk.open(folder) as augmenter:
        if isinstance(event, Finished):
            finish(known, event, augmenter)
        else:
            forget(known, event, augmenter)
