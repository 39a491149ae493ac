"""Whether the brief reaches the model: Prebrief installed as a user would, in a client that runs for real."""

from __future__ import annotations

import html
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.clients.client import Client, play, prepare, version
from evals.clients.endpoint import Question, serving
from evals.clients.situations import PROMPT, TASK, Situation
from evals.clients.stage import Stage, run, set_stage, stage_folder
from evals.clients.turns import Script
from knowledge.errors import TaskError

_TREE = Path(__file__).resolve().parents[2]
_SHOWN = 500  # characters of what a client that fails prints last
_PROGRAM = """\
#!{python}
import sys

sys.path.insert(0, {tree!r})
from augmenter.app.cli import main

sys.exit(main())
"""


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of one brief.

    Attributes:
        event: of which it was the answer: the user's prompt, or the task of a sub-agent.
        delivered: ``yes`` for byte by byte, ``escaped`` when angle brackets were, ``no``.
        characters: of the context block.
        receipt: how far it came, by its receipt.
    """

    event: str
    delivered: str
    characters: int
    receipt: str


@dataclass(frozen=True, slots=True)
class Trial:
    """A client's version, and its deliveries."""

    version: str
    deliveries: tuple[Delivery, ...]


def attempt(
    client: Client, executable: Path, work: Path, situation: Situation, prebrief: Path | None = None
) -> Trial:
    """Index, install the hook, play, and look at what the model was asked.

    Args:
        client: which.
        executable: its program.
        work: a folder to play in; what is there is lost.
        situation: what is played: the user says `PROMPT`, and the model gives `TASK` to a sub-agent.
        prebrief: the program that becomes the hook; None is this tree's own.

    Raises:
        TaskError: a program cannot be run, or fails.
    """
    with serving(Script(situation.scenes)) as endpoint:
        stage = set_stage(stage_folder(work), endpoint.address)
        prepare(client, stage)
        ours = _Prebrief(prebrief or _own_program(stage), stage)
        ours.told("index")
        ours.told("hook", "install", client.host)
        contexts = {task: ours.context(task) for task in (PROMPT, TASK)}
        played = play(client, executable, stage, situation.prompts)
        if played.exit_code or not endpoint.questions:
            raise TaskError(
                f"ended with {played.exit_code} after {len(endpoint.questions)} questions to the model: "
                f"{played.errors.strip()[-_SHOWN:]}",
                where=str(executable),
                remedy="Run it by hand",
            )
        receipts = ours.receipts()
        found = [
            Delivery(event, *delivered(task, contexts[task], endpoint.questions), receipt_of(task, receipts))
            for event, task in (("prompt", PROMPT), ("sub-agent", TASK))
        ]
        return Trial(version(client, executable, stage), tuple(found))


def delivered(task: str, context: str, questions: Sequence[Question]) -> tuple[str, int]:
    """Whether the model got the context block of a task, in the first question that has the task.

    Returns:
        As in `Delivery`: how, and how many characters.
    """
    asked = (question for question in questions if question.is_agent)
    said = next((question.said for question in asked if any(task in text for text in question.said)), ())
    if context and any(context in text for text in said):
        return "yes", len(context)
    if context and any(context in html.unescape(text) for text in said):
        return "escaped", len(context)
    return "no", 0


def receipt_of(task: str, receipts: Sequence[Mapping[str, Any]]) -> str:
    """How far a dispatch came, by its receipt: ``none`` when it has no receipt."""
    shown = next((item for item in receipts if item["receipt"]["task"] == task), None)
    if shown is None:
        return "none"
    rungs = (str(record.get("rung", record["type"])) for record in shown["linked"])
    return ", ".join(["offered", *rungs])


@dataclass(frozen=True, slots=True)
class _Prebrief:
    """Prebrief's command line in a stage."""

    program: Path
    stage: Stage

    def told(self, *arguments: str) -> Any:
        """The answer of a command.

        Raises:
            TaskError: it failed, or answered with something else than JSON.
        """
        command = [str(self.program), *arguments, "--json"]
        ended = run(command, self.stage.project, self.stage.environment())
        try:
            if ended.exit_code == 0:
                return json.loads(ended.output)
        except ValueError:
            pass
        raise TaskError(
            f"'prebrief {arguments[0]}' failed: {ended.errors.strip() or 'no JSON'}",
            where=str(self.program),
            remedy="Run it by hand",
        )

    def context(self, task: str) -> str:
        """The context block that a task gets."""
        prompt: str = self.told("augment", "--no-record", task)["prompt"]
        return prompt.removesuffix(task).strip()

    def receipts(self) -> list[dict[str, Any]]:
        """Those of all dispatches so far."""
        found = self.told("receipts", "list")["receipts"]
        return [self.told("receipts", "show", receipt["dispatch_id"]) for receipt in found]


def _own_program(stage: Stage) -> Path:
    """This tree's command line as an executable called ``prebrief``."""
    path = stage.root / "bin" / "prebrief"
    path.parent.mkdir()
    path.write_text(_PROGRAM.format(python=sys.executable, tree=str(_TREE)), encoding="utf-8")
    path.chmod(0o755)
    return path
