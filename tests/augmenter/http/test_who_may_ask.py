"""Tokens, names and origins: who is let in, and what the others are told."""

from __future__ import annotations

import http.client
import socket

import pytest

WITH_TOKEN = [
    ("POST", "/v1/augment"),
    ("POST", f"/v1/dispatches/{'0' * 26}/outcome"),
    ("GET", "/v1/receipts"),
    ("GET", f"/v1/receipts/{'0' * 26}"),
    ("GET", "/metrics"),
    ("GET", "/openapi.json"),
    ("GET", "/nowhere"),
    ("DELETE", "/v1/receipts"),
    ("GET", "/health/"),
    ("GET", "//health"),
]


def raw(server, *lines):
    """The answer to a request that no client library would send."""
    with socket.create_connection((server.host, server.port), timeout=60) as connection:
        connection.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1"))
        response = http.client.HTTPResponse(connection)
        response.begin()
        return response.status, response.read()


@pytest.mark.parametrize(("method", "path"), WITH_TOKEN)
def test_without_the_token_nothing_is_answered_not_even_what_there_is(server, method, path):
    answer = server.request(method, path, token=False)
    assert (answer.status, answer.reason) == (401, "no-token")
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="prebrief"'


@pytest.mark.parametrize(
    "shown",
    ["", "Bearer", "Bearer ", "Bearer wrong", "Basic {}", "{}", "Bearer {}x", "Bearer x{}", "Bearer {},{}"],
)
def test_only_the_token_is_the_token(server, shown):
    header = {"Authorization": shown.replace("{}", server.token)}
    assert server.get("/metrics", header, token=False).status == 401


@pytest.mark.parametrize("shown", ["bearer {}", "BEARER {}", "Bearer  {}"])
def test_the_scheme_is_written_as_one_likes(server, shown):
    header = {"Authorization": shown.format(server.token)}
    assert server.get("/metrics", header, token=False).status == 200


def test_bytes_that_are_no_ascii_are_no_token(server):
    header = {"Authorization": "Bearer \xe4\xf6\xfc"}
    assert server.get("/metrics", header, token=False).status == 401


@pytest.mark.parametrize("second", ["{}", "wrong"])
def test_two_tokens_are_none(server, second):
    shown = f"Authorization: Bearer {server.token}"
    host = f"Host: 127.0.0.1:{server.port}"
    other = f"Authorization: Bearer {second.replace('{}', server.token)}"
    assert raw(server, "GET /metrics HTTP/1.1", host, shown)[0] == 200
    assert raw(server, "GET /metrics HTTP/1.1", host, shown, other)[0] == 401
    assert raw(server, "GET /metrics HTTP/1.1", host, other, shown)[0] == 401


@pytest.mark.parametrize("host", ["127.0.0.1:{}", "localhost:{}", "LocalHost:{}", "[::1]:{}", "127.0.0.2:{}"])
def test_the_names_of_this_machine_are_ours(server, host):
    assert server.get("/health", {"Host": host.format(server.port)}).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{}",
        "127.0.0.1",
        "localhost",
        "localhost:1",
        "localhost:{}0",
        "localhost:+{}",
        "127.0.0.1.evil.example:{}",
        "localhost.evil.example:{}",
        "10.0.0.1:{}",
        "0.0.0.0:{}",
        "::1:{}",
        "[127.0.0.1]:{}",
        "[::2]:{}",
        "[::1",
        "user@localhost:{}",
        "",
    ],
)
@pytest.mark.parametrize("path", ["/health", "/metrics"])
def test_other_names_lead_here_only_by_a_trick(server, host, path):
    answer = server.get(path, {"Host": host.format(server.port)})
    assert (answer.status, answer.reason) == (403, "foreign-host")


def test_who_does_not_say_whom_it_asks_is_not_answered(server):
    status, _ = raw(server, "GET /health HTTP/1.0")
    assert status == 403


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "", "http://127.0.0.1:{}", "file://"])
def test_pages_may_not_ask(server, origin):
    answer = server.augment()
    assert answer.status == 200
    told = {"Origin": origin.format(server.port)}
    for path in ("/health", "/metrics"):
        answer = server.get(path, told)
        assert (answer.status, answer.reason) == (403, "foreign-origin")


def test_pages_of_an_origin_that_is_allowed_may_ask_but_are_not_let_read_by_browsers(start):
    with start(origins=("https://dashboard.example",)) as server:
        answer = server.get("/metrics", {"Origin": "https://dashboard.example"})
        assert answer.status == 200
        assert not [name for name in answer.headers if name.lower().startswith("access-control-")]
        for other in (
            "https://dashboard.example.evil",
            "http://dashboard.example",
            "https://DASHBOARD.example",
        ):
            assert server.get("/metrics", {"Origin": other}).status == 403


def test_a_browsers_question_whether_it_may_ask_is_not_answered(server):
    asked = {"Access-Control-Request-Method": "POST", "Origin": "https://evil.example"}
    assert server.request("OPTIONS", "/v1/augment", None, asked, token=False).status == 403
    answer = server.request("OPTIONS", "/v1/augment")
    assert (answer.status, answer.reason) == (405, "wrong-method")
    assert answer.headers["Allow"] == "POST"


def test_a_head_is_answered_without_a_body(server):
    for path in ("/health", "/metrics", "/openapi.json"):
        answer = server.request("HEAD", path)
        assert (answer.status, answer.body) == (200, b"")
        assert int(answer.headers["Content-Length"]) > 0
    assert server.request("HEAD", "/v1/augment").status == 405


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "MADEUP"])
def test_other_methods_are_told_which_ones_there_are(server, method):
    answer = server.request(method, "/v1/receipts")
    assert (answer.status, answer.reason) == (405, "wrong-method")
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD"}


@pytest.mark.parametrize(
    "path", ["/", "/v1", "/v1/augment/", "/v2/augment", "/v1/receipts/", "/../etc/passwd"]
)
def test_what_there_is_not_is_not_found(server, path):
    answer = server.get(path)
    assert (answer.status, answer.reason) == (404, "not-found")


def test_answers_are_not_kept_nor_guessed_at(server):
    for answer in (server.get("/metrics"), server.augment(), server.get("/nowhere")):
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "Server" not in answer.headers


@pytest.mark.parametrize(
    "kind", [None, "text/plain", "application/x-www-form-urlencoded", "application/json5"]
)
def test_a_body_that_is_not_said_to_be_json_is_not_read(server, kind):
    headers = {} if kind is None else {"Content-Type": kind}
    answer = server.request("POST", "/v1/augment", b'{"task": "x"}', headers, raw=True)
    assert (answer.status, answer.reason) == (415, "not-json")


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("application/json; charset=utf-8", 200),
        ('Application/JSON;charset="UTF-8"', 200),
        ("application/json; charset=latin-1", 415),
        ("application/json, text/plain", 415),
    ],
)
def test_json_is_in_utf_8(server, kind, status):
    assert server.augment(record=False).status == 200
    document = {"root": str(server.project), "task": "x"}
    assert server.post("/v1/augment", document, {"Content-Type": kind}).status == status


def test_a_compressed_body_is_not_unpacked(server):
    assert server.post("/v1/augment", {"task": "x"}, {"Content-Encoding": "gzip"}).status == 415
