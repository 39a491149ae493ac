"""The hook that records: called by a client, it keeps the event and answers as Prebrief would.

    python recorder.py FOLDER CONTEXT

A script of its own, run by path: it needs nothing but the standard library. The event's bytes become a file
of the folder, named so that files sort by time. The answer lays CONTEXT beside a prompt, or puts it before
the task that a sub-agent is given.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

PROMPTS = ("UserPromptSubmit", "BeforeAgent")
# The tools that give a task to a sub-agent, and the key by which a changed input goes back.
AGENTS = {"Agent": "updatedInput", "invoke_agent": "tool_input"}
BEFORE = ("PreToolUse", "BeforeTool")


def answer(event: dict[str, Any], context: str) -> dict[str, Any]:
    """The answer to an event; empty for those that get none."""
    name, tool = event.get("hook_event_name"), event.get("tool_name", "")
    if name in PROMPTS:
        output: dict[str, Any] = {"additionalContext": context}
    elif name in BEFORE and tool in AGENTS:
        prompt = f"{context}\n{event['tool_input']['prompt']}"
        output = {AGENTS[tool]: {**event["tool_input"], "prompt": prompt}}
    else:
        return {}
    return {"hookSpecificOutput": {"hookEventName": name, **output}}


def main() -> int:
    """Keep one event and answer it."""
    folder, context = Path(sys.argv[1]), sys.argv[2]
    data = sys.stdin.buffer.read()
    event = json.loads(data)
    name = f"{time.time_ns():020d}-{os.getpid()}-{event['hook_event_name']}.json"
    scratch = folder / f".{name}"
    scratch.write_bytes(data)
    scratch.rename(folder / name)  # whoever waits for an event finds it whole
    sys.stdout.write(json.dumps(answer(event, context)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
