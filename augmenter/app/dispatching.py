"""A dispatch by a command: the project found, the task briefed, in time; it never raises."""

from __future__ import annotations

from pathlib import Path

from augmenter.app.alarm import time_limit
from augmenter.app.ask import Ask
from augmenter.app.desk import Desk
from augmenter.brief import Brief, degradation, passed_through

DEADLINE_SECONDS = 1.0  # until the settings tell another: what people bear before a dispatch feels stuck
GRACE_SECONDS = 0.1  # the pipeline's own deadline comes first: it can name the step


def dispatch(root: Path, task: str, ask: Ask, desk: Desk, error: Exception | None = None) -> Brief:
    """Brief a task by the project that a folder belongs to; whatever happens, the task comes out, in time.

    Args:
        root: a folder of the project.
        task: its text.
        ask: what differs from the settings.
        desk: who hands out the project's `Augmenter`.
        error: why the task cannot be briefed, when that is known before.
    """
    try:
        with time_limit(DEADLINE_SECONDS) as extend, desk.open(root) as augmenter:
            if error is not None:
                return augmenter.pass_through(task, error, ask)
            extend(augmenter.patience + GRACE_SECONDS)
            return augmenter.augment(task, ask=ask)
    except Exception as failure:  # noqa: BLE001 - fail open: no project, or the alarm while cleaning up
        return passed_through(task, degradation(error or failure))
