"""What one of the real clients is, and a play with it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.clients.stage import Ended, Stage, run
from knowledge.errors import TaskError


@dataclass(frozen=True, slots=True)
class Process:
    """One process of a client: its arguments, and what it reads from standard input."""

    arguments: tuple[str, ...]
    given: str = ""


@dataclass(frozen=True, slots=True)
class Client:
    """One of the real clients.

    Attributes:
        host: what Prebrief calls it.
        package: what npm calls it.
        events: those of its hooks that are recorded.
        hooks_file: of a project.
        timeout: of a hook, in its unit.
        environment: what its processes are told.
        files: what it is to find below the user's home, so as to ask the model without a question to a user;
            path and text.
        processes: those in which a user says certain things, one after another, in one session.
    """

    host: str
    package: str
    events: tuple[str, ...]
    hooks_file: str
    timeout: int
    environment: Callable[[Stage], Mapping[str, str]]
    files: Callable[[Stage], Mapping[str, str]]
    processes: Callable[[Sequence[str]], Sequence[Process]]


def version(client: Client, executable: Path, stage: Stage) -> str:
    """What a client says of itself.

    Raises:
        TaskError: it does not start.
    """
    ended = run([str(executable), "--version"], stage.project, stage.environment(**client.environment(stage)))
    if ended.exit_code or not ended.output.strip():
        raise TaskError(
            "the client does not tell its version", where=str(executable), remedy="Run it by hand"
        )
    words = ended.output.strip().splitlines()[-1].split()
    return next((word for word in words if word[0].isdigit()), words[-1])


def prepare(client: Client, stage: Stage, more: str = "") -> None:
    """Write what a client is to find at home.

    Args:
        client: whose.
        stage: where.
        more: text at the top of each file, for settings that only one play needs.
    """
    for name, text in client.files(stage).items():
        path = stage.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(more + text, encoding="utf-8")


def tell(client: Client, stage: Stage, command: str) -> None:
    """Have a command called on every event: all three clients name the parts of a hook alike."""
    handler = {"type": "command", "command": command, "timeout": client.timeout}
    hooks = {event: [{"hooks": [handler]}] for event in client.events}
    path = stage.project / client.hooks_file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"hooks": hooks}, indent=2), encoding="utf-8")


def play(
    client: Client,
    executable: Path,
    stage: Stage,
    prompts: Sequence[str],
    until: Callable[[], bool] | None = None,
) -> Ended:
    """Have a user say something to a client; the end of its last process.

    Args:
        client: which.
        executable: its program.
        stage: where.
        prompts: what the user says, in one session.
        until: when the user interrupts; None for never.

    Raises:
        TaskError: it cannot be started, or does not end.
    """
    environment = stage.environment(**client.environment(stage))
    ended = Ended(0, "", "")
    for process in client.processes(prompts):
        command = [str(executable), *process.arguments]
        ended = run(command, stage.project, environment, process.given, until)
    return ended
