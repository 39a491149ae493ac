"""The daemon's socket: bad frames, slow and many clients, other versions, no files left; its life."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from daemons import COMMAND, TASK, ask_status, said, wait_until
from python_process import REPOSITORY

from augmenter.app.daemon.places import lock_in, socket_in
from augmenter.app.daemon.protocol import (
    ANSWER,
    BUSY,
    HOOK,
    MEANWHILE,
    OTHER,
    REFUSED,
    STATUS,
    STOP,
    Request,
    answer_line,
    parse_answer,
)
from augmenter.app.daemon.server import HEADER_SECONDS, MOST_CONNECTIONS
from knowledge.version import VERSION

EVENT = json.dumps({"task": TASK}).encode()
NEWER, OLDER = "999.0.0", "0.0.1"


def request(root, event=EVENT, milliseconds=60_000, **more):
    folder = os.fsencode(root)
    lengths = (len(folder), 0, len(event))
    return Request(HOOK, "generic", milliseconds, lengths, **more).line() + folder + event


def frames(data):
    """Each word, with its bytes."""
    found = []
    while data:
        line, _, rest = data.partition(b"\n")
        word, _, length = parse_answer(line)
        found.append((word, rest[:length]))
        data = rest[length:]
    return found


def ask(connect, data):
    connection = connect()
    connection.sendall(data)
    return frames(said(connection))


def is_well(connect, project):
    """Whether the daemon still briefs."""
    (first, meanwhile), (last, answer) = ask(connect, request(project.root))
    assert (first, last) == (MEANWHILE, ANSWER)
    assert json.loads(meanwhile)["prompt"] == TASK
    return bool(json.loads(answer)["offered"])


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"\n",
        b"\0" * 10_000,
        b"prebrief 1 x\n",
        b"prebrief 1 0.1.0 hook generic 1000 0 0 99999999\n",
        Request(HOOK, "nobody").line(),
        Request(HOOK, "../generic").line(),
    ],
    ids=range(7),
)
def test_what_is_no_request_is_refused(daemon, connect, project, data):
    assert ask(connect, data) == [(REFUSED, b"")]
    assert is_well(connect, project)


def test_half_a_header_is_cut_off_in_time(daemon, connect, project):
    connection = connect()
    began = time.monotonic()
    connection.sendall(request(project.root)[:10])
    assert said(connection) == b""
    assert time.monotonic() - began >= HEADER_SECONDS * 0.9
    assert is_well(connect, project)


def test_a_header_that_promises_much_costs_no_memory(daemon, connect, project):
    before = daemon.status()["rss_mib"]
    connection = connect()
    connection.sendall(Request(HOOK, "generic", 1000, (0, 0, 50 * 1024 * 1024)).line() + b"{")
    assert daemon.status()["rss_mib"] < before + 20
    assert said(connection) == b""  # its time is up
    assert wait_until(lambda: daemon.status()["connections"]["broken"])
    assert is_well(connect, project)


def test_promises_beyond_what_is_held_are_turned_away(daemon, connect, project):
    promised = [connect() for _ in range(3)]
    for connection in promised:
        connection.sendall(Request(HOOK, "generic", 3000, (0, 0, 60 * 1024 * 1024)).line())
    # Whichever comes last of them; the others' time runs out.
    assert sorted(frames(said(connection)) for connection in promised) == [[], [], [(BUSY, b"")]]
    assert is_well(connect, project)


def test_fifty_megabytes_are_answered_or_passed_through(daemon, connect, project):
    event = json.dumps({"task": TASK + "x" * 50_000_000}).encode()
    ((word, answer),) = ask(connect, request(project.root, event))
    assert word == ANSWER
    assert json.loads(answer)["prompt"].endswith("x" * 1000)
    assert is_well(connect, project)


def test_a_byte_at_a_time_is_cut_off_at_its_deadline(daemon, connect, project):
    connection = connect()
    began = time.monotonic()
    data = request(project.root, milliseconds=1500)
    start = data.index(b"\n") + 1
    connection.sendall(data[:start])
    sent = start
    with contextlib.suppress(OSError):
        while sent < len(data):
            connection.sendall(data[sent : sent + 1])
            sent += 1
            time.sleep(0.1)
    assert sent < len(data)
    assert time.monotonic() - began >= 1.0
    assert is_well(connect, project)


def test_more_bytes_than_announced_break_it_off(daemon, connect, project):
    assert ask(connect, request(project.root) + b"more")[-1:] in ([], [(MEANWHILE, b"")])
    assert is_well(connect, project)


def test_clients_that_go_away_cost_nothing(daemon, connect, project):
    for cut in (0, 5, 60, None):
        connection = connect()
        connection.sendall(request(project.root)[:cut])
        connection.close()
    assert wait_until(lambda: daemon.status()["connections"]["now"] == 1)
    assert is_well(connect, project)


def test_two_hundred_connections_at_once(daemon, connect, project):
    silent = [connect() for _ in range(150)]
    asking = [connect() for _ in range(50)]
    for number, connection in enumerate(asking):
        connection.sendall(request(project.root, json.dumps({"task": f"{number} {TASK}"}).encode()))
    for connection in asking:
        word, answer = frames(said(connection))[-1]
        assert word == ANSWER
        assert json.loads(answer)["prompt"].endswith(TASK)
    assert {said(connection) for connection in silent} == {b""}
    assert daemon.status()["connections"]["turned_away"] == 0


def test_more_connections_than_there_is_place_for_are_told_so(daemon, connect, project):
    connections = [connect() for _ in range(MOST_CONNECTIONS + 50)]
    heard = [said(connection) for connection in connections]
    assert set(heard) == {b"", answer_line(BUSY)}
    assert is_well(connect, project)


def test_without_files_left_clients_are_told_so(daemon, connect, project):
    assert is_well(connect, project)
    highest = max(int(one.name) for one in Path(f"/proc/{daemon.pid}/fd").iterdir())
    limits = resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE, (highest + 5, limits[1]))
    try:
        silent = [connect() for _ in range(40)]
        assert {said(one) for one in silent} == {b"", answer_line(BUSY)}
    finally:
        resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE, limits)
    assert is_well(connect, project)


@pytest.mark.parametrize("protocol", [1, 2])
def test_a_newer_client_is_told_and_the_daemon_makes_room(daemon, connect, project, place, protocol):
    data = request(project.root, version=NEWER, protocol=protocol)
    assert ask(connect, data) == [(OTHER, b"")]
    assert daemon.has_ended()
    assert daemon.process.returncode == 0
    assert not os.path.lexists(socket_in(str(place)))


@pytest.mark.parametrize("version", [OLDER, f"{VERSION}rc1", f"{VERSION}+local"])
def test_a_client_that_is_not_newer_is_told_and_the_daemon_stays(daemon, connect, project, version):
    """Two installations whose numbers are the same would end each other's daemons for ever."""
    assert ask(connect, request(project.root, version=version)) == [(OTHER, b"")]
    assert is_well(connect, project)
    assert daemon.status()["connections"]["other_version"] == 1


