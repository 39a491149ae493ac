"""Claude Code: ``claude -p``, one process for a session, to which the user speaks in JSON lines."""

from __future__ import annotations

import json
from collections.abc import Sequence

from evals.clients.client import Client, Process
from evals.clients.stage import Stage

_EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "SubagentStart",
    "SubagentStop",
    "Stop",
    "StopFailure",
    "PreCompact",
    "PostCompact",
    "SessionEnd",
)
_ARGUMENTS = (
    "-p", "--verbose",
    "--input-format", "stream-json",
    "--output-format", "stream-json",
    "--allowedTools", "Agent,Read",
)  # fmt: skip


def _environment(stage: Stage) -> dict[str, str]:
    return {
        "ANTHROPIC_BASE_URL": stage.address,
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CONFIG_DIR": str(stage.home / ".claude"),
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_MAX_RETRIES": "1",
        "DISABLE_AUTOUPDATER": "1",
    }


def _nothing(_stage: Stage) -> dict[str, str]:
    return {}


def _processes(prompts: Sequence[str]) -> list[Process]:
    said = ({"type": "user", "message": {"role": "user", "content": prompt}} for prompt in prompts)
    return [Process(_ARGUMENTS, "".join(json.dumps(message) + "\n" for message in said))]


CLIENT = Client(
    "claude-code",
    "@anthropic-ai/claude-code",
    _EVENTS,
    ".claude/settings.json",
    30,
    _environment,
    _nothing,
    _processes,
)
