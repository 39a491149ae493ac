# ruff: noqa: T201 - a command line
"""The daemon under load: whole hooks, and arrivals at its socket, on real repositories.

    python -m evals.load --root CHECKOUT [--root CHECKOUT …] --tasks GOLD.jsonl [GOLD.jsonl …]

Starts a daemon in a runtime folder of its own, and prints: a hook with a daemon beside the bare interpreter,
in turn; arrivals at a steady rate, each with another task, timed from when they were due, whatever came
before; a burst, at the socket and as whole processes; hooks whose daemon is killed meanwhile; and what the
daemon holds when it has nothing to do.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from evals.command import carried_out, tell
from evals.localisation import read_cases
from knowledge.errors import TaskError

SECOND = 1.0  # that a hook has, from when it has read its event
START = 30.0  # seconds within which a daemon must answer, on the busiest machine
SETTLED = 3.0  # seconds after the last work, when what it took has been let go
KILLED_AFTER = 0.05  # seconds: about when the daemon is at the first hook's task
KILLED = 5  # hooks, the first of which loses its daemon
HOST = "generic"
_COMMAND = "import sys; from augmenter.app.cli import main; sys.exit(main())"
BRIEFED, PASSED, LOST = "briefed", "passed through", "lost"

# A child that asks as the hook's client does, without the start of a process: each in a thread, when due.
_ASKER = """
import json, os, sys, threading, time
from augmenter.app.client import Talk, WAIT_FOR_SIGN
from augmenter.app.daemon.protocol import HOOK, Request
asked = json.load(sys.stdin)
came = [None] * len(asked)
begin = time.perf_counter() + 0.2
def one(number, due, root, task):
    event = json.dumps({"task": task}).encode()
    folder = os.fsencode(root)
    time.sleep(max(0.0, begin + due - time.perf_counter()))
    talk = Talk(time.perf_counter())
    try:
        request = Request(HOOK, "generic", 920, (len(folder), 0, len(event)))
        word, _, out = talk.ask(request, (folder, b"", event), WAIT_FOR_SIGN)
    except Exception as error:
        word, out = repr(error), (talk.meanwhile or (b"",))[0]
    came[number] = [(time.perf_counter() - begin - due) * 1000, word, out.decode("ascii")]