def test_status_and_stop_work_across_versions(daemon, connect):
    ((word, told),) = ask(connect, Request(STATUS, version=NEWER).line())
    assert (word, json.loads(told)["version"]) == (ANSWER, VERSION)
    ((word, told),) = ask(connect, Request(STOP, version=OLDER).line())
    assert word == ANSWER
    assert daemon.has_ended()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_when_what_was_begun_is_done(daemon, connect, project, place, number):
    connection = connect()
    connection.sendall(request(project.root))
    assert connection.recv(8) == b"prebrief"  # it has been read
    os.kill(daemon.pid, number)
    assert json.loads(frames(b"prebrief" + said(connection))[-1][1])["offered"]
    assert daemon.has_ended()
    assert daemon.process.returncode == 0
    assert not os.path.lexists(socket_in(str(place)))


def test_of_two_that_start_at_once_one_stays(launch):
    processes = [launch("--no-watch", "--detached") for _ in range(3)]
    pid = wait_until(ask_status)["pid"]
    assert wait_until(lambda: sum(one.poll() is not None for one in processes) == 2)
    assert [one.poll() for one in processes if one.pid != pid] == [0, 0]
    assert ask_status()["pid"] == pid


def test_a_second_one_in_the_foreground_says_so(daemon, launch):
    second = launch("--no-watch")
    assert second.wait(60) == 1
    assert "a daemon is running already" in second.log.read_text()


