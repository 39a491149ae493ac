"""Clients that send too much, too slowly, or nonsense: each is turned away, and the next one is served."""

from __future__ import annotations

import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

LONGEST_WAIT = 60.0  # seconds until a test gives up, on a loaded machine
CHUNK = b"a" * 65536
MANY = 50_000_000  # bytes
MOST_HELD = 20.0  # MiB that the server may grow by meanwhile, and the test with it
GRANTED = 3.0  # seconds, to the slowest: much less than by default, that nobody waits here

NO_HTTP = {
    "TLS": b"\x16\x03\x01\x02\x00 hello\r\n\r\n",
    "a word": b"hello\r\n\r\n",
    "no header": b"GET /health HTTP/1.1\r\nno header\r\n\r\n",
    "no Host": b"GET /health HTTP/1.1\r\n\r\n",
    "two Hosts": b"GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "NUL in the path": b"GET /\x00 HTTP/1.1\r\nHost: a\r\n\r\n",
    "negative length": b"POST /v1/augment HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    "two lengths": b"POST /v1/augment HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    "NUL in a header": b"GET /health HTTP/1.1\r\nHost: a\r\nX: \x00\r\n\r\n",
}


@contextmanager
def opened(server, data=b""):
    """A connection on which something has been sent."""
    with socket.create_connection((server.host, server.port), timeout=LONGEST_WAIT) as connection:
        connection.sendall(data)
        yield connection


def all_of(connection):
    """What is answered until the server hangs up."""
    found = b""
    try:
        while piece := connection.recv(65536):
            found += piece
    except ConnectionResetError:
        pass
    return found


def say(server, data):
    """What a server says to some bytes until it hangs up, and after how many seconds it does."""
    began = time.monotonic()
    with opened(server, data) as connection:
        return all_of(connection), time.monotonic() - began


def head(server, line, *more):
    """The head of a request."""
    host, bearer = f"Host: {server.host}:{server.port}", f"Authorization: Bearer {server.token}"
    return "\r\n".join((line, host, bearer, *more, "", "")).encode()


def health(server, *more):
    return head(server, "GET /health HTTP/1.1", *more)


def post(server, *more):
    return head(server, "POST /v1/augment HTTP/1.1", "Content-Type: application/json", *more)


def answers(data):
    """Statuses and bodies of several answers in a row; each that is a refusal has the shape of one."""
    found = []
    while data:
        top, _, rest = data.partition(b"\r\n\r\n")
        headers = dict(line.lower().split(b": ", 1) for line in top.split(b"\r\n")[1:])
        length = int(headers[b"content-length"])
        document, data = json.loads(rest[:length]), rest[length:]
        status = int(top.split()[1])
        assert status < 400 or set(document["error"]) == {"reason", "what", "where", "remedy"}
        found.append((status, document))
    return found


def statuses(data):
    return [status for status, _ in answers(data)]


