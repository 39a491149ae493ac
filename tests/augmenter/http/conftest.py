"""A real server on a free port, with a real project; requests by the standard library's client."""

from __future__ import annotations

import asyncio
import http.client
import json
import queue
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from indexed_repository import Repo

from augmenter.app.daemon.workroom import Workroom
from augmenter.app.http.application import no_trees
from augmenter.app.http.options import address
from augmenter.app.http.serving import HttpPlan, serve_http
from augmenter.app.http.tokens import token_of
from augmenter.app.logs import Log

PATIENCE = 60.0  # seconds that anything may take on a loaded machine
TASK = "Fix the timeout in `EventStream.close`"
FILES = {
    "src/stream.py": '''"""Server-sent events."""


class EventStream:
    """One subscription to server-sent events."""

    def close(self) -> None:
        """Close the socket and wait for the timeout of the reconnect timer."""
        self.timer.cancel()
        self.socket.close()
''',
    "src/invoice.py": '''"""Invoices."""


def total_with_tax(net: int, rate: int) -> int:
    """The gross amount of an invoice in cents."""
    return net + net * rate // 100
''',
}


@dataclass
class Heard(Log):
    """A log whose events can be waited for."""

    events: queue.Queue = field(default_factory=queue.Queue)

    def _write(self, level, event, fields):
        self.events.put((level, event, fields))

    def wait_for(self, event):
        while True:
            _, said, fields = self.events.get(timeout=PATIENCE)
            if said == event:
                return fields


@dataclass
class Response:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def reason(self):
        """Why it was refused, of an answer that has the shape of a refusal."""
        assert set(self.json) == {"error"}
        assert set(self.json["error"]) == {"reason", "what", "where", "remedy"}
        assert all(isinstance(value, str) for value in self.json["error"].values())
        return self.json["error"]["reason"]


@dataclass
class Server:
    url: str
    token: str
    log: Heard
    project: Path

    @property
    def port(self):
        return urlsplit(self.url).port

    @property
    def host(self):
        return urlsplit(self.url).hostname

    def connect(self):
        return http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)

    def request(self, method, path, body=None, headers=(), *, token=True, raw=False):
        """One request on a connection of its own; a body that is no bytes goes out as JSON."""
        told = dict(headers)
        if token:
            told.setdefault("Authorization", f"Bearer {self.token}")
        if body is not None and not raw:
            body = json.dumps(body)
            told.setdefault("Content-Type", "application/json")
        connection = self.connect()
        try:
            connection.request(method, path, body, told)
            answer = connection.getresponse()
            return Response(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def get(self, path, headers=(), *, token=True, **query):
        return self.request(
            "GET", f"{path}?{urlencode(query)}" if query else path, None, headers, token=token
        )

    def post(self, path, document, headers=(), **options):
        return self.request("POST", path, document, headers, **options)

    def augment(self, task=TASK, **fields):
        return self.post("/v1/augment", {"root": str(self.project), "task": task, **fields})


@contextmanager
def serving(project, folder, *, where="0", trees=no_trees, workroom=Workroom, **options):
    """Serves in a thread with an event loop of its own, as the daemon does."""
    log = Heard("debug")
    plan = HttpPlan(address(where), str(folder), log=log, **options)
    failures: list[BaseException] = []
    handles: queue.Queue = queue.Queue()

    async def serve():
        ending = asyncio.Event()
        handles.put((asyncio.get_running_loop(), ending))
        room = workroom()
        try:
            await serve_http(plan, room, ending, trees)
        finally:
            room.close()

    def run():
        try:
            asyncio.run(serve())
        except BaseException as error:  # noqa: BLE001 - the test's thread raises it
            failures.append(error)
            log.info("failed")

    thread = threading.Thread(target=run)
    thread.start()
    loop, ending = handles.get(timeout=PATIENCE)
    try:
        while (said := log.events.get(timeout=PATIENCE))[1] not in ("serving HTTP", "failed"):
            log.events.task_done()
        if failures:
            raise failures[0]
        yield Server(said[2]["url"], token_of(str(folder)), log, project)
    finally:
        with suppress(RuntimeError):  # it has ended by itself
            loop.call_soon_threadsafe(ending.set)
        thread.join(PATIENCE)
        assert not thread.is_alive()


@pytest.fixture(scope="session")
def indexed(tmp_path_factory):
    repo = Repo(tmp_path_factory.mktemp("projects") / "streams")
    repo.commit("Begin", **FILES)
    repo.index()
    return repo


@pytest.fixture
def project(tmp_path):
    """A project of the test's own."""
    repo = Repo(tmp_path / "streams")
    repo.commit("Begin", **FILES)
    repo.index()
    return repo


@pytest.fixture(scope="session")
def server(indexed, tmp_path_factory):
    """A server that tests share; they leave nothing behind but receipts."""
    with serving(indexed.root, tmp_path_factory.mktemp("r") / "prebrief") as server:
        yield server


@pytest.fixture
def start(project, tmp_path):
    """Starts a server of the test's own, for the length of a ``with`` block."""

    def start(**options):
        return serving(project.root, tmp_path / "prebrief", **options)

    return start
