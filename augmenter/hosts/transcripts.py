"""What a host's record of an agent's work tells: what came into its context, what it opened, what it said.

Transcripts are the hosts' own files, and change with their versions. Whatever is not understood is passed
over: a record that is no JSON, an unknown kind, a value of another type. None of it is trusted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from augmenter.hosts.commands import Reading, read_by_command
from augmenter.hosts.events import Status
from augmenter.hosts.reading import text_of

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """A text came into the agent's context: a prompt, or what a hook laid beside it."""

    text: str


@dataclass(frozen=True, slots=True)
class Opened:
    """The agent opened a file with a tool.

    Attributes:
        reading: which, and which of its lines.
        folder: what a relative path is relative to; ``""`` when the record does not tell.
        call: the call's id; ``""`` for none.
    """

    reading: Reading
    folder: str = ""
    call: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """A call of a tool came to nothing."""

    call: str


@dataclass(frozen=True, slots=True)
class Said:
    """The agent wrote something that is no call of a tool."""

    text: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The host notes that the work was cut short: ``infra`` by a fault, ``cancelled`` by its user."""

    status: Status


Step = Told | Opened | Refused | Said | Ended
Steps = Callable[[Record], Iterator[Step]]


@dataclass(slots=True)
class Account:
    """What an agent did since a context block had come into its context.

    Attributes:
        block: it, as it came; ``""`` when it did not.
        opened: what was opened since, without calls that came to nothing.
        said: the last thing that the agent wrote.
        ended: how the work was cut short, if the last thing noted is that it was.
    """

    block: str = ""
    opened: list[Opened] = field(default_factory=list)
    said: str = ""
    ended: Status = ""

    def take(self, step: Step, find_block: Callable[[str], str]) -> None:
        """Take in the next step."""
        if isinstance(step, Told):
            self.block = self.block or find_block(step.text)
            self.ended = ""
        elif not self.block:
            return
        elif isinstance(step, Opened):
            self.opened.append(step)
        elif isinstance(step, Refused):
            self.opened = [item for item in self.opened if not step.call or item.call != step.call]
        elif isinstance(step, Said):
            self.said, self.ended = step.text, ""
        else:
            self.ended = step.status


def account(data: bytes, steps: Steps, find_block: Callable[[str], str]) -> Account:
    """Read a transcript, or parts of one.

    Args:
        data: its bytes; a record that was cut is passed over.
        steps: how the host's records read.
        find_block: the context block in a text that the agent was told, or ``""``.
    """
    found = Account()
    for record in records(data):
        for step in steps(record):
            found.take(step, find_block)
    return found


def records(data: bytes) -> Iterator[Record]:
    """The JSON objects in a file: one a line, or one whole document with a list of messages."""
    lines = data.split(b"\n")
    for line in lines:
        if line.lstrip().startswith(b"{") and (record := _object(line)) is not None:
            yield record
    if data.lstrip().startswith(b"{") and (whole := _object(data)) is not None and len(lines) > 1:
        yield whole


def _object(line: bytes) -> Record | None:
    try:
        value = json.loads(line.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def call_in(note: bytes) -> str:
    """The id of the call that started a sub-agent, in what Claude Code notes beside its transcript."""
    return text_of(_object(note) or {}, "toolUseId")


def claude_code(record: Record) -> Iterator[Step]:
    """One line of a transcript of Claude Code, of the main agent or of a sub-agent."""
    kind, folder = record.get("type"), text_of(record, "cwd")
    if kind == "attachment":
        attachment = _dict(record, "attachment")
        if attachment.get("type") == "hook_additional_context":
            yield from map(Told, _texts(attachment.get("content")))
    elif kind == "user":
        yield from _of_user(_dict(record, "message").get("content"))
    elif kind == "assistant":
        yield from _of_assistant(_dict(record, "message").get("content"), folder)
        if record.get("isApiErrorMessage") is True:
            yield Ended("infra")


_INTERRUPTED = "[Request interrupted by user"


def _of_user(content: object) -> Iterator[Step]:
    for text in _texts(content):
        yield Ended("cancelled") if text.startswith(_INTERRUPTED) else Told(text)
    for part in _dicts(content):
        if part.get("type") == "tool_result" and part.get("is_error") is True:
            yield Refused(text_of(part, "tool_use_id"))


def _of_assistant(content: object, folder: str) -> Iterator[Step]:
    for text in _texts(content):
        yield Said(text)
    for part in _dicts(content):
        if part.get("type") == "tool_use":
            for reading in _of_tool(_dict(part, "input")):
                yield Opened(reading, folder, text_of(part, "id"))


def codex(record: Record) -> Iterator[Step]:
    """One line of a rollout of Codex."""
    item = _dict(record, "payload")
    kind = item.get("type")
    if kind == "message":
        step = Said if item.get("role") == "assistant" else Told
        yield from map(step, _texts(item.get("content")))
    elif kind in ("function_call", "custom_tool_call", "local_shell_call"):
        call, folder = _arguments(item), text_of(record, "cwd")
        for reading in _of_tool(call):
            yield Opened(reading, text_of(call, "workdir") or folder, text_of(item, "call_id"))
    elif kind in ("function_call_output", "custom_tool_call_output"):
        if _FAILED.search(_output(item.get("output"))):
            yield Refused(text_of(item, "call_id"))
    elif kind == "turn_aborted":
        yield Ended("cancelled")


# How the output of a call tells that the call came to nothing: in words, or by a program's exit code.
_FAILED = re.compile(r'\Aunsupported call|(?:[Ee]xit(?:ed with)? code:?|"exit_code":)\s*[1-9]')
_OUTPUT = 400  # characters at the top of an output, where that stands


def _output(output: object) -> str:
    return (output if isinstance(output, str) else json.dumps(output))[:_OUTPUT]


def _arguments(item: Record) -> Record:
    """What a tool was called with: a JSON text, an object, or a text of the tool's own language."""
    if isinstance(item.get("action"), dict):
        return _dict(item, "action")
    told = item.get("arguments", item.get("input"))
    if isinstance(told, str):
        return _object(told.encode("utf-8", "surrogatepass")) or {"patch": told}
    return told if isinstance(told, dict) else {}


