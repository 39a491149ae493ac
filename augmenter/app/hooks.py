"""What a host's event comes to: an answer in the host's form, in time; nothing here raises."""

from __future__ import annotations

from pathlib import Path

from augmenter.app.desk import IN_PROCESS, Desk
from augmenter.hosts.events import Answer, Dispatch, Event, Host
from augmenter.hosts.registry import host
from knowledge.errors import TaskError


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
    error: Exception | None = None
    event: Event | None
    try:
        event = known.read(data)
    except TaskError as failure:
        event, error = known.remains(data), failure
    if not isinstance(event, Dispatch):
        return known.silence
    return _brief(known, event, Path(here, root or event.cwd or "."), desk, error)


def pass_through(name: str, data: bytes, error: Exception) -> Answer:
    """The answer that leaves the task as it is, because of an error; nothing is recorded; never raises.

    Args:
        name: of the host.
        data: the event.
        error: why.
    """
    known = host(name)
    if not known.answers_all or (event := known.remains(data)) is None:
        return known.silence
    from augmenter.brief import degradation, passed_through  # noqa: PLC0415 - hosts that need no document need not pay

    return known.answer(event, passed_through(event.task, degradation(error)))


def _brief(known: Host, event: Dispatch, folder: Path, desk: Desk, error: Exception | None) -> Answer:
    from augmenter.app.augmenter import Ask  # noqa: PLC0415 - the pipeline, which not all events need
    from augmenter.app.dispatching import dispatch  # noqa: PLC0415 - likewise
    from augmenter.record import Sender  # noqa: PLC0415 - likewise

    ask = Ask(
        sender=Sender(event.agent, known.name, event.session, event.role),
        preamble=event.preamble,
        patterns=event.patterns,
        rules=event.rules,
        budget=event.budget,
        format=event.format,
    )
    return known.answer(event, dispatch(folder, event.task, ask, desk, error))
