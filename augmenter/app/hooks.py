"""What a host's event comes to: a brief, in time, or the task unchanged."""

from __future__ import annotations

from pathlib import Path

from augmenter.app.augmenter import Ask
from augmenter.app.dispatching import dispatch
from augmenter.app.logs import Log
from augmenter.brief import Brief
from augmenter.hosts import generic
from augmenter.record import Sender
from knowledge.errors import TaskError


def run_generic(data: bytes, root: str) -> bytes:
    """Answer an event of the generic host.

    Args:
        data: the event.
        root: a folder of the project; ``""`` takes the event's ``cwd``, or the working directory.
    """
    return generic.write_answer(_answer(data, root).as_json())


def _answer(data: bytes, root: str) -> Brief:
    try:
        event = generic.read_event(data)
    except TaskError as error:
        task, folder = generic.remains_of(data)
        return dispatch(Path(root or folder or "."), task, _ask(generic.Event(task=task)), _SILENT, error)
    return dispatch(Path(root or event.cwd or "."), event.task, _ask(event), _SILENT)


_SILENT = Log("silent")


def _ask(event: generic.Event) -> Ask:
    return Ask(
        sender=Sender(event.agent, generic.HOST, event.session, event.role),
        preamble=event.preamble,
        patterns=event.patterns,
        rules=event.rules,
        budget=event.budget,
        format=event.format,
    )