def gemini(record: Record) -> Iterator[Step]:
    """A session of Gemini CLI as one document, or one of its messages."""
    for message in _dicts(record.get("messages")) or [record]:
        content = message.get("content")
        if message.get("type") == "user":
            yield from _of_gemini_user(_texts(content))
        elif message.get("type") == "gemini":
            for call in _dicts(message.get("toolCalls")):
                yield from _of_gemini_call(call)
            yield from map(Said, _texts(content))


_HOOK_CONTEXT = re.compile(r"<hook_context>(.*?)</hook_context>", re.DOTALL)


def _of_gemini_user(texts: Iterable[str]) -> Iterator[Step]:
    """What was told, and the part of it that hooks have added, as they gave it."""
    for text in texts:
        yield Told(text)
        for added in _HOOK_CONTEXT.findall(text):
            yield Told(added.replace("&lt;", "<").replace("&gt;", ">"))


def _of_gemini_call(call: Record) -> Iterator[Step]:
    if call.get("status") in ("error", "cancelled"):
        return
    for reading in _of_tool(_dict(call, "args")):
        yield Opened(reading, call=text_of(call, "id"))


_PATHS = ("file_path", "absolute_path", "notebook_path", "path")
# More lines than any file has: no end is told.
_END = 10**9


def _of_tool(call: Record) -> Iterator[Reading]:
    """What a call of a tool opens, by the names that its arguments have in one host or another."""
    for key in _PATHS:
        if path := text_of(call, key):
            yield Reading(path, *_lines(call))
            return
    command = call.get("command", call.get("cmd"))
    if isinstance(command, list):
        command = _script(command)
    if isinstance(command, str):
        yield from read_by_command(command)
    if patch := text_of(call, "patch"):
        for line in patch.splitlines():
            if line.startswith("*** Update File: "):
                yield Reading(line.partition(": ")[2].strip())


def _lines(call: Record) -> tuple[int, int]:
    first, count = call.get("offset", call.get("start_line")), call.get("limit")
    last = call.get("end_line")
    begin = first if type(first) is int and first > 0 else 1
    if type(count) is int and count > 0:
        return begin, begin + count - 1
    return begin, last if type(last) is int and last > 0 else _END


def _script(words: list[Any]) -> str:
    """The command in ``["bash", "-lc", "…"]``, or the words as one."""
    texts = [word for word in words if isinstance(word, str)]
    if len(texts) == 3 and texts[1] in ("-c", "-lc"):
        return texts[2]
    return " ".join(texts)


def _dict(record: Record, key: str) -> Record:
    value = record.get(key)
    return value if isinstance(value, dict) else {}


def _dicts(value: object) -> list[Record]:
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def _texts(content: object) -> Iterable[str]:
    """The texts in a message's content: one, or those of its parts."""
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    texts = (
        part if isinstance(part, str) else text_of(part, "text")
        for part in parts
        if isinstance(part, str | dict)
    )
    return [text for text in texts if text]


STEPS: dict[str, Steps] = {"claude-code": claude_code, "codex": codex, "gemini": gemini}
