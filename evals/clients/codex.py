"""Codex CLI: ``codex exec``, and ``codex exec resume`` for what the user says next."""

from __future__ import annotations

from collections.abc import Sequence

from evals.clients.client import Client, Process
from evals.clients.stage import Stage
from evals.clients.wires import MODEL

_EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "SubagentStart",
    "SubagentStop",
    "Stop",
    "StopFailure",
    "Interrupt",
    "PreCompact",
    "PostCompact",
    "SessionEnd",
)
# A project's hooks are read where the project is trusted; and nobody can look at them and type `/hooks` here.
_CONFIG = """\
model = "{model}"
model_provider = "local"

[model_providers.local]
name = "local"
base_url = "{address}/v1"
wire_api = "responses"
env_key = "LOCAL_KEY"

[projects."{project}"]
trust_level = "trusted"
"""
_OPTIONS = ("--dangerously-bypass-hook-trust", "--skip-git-repo-check")


def _environment(stage: Stage) -> dict[str, str]:
    return {"CODEX_HOME": str(stage.home / ".codex"), "LOCAL_KEY": "none"}


def _files(stage: Stage) -> dict[str, str]:
    text = _CONFIG.format(model=MODEL, address=stage.address, project=stage.project)
    return {".codex/config.toml": text}


def _processes(prompts: Sequence[str]) -> list[Process]:
    first, *others = prompts
    again = (Process(("exec", "resume", "--last", *_OPTIONS, prompt)) for prompt in others)
    return [Process(("exec", *_OPTIONS, first)), *again]


CLIENT = Client("codex", "@openai/codex", _EVENTS, ".codex/hooks.json", 30, _environment, _files, _processes)
