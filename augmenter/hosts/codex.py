"""Codex CLI: prompts get a context block beside them, those of sub-agents as well.

Its events are shaped like Claude Code's. An answer with a key that it does not know is refused as a whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from augmenter.hosts import reading
from augmenter.hosts.reading import text_of

if TYPE_CHECKING:
    from augmenter.hosts.events import Event, Status
    from augmenter.hosts.reading import Document


def _prompt(document: Document) -> Event:
    return reading.prompt(document, text_of(document, "turn_id"))


def _stop(document: Document, status: Status = "") -> Event:
    transcript = text_of(document, "agent_transcript_path") or text_of(document, "transcript_path")
    return reading.finished(document, text_of(document, "turn_id"), transcript=transcript, status=status)


def _stop_failure(document: Document) -> Event:
    return _stop(document, "infra")


def _interrupt(document: Document) -> Event:
    return _stop(document, "cancelled")


HOST = reading.make_host(
    "codex",
    {
        "UserPromptSubmit": _prompt,
        "Stop": _stop,
        "SubagentStop": _stop,
        "StopFailure": _stop_failure,
        "Interrupt": _interrupt,
        "SessionStart": reading.session_start,
        "PreCompact": reading.forgotten,
        "PostCompact": reading.forgotten,
    },
)
