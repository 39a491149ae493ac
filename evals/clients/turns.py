"""What a scripted model says, whatever the form in which a client asks it."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Say:
    """Text, with which the turn ends."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A call of one of the client's tools; the name of one in a namespace has a dot behind that."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Fail:
    """An error of the service instead of an answer."""

    status: int
    kind: str = "invalid_request_error"


Turn = Say | Call | Fail


@dataclass(frozen=True, slots=True)
class Scene:
    """What the model says, one turn after another, in a conversation that somebody began in certain words.

    Attributes:
        words: in what a user, or an agent that calls another, has said; not in the results of tools.
        turns: the answers in their order. Then the last is given again and again.
    """

    words: str
    turns: tuple[Turn, ...]


OFF_SCRIPT = Say("ok")  # to what a client asks for itself: a title, a topic, whether anybody is there


@dataclass(slots=True)
class Script:
    """Scenes, and how far each is; for several threads.

    Attributes:
        scenes: of those whose words are in the same text, the first is played.
    """

    scenes: Sequence[Scene]
    _said: dict[str, int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def next_turn(self, said: Sequence[str]) -> Turn:
        """The answer to a conversation.

        Args:
            said: texts of its user's side, in their order. The newest that begins a scene decides.
        """
        found = (scene for text in reversed(said) for scene in self.scenes if scene.words in text)
        scene = next(found, None)
        if scene is None:
            return OFF_SCRIPT
        with self._lock:
            number = self._said.get(scene.words, 0)
            self._said[scene.words] = number + 1
        return scene.turns[min(number, len(scene.turns) - 1)]
