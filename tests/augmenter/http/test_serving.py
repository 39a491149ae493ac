"""``prebrief serve --http``: what it takes and refuses, in real processes."""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from http.client import HTTPConnection
from pathlib import Path

import pytest
from prebrief_command import write_command
from python_process import modules_imported_with

from augmenter.app.http import bodies
from augmenter.app.http.guards import Access
from augmenter.app.http.options import Address, address
from augmenter.app.http.replies import Refusal
from knowledge.errors import PrebriefError

PATIENCE = 60.0
WITHOUT_EXTRA = """\
import sys
for name in ("starlette", "uvicorn"):
    sys.modules[name] = None
from augmenter.app.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def command(tmp_path, monkeypatch):
    """`prebrief` with a runtime folder of its own."""
    monkeypatch.setenv("PREBRIEF_RUNTIME", str(tmp_path / "r"))
    return str(write_command(tmp_path / "bin" / "prebrief"))


@pytest.fixture
def run(command):
    def run(*words):
        return subprocess.run(
            [command, *words], capture_output=True, text=True, check=False, timeout=PATIENCE
        )

    return run


@pytest.fixture
def begin(command, tmp_path):
    """Starts `prebrief serve`; returns its process and what it tells of HTTP."""
    begun = []

    def begin(*words):
        process = subprocess.Popen(
            [command, "serve", "--root", str(tmp_path), "--no-watch", *words],
            stderr=subprocess.PIPE,
            text=True,
        )
        reader = threading.Thread(target=process.stderr.read)
        begun.append((process, reader))
        for line in process.stderr:
            if "serving HTTP" in line:
                reader.start()
                return process, re.search(r"url='(.*?)'", line)[1]
        raise AssertionError(process.wait())

    yield begin
    for process, reader in begun:
        process.kill()
        process.wait()
        if reader.ident:
            reader.join(PATIENCE)
        process.stderr.close()


def get(url, path, token=""):
    host, _, port = url.removeprefix("http://").rpartition(":")
    connection = HTTPConnection(host.strip("[]"), int(port), timeout=PATIENCE)
    connection.request("GET", path, headers={"Authorization": f"Bearer {token}"} if token else {})
    response = connection.getresponse()
    try:
        return response.status, response.read()
    finally:
        connection.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_until_the_daemon_ends(begin, run, number):
    process, url = begin("--http", "0")
    path = run("serve", "--http-token").stdout.strip()
    token = Path(path).read_text().strip()
    assert get(url, "/health")[0] == 200
    assert get(url, "/metrics")[0] == 401
    status, text = get(url, "/metrics", token)
    assert status == 200
    assert b"prebrief_index_runs_total" in text
    process.send_signal(number)
    assert process.wait(PATIENCE) == 0
    with pytest.raises(ConnectionRefusedError):
        get(url, "/health")


def test_it_ends_with_a_client_connected_that_says_nothing(begin, run):
    process, url = begin("--http", "0")
    with socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2]))) as silent:
        silent.sendall(b"GET /health HTTP/1.1\r\nHo")
        began = time.monotonic()
        assert run("serve", "--stop").returncode == 0
        assert process.wait(PATIENCE) == 0
        assert time.monotonic() - began < PATIENCE / 2


def test_the_token_outlives_the_daemon(begin, run):
    path = Path(run("serve", "--http-token").stdout.strip())
    before = path.read_text()
    process, _ = begin("--http", "0")
    process.terminate()
    process.wait(PATIENCE)
    assert path.read_text() == before
    assert json.loads(run("serve", "--http-token", "--json").stdout)["token_file"] == str(path)


def test_a_port_that_is_taken_is_told_and_ends_the_daemon(run):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("serve", "--http", str(port), "--log-level", "silent")
    assert done.returncode == 1
    assert f"http://127.0.0.1:{port}: this address cannot be listened at" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_address_of_another_machine_is_told(run):
    done = run("serve", "--http", "192.0.2.1:8787", "--allow-remote", "--log-level", "silent")
    assert done.returncode == 1
    assert "this address cannot be listened at" in done.stderr


@pytest.mark.parametrize("where", ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"])
def test_beyond_this_machine_it_is_served_only_if_told(run, where):
    done = run("serve", "--http", where)
    assert done.returncode == 1
    assert "--allow-remote" in done.stderr
    assert "serving" not in done.stderr


def test_told_to_it_is_served_beyond_and_says_so_loudly(start):
    with start(where="0.0.0.0:0", is_remote_allowed=True) as server:
        assert get(f"http://127.0.0.1:{server.port}", "/health")[0] == 200


def test_other_machines_may_call_us_by_an_address_and_by_no_name():
    access = Access("token", 8787, is_remote=True)
    for host in (b"192.0.2.1:8787", b"[2001:db8::1]:8787", b"localhost:8787"):
        access.check_caller([(b"host", host)])
    for host in (b"evil.example:8787", b"192.0.2.1:80", b"192.0.2.1"):
        with pytest.raises(Refusal):
            access.check_caller([(b"host", host)])


def test_ipv6_is_served(start):
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            pass
    except OSError:
        pytest.skip("this machine has no IPv6")
    with start(where="[::1]:0") as server:
        assert server.url.startswith("http://[::1]:")
        assert server.get("/health").status == 200


def test_without_the_extra_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setenv("PREBRIEF_RUNTIME", str(tmp_path / "r"))
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_EXTRA, "serve", "--http", "0"],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode == 1
    assert "pip install 'prebrief[serve]'" in done.stderr
    assert not os.path.lexists(tmp_path / "r" / "daemon.sock")


def test_nothing_of_it_is_imported_where_it_is_not_served():
    heavy = {"starlette", "uvicorn", "h11", "pydantic", "augmenter.app.http.serving"}
    assert not modules_imported_with("augmenter.app.commands.serve", heavy)
    assert not modules_imported_with("augmenter.app.http.application", {"starlette", "uvicorn", "h11"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8787", Address("127.0.0.1", 8787)),
        (":8787", Address("127.0.0.1", 8787)),
        ("localhost:1", Address("127.0.0.1", 1)),
        ("127.0.0.1:65535", Address("127.0.0.1", 65535)),
        ("[::1]:0", Address("::1", 0)),
        ("[0:0::1]:0", Address("::1", 0)),
        ("0.0.0.0:80", Address("0.0.0.0", 80)),
    ],
)
def test_addresses_are_read(text, expected):
    assert address(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "65536",
        "-1",
        "127.0.0.1",
        "example.org:80",
        "::1:80",
        "[127.0.0.1]:80",
        "[::1]",
        "[]:1",
        "1:٣",
    ],
)
def test_what_is_no_address_is_wrong_usage(run, text):
    with pytest.raises(argparse.ArgumentTypeError):
        address(text)
    if text in ("x", "65536"):
        assert run("serve", "--http", text).returncode == 2


def test_what_is_too_much_at_once_is_told_to_come_again(start, monkeypatch):
    monkeypatch.setattr(bodies, "MOST_REQUESTS", 2)
    with start(body_seconds=2 * PATIENCE) as server:
        held = []
        for _ in range(2):
            connection = server.connect()
            connection.putrequest("POST", "/v1/augment")
            for name, value in (
                ("Authorization", f"Bearer {server.token}"),
                ("Content-Type", "application/json"),
                ("Content-Length", "100"),
            ):
                connection.putheader(name, value)
            connection.endheaders(b"{")
            held.append(connection)
        until = time.monotonic() + PATIENCE
        while (answer := server.get("/openapi.json")).status == 200 and time.monotonic() < until:
            pass
        assert (answer.status, answer.reason) == (503, "busy")
        assert answer.headers["Retry-After"] == "1"
        assert server.get("/health").status == 200
        for connection in held:
            connection.close()
        until = time.monotonic() + PATIENCE
        while server.get("/openapi.json").status != 200:
            assert time.monotonic() < until


def test_bodies_together_take_no_more_than_is_granted(start, monkeypatch):
    monkeypatch.setattr(bodies, "MOST_HELD", 1000)
    with start() as server:
        answer = server.augment("x" * 1000)
        assert (answer.status, answer.reason) == (503, "busy")
        assert server.augment("x").status == 200


def test_the_plan_is_checked_where_it_is_carried_out(start):
    with pytest.raises(PrebriefError, match="--allow-remote"), start(where="0.0.0.0:0"):
        pass


def test_answers_do_not_wait_for_the_client_to_acknowledge_their_heads(server):
    """What TCP does unless told otherwise: 40 ms with each answer on a connection that is kept."""
    connection = server.connect()
    headers = {"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"}
    took = []
    for _ in range(40):
        began = time.perf_counter()
        connection.request("POST", "/v1/augment", json.dumps({"task": "x", "root": "/nowhere"}), headers)
        assert connection.getresponse().read()
        took.append(time.perf_counter() - began)
    connection.close()
    assert min(took[20:]) < 0.03
