"""What peers answer, and where their answers are kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from knowledge.hashing import text_hash
from knowledge.jsonable import to_json

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Piece:
    """A place that a peer points at.

    Attributes:
        file: relative to the checkout's root, with ``/``.
        start: first line, from 1.
        end: last line, included.
        name: qualified name of a function; ``""`` for what is none.
        text: of a function its one-line description; else the source text that the peer shows.
    """

    file: str
    start: int
    end: int
    name: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """What a peer shows that fills a budget by itself.

    Attributes:
        text: as it shows it.
        shown: the lines of source in it, each a place of one line.
    """

    text: str
    shown: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a peer found for one task. Which parts it fills depends on the peer.

    Attributes:
        functions: best first.
        passages: chunks of code, or lines that match, best first.
        views: by budget.
        failure: why there is nothing of all that, or ``""``.
    """

    functions: tuple[Piece, ...] = ()
    passages: tuple[Piece, ...] = ()
    views: Mapping[int, View] = field(default_factory=dict)
    failure: str = ""


class Asked(Protocol[_T_co]):
    """Something that can be asked about tasks."""

    @property
    def name(self) -> str:
        """As it is called on the command line and in folders."""

    def version(self) -> str:
        """What decides its answers, for people to read.

        Raises:
            TaskError: it is not installed.
        """

    def open(self, root: Path) -> AbstractContextManager[Callable[[str], _T_co]]:
        """Get ready for a checkout.

        Raises:
            TaskError: it cannot be asked.
        """


Ask = Callable[[str], Answer]
Peer = Asked[Answer]
Make = Callable[[Mapping[str, Any]], _T]


class Kept(Generic[_T]):
    """Answers to tasks about one checkout: a line of JSON each.

    A line that was torn by an interruption counts as never written. A task that has changed since is asked
    again.

    Args:
        path: the file, whose folder need not be there.
        make: the inverse of `to_json`; it may raise KeyError, TypeError or ValueError.
    """

    def __init__(self, path: Path, make: Make[_T]) -> None:
        self._path = path
        self._answers: dict[str, _T] = {}
        for line in path.read_text(encoding="utf-8").split("\n") if path.is_file() else ():
            try:
                row = json.loads(line)
                self._answers[row["task"]] = make(row["answer"])
            except (ValueError, KeyError, TypeError):
                continue

    def get(self, text: str) -> _T | None:
        """The answer to a task, if it was asked before."""
        return self._answers.get(text_hash(text))

    def put(self, text: str, answer: _T) -> None:
        """Keep an answer, on the disk at once."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        key = text_hash(text)
        with self._path.open("a", encoding="utf-8") as out:
            out.write(f"\n{json.dumps({'task': key, 'answer': to_json(answer)})}\n")
        self._answers[key] = answer


def answered(
    asked: Asked[_T],
    make: Make[_T],
    root: Path,
    texts: Sequence[str],
    folder: Path,
    tell: Callable[[str], None] | None,
) -> dict[str, _T]:
    """Answers to tasks about a checkout: those that are kept, and new ones to the others.

    Args:
        asked: who is asked.
        make: an answer from its JSON.
        root: the checkout.
        texts: the tasks.
        folder: where answers are kept, in a folder for each version of who is asked.
        tell: is told what is not kept; None: nobody is asked, and what is not kept has no answer.
    """
    version = _folder_name(f"{asked.name} {asked.version()}")
    kept = Kept(folder / version / f"{root.name}.jsonl", make)
    missing = [text for text in dict.fromkeys(texts) if kept.get(text) is None]
    if missing and tell is not None:
        tell(f"{asked.name} on {root.name}: {len(missing)} tasks")
        with asked.open(root) as ask:
            for text in missing:
                kept.put(text, ask(text))
    return {text: answer for text in texts if (answer := kept.get(text)) is not None}


def answer_of(row: Mapping[str, Any]) -> Answer:
    """The inverse of `to_json`. Raises KeyError, TypeError or ValueError for what is no answer."""
    return Answer(
        functions=_pieces(row["functions"]),
        passages=_pieces(row["passages"]),
        views={
            int(budget): View(view["text"], _pieces(view["shown"])) for budget, view in row["views"].items()
        },
        failure=row["failure"],
    )


def _pieces(rows: Sequence[Mapping[str, Any]]) -> tuple[Piece, ...]:
    return tuple(Piece(**row) for row in rows)


def _folder_name(text: str) -> str:
    return "".join(char if char.isalnum() or char in ".-" else "_" for char in text)