threading.stack_size(256 * 1024)
threads = [threading.Thread(target=one, args=(number, *each)) for number, each in enumerate(asked)]
for thread in threads: thread.start()
for thread in threads: thread.join()
json.dump(came, sys.stdout)
"""

Asked = tuple[Path, str]  # a checkout, and a task


@dataclass(frozen=True, slots=True)
class Came:
    """What came of a task.

    Attributes:
        outcome: `BRIEFED`, `PASSED` or `LOST`.
        ms: how long it took.
        why: the reason, unless it was briefed.
    """

    outcome: str
    ms: float
    why: str = ""


@dataclass(frozen=True, slots=True)
class Daemon:
    """A daemon that was started here.

    Attributes:
        process: it.
        environment: in which hooks find it.
    """

    process: subprocess.Popen[bytes]
    environment: dict[str, str]

    def status(self) -> dict[str, Any] | None:
        """What it says of itself; None when it says nothing."""
        done = command("serve", "--status", "--json", environment=self.environment)
        found: dict[str, Any] = json.loads(done.stdout) if done.stdout else {"running": False}
        return found if found["running"] else None


@contextmanager
def daemon(folder: Path) -> Iterator[Daemon]:
    """A daemon in a runtime folder of its own, which must not exist. Raises TaskError when none starts."""
    environment = {**os.environ, "PREBRIEF_RUNTIME": str(folder), "PREBRIEF_DAEMON": "on"}
    words = [sys.executable, "-c", _COMMAND, "serve", "--log-level", "silent", "--root", str(folder.parent)]
    with subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL) as process:
        started = Daemon(process, environment)
        try:
            give_up = time.monotonic() + START
            while started.status() is None:
                if time.monotonic() > give_up or process.poll() is not None:
                    raise TaskError("no daemon answers", where=str(folder), remedy="Run 'prebrief serve'")
            yield started
        finally:
            process.terminate()
            process.wait()
            command("serve", "--stop", environment=environment)  # which hooks have started after a kill


def command(
    *words: str, environment: dict[str, str], stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Run a command of Prebrief's in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", _COMMAND, *words],
        env=environment,
        input=stdin,
        capture_output=True,
        check=False,
    )


def hook(asked: Asked, environment: dict[str, str]) -> Came:
    """A whole hook."""
    root, task = asked
    event = json.dumps({"task": task}).encode()
    began = time.perf_counter()
    done = command("hook", "run", HOST, "--root", str(root), environment=environment, stdin=event)
    return judged(task, done.stdout, (time.perf_counter() - began) * 1000)


def judged(task: str, stdout: bytes, ms: float, word: str = "answer") -> Came:
    """What an answer comes to: is the task in it, and with a brief?"""
    try:
        answer = json.loads(stdout)
        prompt, degraded = answer["prompt"], answer["degraded"]
    except (ValueError, KeyError, TypeError):
        return Came(LOST, ms, word)
    if not prompt.endswith(task):
        return Came(LOST, ms, "another prompt")
    return Came(PASSED, ms, degraded["reason"]) if degraded else Came(BRIEFED, ms)


def at_the_socket(asked: Sequence[tuple[float, Asked]], environment: dict[str, str]) -> list[Came]:
    """Ask at the socket, each when it is due (seconds from the first)."""
    rows = [(due, str(root), task) for due, (root, task) in asked]
    child = subprocess.run(
        [sys.executable, "-c", _ASKER],
        env=environment,
        input=json.dumps(rows).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    answers = zip(asked, json.loads(child.stdout), strict=True)
    return [judged(task, out.encode(), ms, word) for (_, (_, task)), (ms, word, out) in answers]


def all_at_once(asked: Sequence[Asked], environment: dict[str, str]) -> list[Came]:
    """Whole hooks, all started at once."""
    came: dict[int, Came] = {}

    def one(number: int) -> None:
        came[number] = hook(asked[number], environment)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(len(asked))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [came[number] for number in range(len(asked))]


@dataclass(frozen=True, slots=True)
class Start:
    """Milliseconds of whole processes, one after the other.

    Attributes:
        bare: the interpreter alone.
        again: a hook with a task that was asked before.
        new: a hook with another task.
    """

    bare: float
    again: float
    new: float


def starts(asked: Sequence[Asked], environment: dict[str, str]) -> list[Start]:
    """The bare interpreter and hooks, in turn."""
    first = asked[0]
    hook(first, environment)
    measured = []
    for one in asked[1:]:
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        bare = (time.perf_counter() - began) * 1000
        measured.append(Start(bare, hook(first, environment).ms, hook(one, environment).ms))
    return measured


def start_rows(measured: Sequence[Start]) -> Iterator[str]:
    """Medians, and how many times the bare interpreter they are."""
    yield f"| bare interpreter | {median(one.bare for one in measured):.1f} | 1 |"
    for name, times in (
        ("a task asked before", [(one.again, one.bare) for one in measured]),
        ("a new task", [(one.new, one.bare) for one in measured]),
    ):
        ratio = median(ours / bare for ours, bare in times)
        yield f"| hook with a daemon, {name} | {median(ours for ours, _ in times):.1f} | {ratio:.2f} |"


def killed_meanwhile(asked: Sequence[Asked], daemon: Daemon) -> list[Came]:
    """Hooks one after the other; their daemon is killed while the first waits."""
    timer = threading.Timer(KILLED_AFTER, lambda: os.kill(daemon.process.pid, signal.SIGKILL))
    timer.start()
    came = [hook(one, daemon.environment) for one in asked]
    timer.join()
    return came


def described(name: str, came: Sequence[Came]) -> str:
    """A row: how many, what came of them, and how long they took."""
    times = sorted(one.ms for one in came)
    cuts = quantiles(times, n=100, method="inclusive") if len(times) > 1 else times * 99
    counts = Counter(one.outcome for one in came)
    reasons = Counter(one.why for one in came if one.why)
    told = ", ".join(f"{count} {why}" for why, count in sorted(reasons.items()))
    outcomes = " | ".join(str(counts[outcome]) for outcome in (BRIEFED, PASSED, LOST))
    return (
        f"| {name} | {len(came)} | {outcomes} | {cuts[49]:.0f} | {cuts[98]:.0f} | {times[-1]:.0f} | {told} |"
    )


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is asked.

    Attributes:
        roots: indexed checkouts.
        tasks: enough of them that none comes twice, or they are asked again with a number.
        runs: pairs of starts.
        rate: arrivals a second.
        seconds: of them.
        burst: tasks at once.
    """

    roots: tuple[Path, ...]
    tasks: tuple[str, ...]
    runs: int
    rate: float
    seconds: float
    burst: int

    def asked(self) -> Iterator[Asked]:
        """Checkouts in turn, each with another task."""
        rounds = (
            f"{task}\n\n({number})" if number else task for number in range(10_000) for task in self.tasks
        )
        return zip(cycle(self.roots), rounds, strict=False)


