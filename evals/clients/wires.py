"""The forms in which clients ask a model: what is in a question, and what an answer looks like.

Each is as little of its service as a client needs to go on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evals.clients.turns import Call, Fail, Say

Body = Mapping[str, Any]

MODEL = "scripted"
JSON = "application/json"
EVENTS = "text/event-stream"

_TOKENS_IN, _TOKENS_OUT = 100, 10  # told for every answer: far from any client's bound


@dataclass(frozen=True, slots=True)
class Wire:
    """One form.

    Attributes:
        path: how the address of such a question ends.
        said: what the user's side, the client included, says in a question, in its order; neither the results
            of tools nor the standing instructions.
        answer: an answer's body, for what is said and the answer's number.
        kind: of that body.
    """

    path: str
    said: Callable[[Body], list[str]]
    answer: Callable[[Say | Call, int], bytes]
    kind: str = EVENTS


def is_of_agent(body: Body) -> bool:
    """Whether a question offers tools. The others are small ones of the client's own."""
    return bool(body.get("tools"))


def failure(turn: Fail) -> bytes:
    """The body of a reply that reports an error, with what any of the services puts there."""
    error = {"type": turn.kind, "message": "scripted failure", "code": turn.status, "status": turn.kind}
    return json.dumps({"type": "error", "error": error}).encode()


def _stream(documents: Iterable[Body]) -> bytes:
    return "".join(f"event: {item['type']}\ndata: {json.dumps(item)}\n\n" for item in documents).encode()


def _texts(content: object) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    for part in content if isinstance(content, list) else ():
        if part.get("type") in ("text", "input_text"):
            yield part["text"]


def _said(messages: Iterable[Body]) -> list[str]:
    told = (message for message in messages if message.get("role") in ("user", "system", "developer"))
    return [text for message in told for text in _texts(message.get("content"))]


# Anthropic: POST /v1/messages


def _said_in_messages(body: Body) -> list[str]:
    return _said(body.get("messages", ()))


def _message(turn: Say | Call, number: int) -> bytes:
    block: dict[str, Any]
    if isinstance(turn, Say):
        block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": turn.text}
    else:
        block = {"type": "tool_use", "id": f"toolu_{number:024d}", "name": turn.tool, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(turn.arguments)}
    message: dict[str, Any] = {
        "id": f"msg_{number:024d}",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": _TOKENS_IN, "output_tokens": 1},
    }
    ending = {"stop_reason": "end_turn" if isinstance(turn, Say) else "tool_use", "stop_sequence": None}
    return _stream(
        (
            {"type": "message_start", "message": message},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": ending, "usage": {"output_tokens": _TOKENS_OUT}},
            {"type": "message_stop"},
        )
    )


# OpenAI: POST /v1/responses


def _said_in_input(body: Body) -> list[str]:
    return _said(item for item in body.get("input", ()) if item.get("type") == "message")


def _response(turn: Say | Call, number: int) -> bytes:
    item: dict[str, Any]
    if isinstance(turn, Say):
        content = [{"type": "output_text", "text": turn.text}]
        item = {"type": "message", "role": "assistant", "id": f"msg_{number}", "content": content}
    else:
        space, _, name = turn.tool.rpartition(".")
        item = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "name": name}
        item |= {"arguments": json.dumps(turn.arguments)} | ({"namespace": space} if space else {})
    usage = {
        "input_tokens": _TOKENS_IN,
        "input_tokens_details": None,
        "output_tokens": _TOKENS_OUT,
        "output_tokens_details": None,
        "total_tokens": _TOKENS_IN + _TOKENS_OUT,
    }
    name = f"resp_{number}"
    return _stream(
        (
            {"type": "response.created", "response": {"id": name}},
            {"type": "response.output_item.done", "item": item},
            {"type": "response.completed", "response": {"id": name, "usage": usage}},
        )
    )


# Gemini: POST /v1beta/models/MODEL:streamGenerateContent, and :generateContent


def _said_in_contents(body: Body) -> list[str]:
    told = (content for content in body.get("contents", ()) if content.get("role") == "user")
    return [part["text"] for content in told for part in content.get("parts", ()) if "text" in part]


def _candidates(turn: Say | Call, number: int) -> bytes:
    part: dict[str, Any]
    if isinstance(turn, Say):
        part = {"text": turn.text}
    else:
        call = {"id": f"call_{number}", "name": turn.tool, "args": dict(turn.arguments)}
        part = {"functionCall": call}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    usage = {
        "promptTokenCount": _TOKENS_IN,
        "candidatesTokenCount": _TOKENS_OUT,
        "totalTokenCount": _TOKENS_IN + _TOKENS_OUT,
    }
    answer = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": MODEL}
    return json.dumps(answer).encode()


def _candidates_streamed(turn: Say | Call, number: int) -> bytes:
    return b"data: " + _candidates(turn, number) + b"\r\n\r\n"


MESSAGES = Wire("/messages", _said_in_messages, _message)
RESPONSES = Wire("/responses", _said_in_input, _response)
CONTENTS = Wire(":streamGenerateContent", _said_in_contents, _candidates_streamed)
CONTENT = Wire(":generateContent", _said_in_contents, _candidates, JSON)
WIRES = (MESSAGES, RESPONSES, CONTENTS, CONTENT)