def test_the_socket_of_a_killed_daemon_is_taken_over(serve, connect, project, place):
    serve("--no-watch").kill()
    assert os.path.lexists(socket_in(str(place)))
    serve("--no-watch")
    assert is_well(connect, project)


def test_a_daemon_whose_socket_was_taken_away_ends(daemon, place):
    Path(socket_in(str(place))).unlink()
    assert daemon.has_ended()


def test_a_daemon_ends_when_nothing_was_asked_for_long(launch, place):
    code = (
        "from augmenter.app.daemon import running; from augmenter.app.logs import Log;"
        "running.LOOK_SECONDS = 0.1;"
        f"running.run_daemon(running.Plan({str(place)!r}, Log(), idle_seconds=0.5))"
    )
    process = launch(code=code)
    assert process.wait(60) == 0
    assert os.path.lexists(lock_in(str(place)))


def command(*words):
    return subprocess.run(
        [sys.executable, "-c", COMMAND, "serve", *words], cwd=REPOSITORY, capture_output=True, check=False
    )


def test_status_and_stop_by_command(serve, connect, project, place):
    none = command("--status")
    assert (none.returncode, none.stdout) == (1, b"No daemon is running.\n")
    assert json.loads(command("--status", "--json").stdout)["running"] is False
    assert command("--stop").stdout == b"No daemon is running.\n"
    daemon = serve("--no-watch")
    assert is_well(connect, project)
    told = command("--status").stdout.decode()
    assert f"process {daemon.pid}" in told
    assert str(project.root) in told
    document = json.loads(command("--status", "--json").stdout)
    assert document["running"] is True
    assert document["work"]["p50"] > 0
    done = command("--stop")
    assert (done.returncode, done.stdout.decode()) == (0, f"The daemon (process {daemon.pid}) has ended.\n")
    assert daemon.has_ended()


def test_a_daemon_that_does_not_answer_is_an_error_with_a_remedy(impostor):
    impostor(lambda connection: (connection.recv(100), connection.sendall(b"what?\n"), connection.close()))
    done = command("--status")
    assert done.returncode == 1
    assert b"the daemon does not answer" in done.stderr
    assert b"hooks work without one" in done.stderr


def test_the_log_tells_what_happens(serve, connect, project):
    daemon = serve("--no-watch")
    assert is_well(connect, project)
    daemon.process.terminate()
    assert daemon.has_ended()
    events = [line.partition("event='")[2].partition("'")[0] for line in daemon.log.read_text().splitlines()]
    told = ["serving", "leaving", "ended"]
    assert [event for event in events if event in told] == told


def test_the_log_tells_of_every_connection_but_not_what_was_said(serve, connect, project):
    daemon = serve("--no-watch")
    assert is_well(connect, project)
    ask(connect, b"nonsense\n")
    ask(connect, request(project.root, version=NEWER, protocol=2))
    assert daemon.has_ended()
    log = daemon.log.read_text()
    told = [line for line in log.splitlines() if "event='connection'" in line]
    size = len(EVENT) + len(os.fsencode(project.root))
    assert any(f"asked='generic' bytes={size} milliseconds=" in line for line in told)
    assert [line for line in told if "asked='status' bytes=0" in line]
    assert [line for line in told if "asked='nothing that can be understood'" in line]
    assert [line for line in told if "asked='another protocol'" in line]
    assert TASK not in log


def test_a_daemon_whose_log_nobody_reads_works_and_ends(serve, connect, project):
    reading, writing = os.pipe()
    daemon = serve("--no-watch", stderr=writing)
    os.close(writing)
    os.close(reading)
    assert is_well(connect, project)
    assert ask(connect, b"nonsense\n") == [(REFUSED, b"")]
    daemon.process.terminate()
    assert daemon.has_ended()
    assert daemon.process.returncode == 0
