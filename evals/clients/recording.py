"""Recording what a client tells its hooks, as fixtures for the tests of the hosts."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.clients.client import Client, play, prepare, tell, version
from evals.clients.endpoint import serving
from evals.clients.neutral import HOME, PROJECT, Neutraliser, as_name, shortened
from evals.clients.situations import Kept, Situation
from evals.clients.stage import Stage, set_stage, stage_folder
from evals.clients.turns import Script
from knowledge.errors import TaskError

# What the recording hook answers, in the form of a brief.
CONTEXT = "## Context from this repository\n\n- `EventStream.close` `src/stream.py:4-8`\n\n---\n"

_RECORDER = Path(__file__).with_name("recorder.py")
# Where clients keep records of what was said, below the user's home, and what a fixture of one is called.
_RECORDS: Mapping[str, tuple[str, str]] = {
    "claude-code": (".claude/projects", "transcript"),
    "codex": (".codex/sessions", "rollout"),
    "gemini": (".gemini/tmp", "chat"),
}

Event = dict[str, Any]
Situations = Callable[[str], Sequence[Situation]]


def record(
    client: Client, executable: Path, work: Path, situations: Situations, fixtures: Path
) -> Iterator[str]:
    """Play every situation and write its fixtures.

    Args:
        client: which.
        executable: its program.
        work: a folder to play in; what is there is lost.
        situations: what is played, for the path of a project.
        fixtures: a folder; the client's own is below.

    Yields:
        The path of each fixture that was written, below ``fixtures``.

    Raises:
        TaskError: the client cannot be run, or did not tell an event that is to be kept.
    """
    folder = fixtures / client.host
    folder.mkdir(parents=True, exist_ok=True)
    stage = Stage(stage_folder(work), "")
    for situation in situations(str(stage.project)):
        with serving(Script(situation.scenes)) as endpoint:
            stage = set_stage(stage.root, endpoint.address)
            prepare(client, stage, situation.settings)
            title = f"{client.host} {version(client, executable, stage)}"
            events = _play(client, executable, stage, situation)
        neutral = neutraliser(stage)
        for kept in situation.kept:
            fixture = as_fixture(kept, events, title, neutral)
            yield _write(
                fixtures, folder / f"{kept.name}.json", json.dumps(fixture, indent=2, ensure_ascii=False)
            )
        if situation.keeps_records:
            for path, text in records(client.host, stage, neutral):
                yield _write(fixtures, folder / path, text)


def _play(client: Client, executable: Path, stage: Stage, situation: Situation) -> list[Event]:
    """What the hooks were told, in the order of time."""
    folder = stage.root / "events"
    folder.mkdir()
    words = (sys.executable, "-I", str(_RECORDER), str(folder), CONTEXT)
    tell(client, stage, shlex.join(words))
    told = f"*-{situation.interrupted}.json"
    until = (lambda: any(folder.glob(told))) if situation.interrupted else None
    play(client, executable, stage, situation.prompts, until)
    return [json.loads(path.read_bytes()) for path in sorted(folder.glob("[0-9]*.json"))]


def neutraliser(stage: Stage) -> Neutraliser:
    """What makes the recordings of a stage those of anybody's."""
    folders = {str(stage.project): PROJECT, str(stage.home): HOME, str(stage.root): HOME}
    named = {as_name(folder): as_name(neutral) for folder, neutral in folders.items()}
    programs = {sys.executable: "/usr/bin/python3", str(_RECORDER): f"{HOME}/{_RECORDER.name}"}
    return Neutraliser(folders | named | programs)


def as_fixture(kept: Kept, events: Sequence[Event], client: str, neutral: Neutraliser) -> Event:
    """The fixture of an event.

    Raises:
        TaskError: it was not told.
    """
    found = [event for event in events if is_kept(kept, event)]
    if len(found) < kept.number:
        names = ", ".join(str(event.get("hook_event_name")) for event in events)
        raise TaskError(
            f"'{kept.name}' was not told, but {names or 'nothing'}",
            where=client,
            remedy="See what the client prints",
        )
    event = neutral.value(found[kept.number - 1])
    return {"origin": "recorded", "client": client, "note": kept.note, "event": event}


def is_kept(kept: Kept, event: Event) -> bool:
    """Whether an event is of the kind that is kept."""
    return event.get("hook_event_name") == kept.event and kept.tool in ("", event.get("tool_name"))


def records(host: str, stage: Stage, neutral: Neutraliser) -> Iterator[tuple[str, str]]:
    """The client's own records of what was said.

    Yields:
        The path of a fixture and its text. Below the first, the main agent's, lie those of its sub-agents.
    """
    place, name = _RECORDS[host]
    folder = stage.home / place
    files = sorted((path for path in folder.rglob("*.json*") if path.is_file()), key=_by_depth)
    main, *others = [path for path in files if path.suffix == ".jsonl"]
    yield f"{name}.jsonl", _lines(main, neutral)
    for path in (*others, *(path for path in files if path.name.endswith(".meta.json"))):
        below = path.name if path.parent == main.parent else f"{path.parent.name}/{path.name}"
        yield f"{name}/{neutral.text(below)}", _lines(path, neutral)


def _by_depth(path: Path) -> tuple[int, str]:
    return len(path.parts), path.name


def _lines(path: Path, neutral: Neutraliser) -> str:
    lines = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
    return "".join(json.dumps(shortened(neutral.value(line)), ensure_ascii=False) + "\n" for line in lines)


def _write(fixtures: Path, path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
    return str(path.relative_to(fixtures))
