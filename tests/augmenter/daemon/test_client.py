"""The hook's client: whatever the daemon is or does, the task comes out, in time."""

from __future__ import annotations

import json
import os
import signal
import threading
import time

import pytest
from daemons import TASK, said, wait_until
from python_process import start_python

from augmenter.app.client import MOST_SENT, WAIT, WAIT_WITHOUT_SIGN
from augmenter.app.daemon.places import socket_in
from augmenter.app.daemon.protocol import (
    ANSWER,
    BUSY,
    MEANWHILE,
    MOST_READ_HERE,
    OTHER,
    REFUSED,
    UNABLE,
    answer_line,
)
from knowledge.version import VERSION

EVENT = {"task": TASK}
LARGE = {**EVENT, "more": "x" * MOST_READ_HERE}  # for which there is no sign that the daemon works
VARYING = ("dispatch_id", "timings_ms")


def is_briefed(done):
    assert (done.code, done.err) == (0, "")
    answer = done.json
    assert answer["prompt"].endswith(TASK)
    return answer["degraded"] is None and bool(answer["offered"])


def briefed(hook, *words, **options):
    """The answer of a hook that is briefed: on a busy machine not each is in time, but each has the task."""
    return wait_until(lambda: [done.json for done in [hook(*words, **options)] if is_briefed(done)])[0]


def test_the_daemon_answers_as_a_process_by_itself(daemon, hook, project):
    alone = briefed(hook, EVENT, cwd=project.root, PREBRIEF_DAEMON="off")
    asked = briefed(hook, EVENT, cwd=project.root)
    assert daemon.status()["work"]["answered"] >= 1
    assert {k: v for k, v in asked.items() if k not in VARYING} == {
        k: v for k, v in alone.items() if k not in VARYING
    }
    assert asked["dispatch_id"] not in ("", alone["dispatch_id"])


@pytest.mark.parametrize(
    ("host", "event"),
    [
        ("claude-code", {"hook_event_name": "UserPromptSubmit", "prompt": TASK, "session_id": "s"}),
        ("codex", {"hook_event_name": "UserPromptSubmit", "prompt": TASK, "session_id": "s"}),
        ("gemini", {"hook_event_name": "BeforeAgent", "prompt": TASK, "session_id": "s"}),
    ],
)
def test_every_host_is_answered_by_the_daemon(daemon, hook, project, host, event):
    def context():
        done = hook({**event, "cwd": str(project.root)}, host=host)
        assert (done.code, done.err) == (0, "")
        return json.loads(done.out or b"{}").get("hookSpecificOutput", {}).get("additionalContext")

    assert "EventStream.close" in wait_until(context)
    assert daemon.status()["work"]["answered"] >= 1


def test_folders_are_relative_to_the_client(daemon, hook, project):
    assert briefed(hook, EVENT, "--root", "src", cwd=project.root)
    assert briefed(hook, EVENT, "--root=.", cwd=project.root / "src")
    assert briefed(hook, {**EVENT, "cwd": "../src"}, cwd=project.root / "docs")
    assert str(project.root) in daemon.status()["work"]["projects"]


def test_without_a_daemon_the_hook_works_by_itself(hook, project):
    assert briefed(hook, EVENT, cwd=project.root)


def test_wrong_usage_stays_wrong_usage(daemon, hook):
    for words, host in ((("--nothing",), "generic"), ((), "nobody"), (("more",), "generic")):
        done = hook(EVENT, *words, host=host)
        assert done.code == 2
        assert "usage:" in done.err
    assert "usage: prebrief hook run" in hook(EVENT, "--help").out.decode()


def test_a_folder_that_others_may_use_is_not_used(daemon, hook, project, place):
    place.chmod(0o755)
    assert briefed(hook, EVENT, cwd=project.root)
    place.chmod(0o700)
    assert daemon.status()["connections"]["let_in"] == 2  # those who asked for the status


def test_a_stale_socket_costs_nothing(daemon, hook, project, place):
    daemon.kill()
    assert os.path.lexists(socket_in(str(place)))
    assert briefed(hook, EVENT, cwd=project.root)


def answering(frame, *, reads=True):
    def behave(connection):
        if reads:
            connection.recv(65536)
        connection.sendall(frame)
        connection.close()

    return behave


@pytest.mark.parametrize(
    "frame",
    [
        answer_line(BUSY),
        answer_line(UNABLE),
        answer_line(REFUSED),
        answer_line(OTHER),
        b"prebrief 2 9.0.0 whatever 1 2 3\n",
        b"",
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"x" * 5000,
        answer_line(ANSWER, 0, 100) + b"only this",
        answer_line(ANSWER, 0, 3) + b"more than this",
        answer_line(MEANWHILE, 0, 2) + b"{}",
        b"prebrief 1 0.1.0 answer 0 -5\n",
        answer_line(ANSWER)[:7],
    ],
    ids=range(13),
)
def test_anything_but_an_answer_lets_the_hook_work_by_itself(impostor, hook, project, frame):
    impostor(answering(frame))
    assert briefed(hook, EVENT, cwd=project.root)


