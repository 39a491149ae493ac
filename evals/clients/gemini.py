"""Gemini CLI: ``gemini -p``, and ``--resume latest`` for what the user says next."""

from __future__ import annotations

import json
from collections.abc import Sequence

from evals.clients.client import Client, Process
from evals.clients.stage import Stage

# Those before and after each request to the model hold the whole conversation, and are of no use to Prebrief.
_EVENTS = (
    "SessionStart",
    "BeforeAgent",
    "BeforeTool",
    "AfterTool",
    "AfterAgent",
    "PreCompress",
    "SessionEnd",
)
# A model is named, for else it asks one which to ask; and every tool is allowed, for nobody can say yes.
_ARGUMENTS = ("--model", "gemini-2.5-pro", "--yolo")


def _environment(stage: Stage) -> dict[str, str]:
    return {
        "GEMINI_API_KEY": "none",
        "GOOGLE_GEMINI_BASE_URL": stage.address,
        "GEMINI_CLI_HOME": str(stage.home),
    }


def _files(stage: Stage) -> dict[str, str]:
    signing_in = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    trusted = {str(stage.project): "TRUST_FOLDER"}
    return {
        ".gemini/settings.json": json.dumps(signing_in),
        ".gemini/trustedFolders.json": json.dumps(trusted),
    }


def _processes(prompts: Sequence[str]) -> list[Process]:
    first, *others = prompts
    again = (Process((*_ARGUMENTS, "--resume", "latest", "-p", prompt)) for prompt in others)
    return [Process((*_ARGUMENTS, "-p", first)), *again]


CLIENT = Client(
    "gemini",
    "@google/gemini-cli",
    _EVENTS,
    ".gemini/settings.json",
    30_000,
    _environment,
    _files,
    _processes,
)