def held():
    """MiB that this process, in which the server is, holds of memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 2**20


@contextmanager
def bounded_memory():
    before = held()
    yield
    assert held() - before < MOST_HELD


def test_a_body_that_says_it_is_too_large_is_refused(server):
    body = b"a" * MANY
    with bounded_memory():
        answer = server.post("/v1/augment", body, {"Content-Type": "application/json"}, raw=True)
    assert (answer.status, answer.reason) == (413, "too-large")


def test_a_body_without_a_length_is_kept_no_further_than_allowed(server):
    pieces = (CHUNK for _ in range(MANY // len(CHUNK)))
    with bounded_memory():
        answer = server.post("/v1/augment", pieces, {"Content-Type": "application/json"}, raw=True)
    assert (answer.status, answer.reason) == (413, "too-large")


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer no"}, {"Host": "evil.example"}])
def test_a_large_body_of_somebody_who_may_not_ask_is_kept_even_less(server, headers):
    pieces = (CHUNK for _ in range(MANY // len(CHUNK)))
    with bounded_memory():
        answer = server.post("/v1/augment", pieces, headers, raw=True, token=False)
    assert answer.status in (401, 403)


def test_a_body_that_waits_to_be_asked_for_is_not_asked_for_in_vain(server):
    with opened(server, post(server, "Content-Length: 99999999", "Expect: 100-continue")) as connection:
        assert connection.recv(65536).startswith(b"HTTP/1.1 413")


def test_a_body_as_large_as_allowed_is_read(server):
    task = "a" * (2 * 1024 * 1024 - 1000)
    answer = server.augment(task, record=False)
    assert answer.status == 200
    assert answer.json["prompt"].endswith(task)


def test_a_head_that_is_too_large_is_refused(server):
    answer, _ = say(server, health(server, "Connection: close", f"X: {'a' * 17_000}"))
    assert statuses(answer) == [431]


def test_a_head_without_an_end_costs_the_connection(server):
    with (
        bounded_memory(),
        opened(server, b"GET /health HTTP/1.1\r\n") as connection,
        suppress(ConnectionError),
    ):
        for _ in range(MANY // len(CHUNK)):
            connection.sendall(b"X: " + CHUNK)
        pytest.fail("all was taken")
    assert server.augment(record=False).status == 200


@pytest.mark.parametrize("text", NO_HTTP.values(), ids=NO_HTTP.keys())
def test_what_is_no_http_is_refused_in_the_one_shape(server, text):
    answer, _ = say(server, text)
    assert statuses(answer) == [400]


def test_a_connection_takes_several_requests(server):
    connection = server.connect()
    for _ in range(3):
        connection.request("GET", "/health")
        answer = connection.getresponse()
        assert (answer.status, answer.will_close) == (200, False)
        answer.read()
    connection.close()


def test_requests_on_the_heels_of_others_are_answered_in_order(server):
    answer, _ = say(server, health(server) + post(server, "Content-Length: 2", "Connection: close") + b"[]")
    assert statuses(answer) == [200, 422]


def test_garbage_on_the_heels_of_a_request_costs_the_connection_and_no_more(server):
    answer, _ = say(server, health(server) + b"\x00\x01 garbage\r\n\r\n" + health(server))
    assert statuses(answer) == [200, 400]


def test_a_client_that_goes_away_is_forgotten(server):
    for _ in range(5):
        with opened(server, post(server, "Content-Length: 100") + b"{"):
            pass
    assert server.augment(record=False).status == 200


def test_an_upgrade_is_not_taken_up(server):
    answer, _ = say(server, health(server, "Connection: Upgrade, close", "Upgrade: websocket"))
    assert statuses(answer) == [200]


def test_slow_clients_are_not_waited_for_for_ever(start):
    with start(head_seconds=GRANTED, body_seconds=GRANTED) as server:
        slow = {
            "says nothing": b"",
            "half a head": b"GET /hea",
            "half a body": post(server, "Content-Length: 100") + b"{",
            "half a chunk": post(server, "Transfer-Encoding: chunked") + b"10\r\n{",
        }
        with ThreadPoolExecutor(len(slow)) as threads:
            waiting = {name: threads.submit(say, server, text) for name, text in slow.items()}
            assert server.augment(record=False).status == 200  # meanwhile
            heard = {name: told.result() for name, told in waiting.items()}
    assert {name: statuses(answer) for name, (answer, _) in heard.items()} == {
        "says nothing": [],
        "half a head": [],
        "half a body": [408],
        "half a chunk": [408],
    }
    assert all(GRANTED * 0.9 < seconds < 10 * GRANTED for _, seconds in heard.values())


def test_a_client_that_never_stops_dripping_is_cut_off(start):
    def drip():
        until = time.monotonic() + LONGEST_WAIT
        while time.monotonic() < until:
            connection.sendall(b"X")
            time.sleep(0.1)

    with (
        start(head_seconds=GRANTED) as server,
        opened(server, b"GET /health HTTP/1.1\r\n") as connection,
        pytest.raises(ConnectionError),
    ):
        drip()


def test_many_connections_that_say_nothing_keep_nobody_out(server):
    waiting = [socket.create_connection((server.host, server.port)) for _ in range(200)]
    try:
        assert server.augment(record=False).status == 200
    finally:
        for connection in waiting:
            connection.close()