def test_who_hangs_up_at_once_lets_the_hook_work_by_itself(impostor, hook, project):
    impostor(lambda connection: connection.close())
    assert briefed(hook, {**EVENT, "more": "x" * 1_000_000}, cwd=project.root)


def test_a_daemon_that_says_nothing_costs_no_brief(impostor, hook, project):
    impostor(lambda _connection: None)
    assert briefed(hook, EVENT, cwd=project.root)


def test_a_daemon_that_says_nothing_to_a_large_event_costs_a_second_and_the_brief(impostor, hook, project):
    impostor(lambda _connection: None)
    done = hook(LARGE, cwd=project.root)
    assert not is_briefed(done)
    assert done.json["prompt"] == TASK
    assert done.json["degraded"]["reason"] == "deadline-exceeded"


def test_what_came_meanwhile_is_printed_when_no_answer_comes(impostor, hook, project):
    passing = json.dumps({"prompt": TASK, "degraded": {"reason": "mine"}}).encode()

    def behave(connection):
        connection.recv(65536)
        connection.sendall(answer_line(MEANWHILE, 0, len(passing)) + passing)
        over.wait()

    over = impostor(behave)
    done = hook(EVENT, cwd=project.root)
    assert (done.code, done.out) == (0, passing)


def test_a_host_that_needs_no_document_hears_nothing_from_a_daemon_that_hangs(impostor, hook, project):
    over = impostor(lambda _connection: over.wait())
    event = {**LARGE, "hook_event_name": "UserPromptSubmit", "prompt": TASK, "cwd": str(project.root)}
    done = hook(event, host="claude-code")
    assert (done.code, done.out, done.err) == (0, b"", "")


def test_a_daemon_that_is_stopped_costs_no_brief(daemon, hook, project):
    os.kill(daemon.pid, signal.SIGSTOP)
    try:
        assert briefed(hook, EVENT, cwd=project.root)
    finally:
        os.kill(daemon.pid, signal.SIGCONT)


def test_a_daemon_that_is_killed_meanwhile_costs_no_dispatch(daemon, hook, project):
    os.kill(daemon.pid, signal.SIGSTOP)  # so that it is sure to be in the middle
    done = []
    asking = threading.Thread(target=lambda: done.append(hook(EVENT, cwd=project.root)))
    asking.start()
    time.sleep(0.3)
    daemon.kill()
    asking.join()
    assert done[0].json["prompt"].endswith(TASK)
    assert (done[0].code, done[0].err) == (0, "")


def test_a_dispatch_broken_off_early_is_briefed_by_the_hook_itself(impostor, hook, project):
    def behave(connection):
        connection.recv(65536)
        connection.close()  # as the kernel does for a process that is killed

    impostor(behave)
    assert briefed(hook, EVENT, cwd=project.root)


def test_what_the_daemon_cannot_do_the_hook_does(daemon, hook, project, unprivileged):
    """As a daemon in a sandbox, which may not write the ledger of any project but its own."""
    receipts = project.root / ".knowledge" / "receipts"
    receipts.mkdir()
    receipts.rename(receipts.with_name("kept"))
    receipts.write_text("")  # nobody can write there, the hook neither: but it says so itself
    assert wait_until(lambda: hook(EVENT, cwd=project.root).json["degraded"]["reason"] == "ledger-error")
    assert daemon.status()["work"]["passed"]["ledger-error"] >= 1


