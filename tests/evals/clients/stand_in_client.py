#!/usr/bin/env python3
"""Stands in for Claude Code: the same hooks file, the same questions, one sub-agent at a time."""

import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
import uuid
from pathlib import Path

SESSION = str(uuid.uuid4())
RECORDS = Path(os.environ["CLAUDE_CONFIG_DIR"]) / "projects" / re.sub(r"[^A-Za-z0-9]", "-", str(Path.cwd()))
TRANSCRIPT = RECORDS / f"{SESSION}.jsonl"


def note(**line):
    RECORDS.mkdir(parents=True, exist_ok=True)
    with TRANSCRIPT.open("a") as file:
        file.write(json.dumps({**line, "sessionId": SESSION, "cwd": str(Path.cwd())}) + "\n")


def hook(name, **fields):
    event = {
        "session_id": SESSION,
        "transcript_path": str(TRANSCRIPT),
        "cwd": str(Path.cwd()),
        "hook_event_name": name,
        **fields,
    }
    output = {}
    for entry in json.loads(Path(".claude/settings.json").read_text())["hooks"].get(name, []):
        if not re.fullmatch(entry.get("matcher", ".*"), fields.get("tool_name", fields.get("source", ""))):
            continue
        for handler in entry["hooks"]:
            words = ["sh", "-c", handler["command"]]
            done = subprocess.run(
                words, input=json.dumps(event), text=True, stdout=subprocess.PIPE, check=False
            )
            output |= json.loads(done.stdout or "{}").get("hookSpecificOutput", {})
    return output


def ask(messages):
    """The block that the model answers with."""
    body = {"model": "m", "messages": messages, "tools": [{"name": "Agent"}, {"name": "Read"}]}
    request = urllib.request.Request(
        f"{os.environ['ANTHROPIC_BASE_URL']}/v1/messages?beta=true", json.dumps(body).encode()
    )
    block = {}
    with urllib.request.urlopen(request) as reply:
        for line in reply.read().decode().splitlines():
            data = json.loads(line.removeprefix("data: ")) if line.startswith("data: ") else {}
            if data.get("type") == "content_block_start":
                block = data["content_block"]
            elif data.get("type") == "content_block_delta" and block["type"] == "text":
                block["text"] += data["delta"]["text"]
            elif data.get("type") == "content_block_delta":
                block["input"] = json.loads(data["delta"]["partial_json"])
    return block


def converse(messages):
    """Answer tools until the model has nothing more to call; its last words."""
    while (block := ask(messages))["type"] == "tool_use":
        messages.append({"role": "assistant", "content": [block]})
        result = {"type": "tool_result", "tool_use_id": block["id"], "content": call(block)}
        messages.append({"role": "user", "content": [result]})
    return block["text"]


def call(block):
    if block["name"] == "Read":
        return Path(block["input"]["file_path"]).read_text()
    use = {"tool_name": block["name"], "tool_use_id": block["id"]}
    given = hook("PreToolUse", tool_input=block["input"], **use).get("updatedInput", block["input"])
    said = converse([{"role": "user", "content": given["prompt"]}])
    response = {"status": "completed", "content": [{"type": "text", "text": said}], "totalDurationMs": 7}
    hook("PostToolUse", tool_input=given, tool_response=response, **use)
    return said


def main():
    if "--version" in sys.argv:
        sys.stdout.write("9.9.9 (Stand-in)\n")
        return 0
    hook("SessionStart", source="startup")
    messages = []
    for line in sys.stdin:
        prompt = json.loads(line)["message"]["content"]
        context = hook("UserPromptSubmit", prompt=prompt).get("additionalContext")
        note(type="user", message={"role": "user", "content": prompt})
        messages.append({"role": "user", "content": prompt})
        if context:
            note(type="attachment", attachment={"type": "hook_additional_context", "content": [context]})
            messages.append({"role": "system", "content": f"Additional context: {context}"})
        try:
            said = converse(messages)
        except urllib.error.HTTPError:
            return 1
        note(type="assistant", message={"role": "assistant", "content": said})
        messages.append({"role": "assistant", "content": said})
        hook("Stop", last_assistant_message=said)
    return 0


sys.exit(main())