def measure(plan: Plan, folder: Path, show: Callable[[str], None]) -> None:
    """Measure all, and show the rows of the tables. Raises TaskError when no daemon starts."""
    asked = plan.asked()
    with daemon(folder) as served:
        environment = served.environment
        all_at_once([(root, "warm up") for root in plan.roots], environment)
        show("| asked | n | briefed | passed through | lost | p50 ms | p99 ms | max ms | why |")
        show("|---|---|---|---|---|---|---|---|---|")
        due = [(number / plan.rate, one) for number, one in enumerate(_next(asked, plan.rate * plan.seconds))]
        show(described(f"{plan.rate:g} a second, at the socket", at_the_socket(due, environment)))
        at_once = [(0.0, one) for one in _next(asked, plan.burst)]
        show(described("at once, at the socket", at_the_socket(at_once, environment)))
        show(described("at once, whole hooks", all_at_once(_next(asked, plan.burst), environment)))
        measured = starts(_next(asked, plan.runs + 1), environment)
        time.sleep(SETTLED)
        status = served.status() or {}
        show(described("one by one, the daemon is killed", killed_meanwhile(_next(asked, KILLED), served)))
    show("\n| start | ms | times the bare one |\n|---|---|---|")
    show("\n".join(start_rows(measured)))
    show("\n| idle daemon | |\n|---|---|")
    show(f"| warm projects | {len(status['work']['projects'])} |")
    show(f"| RSS MiB | {status['rss_mib']} |\n| PSS MiB | {status.get('pss_mib', '')} |")


def _next(asked: Iterator[Asked], count: float) -> list[Asked]:
    return list(islice(asked, round(count)))


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m evals.load", description=__doc__)
    parser.add_argument("--root", type=Path, action="append", required=True, help="an indexed checkout")
    parser.add_argument(
        "--tasks", type=Path, nargs="+", required=True, help="gold files; their tasks are asked"
    )
    parser.add_argument("--runs", type=int, default=15, help="pairs of starts")
    parser.add_argument("--rate", type=float, default=20.0, help="arrivals a second")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long they go on")
    parser.add_argument("--burst", type=int, default=50, help="tasks at once")
    arguments = parser.parse_args(argv)

    def act() -> None:
        tasks = tuple(dict.fromkeys(case.text for path in arguments.tasks for case in read_cases(path)))
        roots = tuple(root.resolve() for root in arguments.root)
        plan = Plan(roots, tasks, arguments.runs, arguments.rate, arguments.seconds, arguments.burst)
        with tempfile.TemporaryDirectory(prefix="load-") as folder:
            tell(f"{len(tasks)} tasks, {len(roots)} checkouts")
            measure(plan, Path(folder) / "run", lambda line: print(line, flush=True))

    return carried_out(act)


if __name__ == "__main__":
    sys.exit(main())