def test_a_large_event_is_not_sent(daemon, hook, project):
    before = daemon.status()["work"]["answered"]
    done = hook({"task": TASK + " x" * (MOST_SENT // 2)}, cwd=project.root)
    assert done.code == 0
    assert done.json["prompt"].endswith(" x")
    assert daemon.status()["work"]["answered"] == before


def test_an_event_of_megabytes_is_answered_by_the_daemon(daemon, hook, project):
    task = TASK + "\n" + "x" * 3_000_000
    done = hook({"task": task}, cwd=project.root)
    assert done.json["prompt"].endswith(task)


def test_bytes_come_out_as_they_came(daemon, hook, project):
    event = b'{"task": "caf\xe9: %b"}' % TASK.encode()
    answer = briefed(hook, event, cwd=project.root)
    assert b"caf\xe9: Fix" in answer["prompt"].encode("utf-8", "surrogateescape")


@pytest.mark.parametrize("event", [b"", b"null", b"{", b'{"task": 5}', b"\xff" * 100])
def test_an_event_that_cannot_be_used_is_answered_alike(daemon, hook, project, event):
    alone = hook(event, cwd=project.root, PREBRIEF_DAEMON="off").json

    def is_alike():
        asked = hook(event, cwd=project.root)
        assert (asked.code, asked.err, asked.json["prompt"]) == (0, "", alone["prompt"])
        return asked.json["degraded"] == alone["degraded"]

    assert wait_until(is_alike)


def test_a_folder_that_has_gone_is_answered_alike(daemon, hook, project):
    def reason():
        answer = hook(EVENT, "--root", project.root / "nowhere").json
        assert answer["prompt"] == TASK
        return answer["degraded"]["reason"]

    assert wait_until(lambda: reason() == "project-error")


def test_a_client_imports_next_to_nothing(daemon, project):
    telling = """
        import os, sys
        before, leave = set(sys.modules), os._exit
        def tell(code):
            print(*sorted(set(sys.modules) - before), file=sys.stderr, flush=True)
            leave(code)
        os._exit = tell
        from augmenter.app.cli import main
        main()
    """
    words = ("hook", "run", "generic", "--root", project.root)

    def loaded():
        out, err = start_python(telling, *words, stdin=-1, stdout=-1, stderr=-1).communicate(
            json.dumps(EVENT).encode()
        )
        return json.loads(out)["offered"] and err.decode().split()

    # What is ours, and what is not: each takes a millisecond of every dispatch.
    assert {*wait_until(loaded), "__future__"} == {  # which an installation may have loaded before
        *("augmenter", "augmenter.app", "augmenter.app.cli", "augmenter.app.client", "augmenter.app.daemon"),
        *("augmenter.app.daemon.places", "augmenter.app.daemon.protocol", "knowledge", "knowledge.version"),
        *("__future__", "gc", "_socket"),
    }


def test_a_closed_standard_input_and_output_are_borne(daemon, place, project):
    code = (
        "import os, sys; os.close(0); os.close(1); sys.stdin = sys.stdout = None;"
        "from augmenter.app.cli import main; sys.exit(main())"
    )
    process = start_python(code, "hook", "run", "generic", "--root", project.root, stderr=-1)
    assert (process.communicate()[1], process.returncode) == (b"", 0)


def test_a_reader_that_has_gone_is_borne(daemon, project):
    reading, writing = os.pipe()
    os.close(reading)
    words = ("hook", "run", "generic", "--root", project.root)
    code = "import sys; from augmenter.app.cli import main; sys.exit(main())"
    process = start_python(code, *words, stdin=-1, stdout=writing, stderr=-1)
    os.close(writing)
    assert (process.communicate(json.dumps(EVENT).encode())[1], process.returncode) == (b"", 0)


def test_many_hooks_at_once_lose_no_task(daemon, hook, project):
    came = []
    asking = [
        threading.Thread(target=lambda n=n: came.append(hook({"task": f"{n} {TASK}"}, cwd=project.root)))
        for n in range(20)
    ]
    for one in asking:
        one.start()
    for one in asking:
        one.join()
    assert all(done.json["prompt"].endswith(TASK) and done.code == 0 for done in came)
    assert len({done.json["prompt"] for done in came}) == 20


@pytest.fixture
def heard(impostor, hook, project):
    """What a hook says to the daemon: words of the first line, and what of the rest came along with it."""

    def heard(event, *words):
        came = []

        def behave(connection):
            came.append(connection.recv(65536))
            connection.close()

        impostor(behave)
        hook(event, *words, cwd=project.root)
        line, _, body = wait_until(lambda: came and came[0]).partition(b"\n")
        return line.decode().split(" "), body

    return heard


def test_the_client_says_what_it_is(heard, project):
    words, body = heard(EVENT, "--root", "x")
    assert words[:5] == ["prebrief", "1", VERSION, "hook", "generic"]
    assert body == b"x" + os.fsencode(project.root) + json.dumps(EVENT).encode()


@pytest.mark.parametrize(
    ("event", "wait"), [(EVENT, WAIT), (LARGE, WAIT_WITHOUT_SIGN)], ids=["small", "large"]
)
def test_the_daemon_is_told_to_end_before_its_client_does(heard, event, wait):
    words, _ = heard(event)
    assert 500 < int(words[5]) < wait * 1000


def test_connections_are_as_they_are(daemon, connect):
    """What the other tests here rely on: raw bytes get through to the daemon."""
    connection = connect()
    connection.sendall(b"nonsense\n")
    assert said(connection) == answer_line(REFUSED)
