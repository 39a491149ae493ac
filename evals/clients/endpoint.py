"""A model that speaks by a script, on a port of this machine, and remembers what it was asked."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from evals.clients.turns import OFF_SCRIPT, Fail, Script, Turn
from evals.clients.wires import JSON, WIRES, Wire, failure, is_of_agent

HOST = "127.0.0.1"
_PATIENCE = 0.02  # seconds after which the server looks whether it is to end
MOST_BYTES = 64 * 1024 * 1024  # of a question; clients send some hundred kilobytes


@dataclass(frozen=True, slots=True)
class Question:
    """What a client has asked.

    Attributes:
        path: of the address.
        body: the whole of it.
        said: what the user's side says in it, in order.
        is_agent: whether it offers tools.
        turn: the answer.
    """

    path: str
    body: dict[str, Any]
    said: tuple[str, ...]
    is_agent: bool
    turn: Turn


@dataclass(slots=True)
class Endpoint:
    """The model's service while it runs.

    Attributes:
        script: what it says.
        questions: what it was asked, in order; a list that grows.
        address: without a slash at the end.
    """

    script: Script
    address: str = ""
    questions: list[Question] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, wire: Wire, path: str, body: dict[str, Any]) -> tuple[int, Turn]:
        """Remember a question; its number, counted from 1, and the answer to it."""
        said = tuple(wire.said(body))
        is_agent = is_of_agent(body)
        turn = self.script.next_turn(said) if is_agent else OFF_SCRIPT
        with self._lock:
            self.questions.append(Question(path, body, said, is_agent, turn))
            return len(self.questions), turn


@contextmanager
def serving(script: Script) -> Iterator[Endpoint]:
    """Run the service on a free port of the loopback interface."""
    endpoint = Endpoint(script)
    server = _Server((HOST, 0), _Handler)
    server.endpoint = endpoint
    endpoint.address = f"http://{HOST}:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(_PATIENCE,), daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    """Carries the endpoint to its handlers."""

    daemon_threads = True
    endpoint: Endpoint

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away, or speaks no HTTP, ends its connection and nothing else."""


class _Handler(BaseHTTPRequestHandler):
    """Replies to one connection."""

    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
        """Say nothing."""

    def do_GET(self) -> None:
        """Lists of models and the like: nothing is known."""
        self._reply(404, failure(Fail(404, "not_found_error")), JSON)

    def do_HEAD(self) -> None:
        """Somebody is there."""
        self._reply(200, b"", JSON)

    def do_POST(self) -> None:
        """Answer a question, in the form in which it is asked."""
        path = urlsplit(self.path).path
        wire = next((wire for wire in WIRES if path.endswith(wire.path)), None)
        body = self._body()
        if wire is None or body is None:
            self._reply(404, failure(Fail(404, "not_found_error")), JSON)
            return
        number, turn = self.server.endpoint.answer(wire, path, body)
        if isinstance(turn, Fail):
            self._reply(turn.status, failure(turn), JSON)
        else:
            self._reply(200, wire.answer(turn, number), wire.kind)

    def _body(self) -> dict[str, Any] | None:
        """The question; None for what is none."""
        data = self.rfile.read(min(int(self.headers.get("content-length", 0)), MOST_BYTES))
        try:
            if self.headers.get("content-encoding") == "gzip":
                data = gzip.decompress(data)
            body = json.loads(data)
        except (ValueError, OSError):
            return None
        return body if isinstance(body, dict) else None

    def _reply(self, status: int, data: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)
