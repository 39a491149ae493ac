"""What the events of all hosts come to, and what a host is.

A host is a program that runs agents and calls Prebrief on their events. Its adapter is pure: bytes in, an
event out; a brief in, bytes out. Nothing but the standard library is imported here: every hook pays for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from augmenter.brief import Brief
    from knowledge.settings import BriefFormat

Status = Literal["", "success", "failure", "infra", "cancelled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Where and in which session something happens.

    Attributes:
        cwd: a folder of the project; ``""`` when the host tells none.
        session: the host's session.
    """

    cwd: str = ""
    session: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispatch(Placed):
    """An agent is about to get a task.

    Attributes:
        task: its text.
        agent: which agent gets the task.
        role: that agent's role.
        context: whose context window the task goes to, within the session: ``""`` is the main agent's; a
            sub-agent, which starts with an empty one, has a name of its own.
        key: by what later events of the session name this dispatch; ``""`` when none will.
        name: the host's name of the event.
        input: what the answer repeats (Claude Code: the whole input of the tool).
        preamble: what is to stand on top; None looks for it in the task. This and the rest: see `Ask`.
        patterns: at most so many.
        rules: at most so many.
        budget: tokens of the context block.
        format: of the brief.
    """

    task: str
    agent: str = ""
    role: str = ""
    context: str = ""
    key: str = ""
    name: str = ""
    input: Mapping[str, Any] = field(default_factory=dict)
    preamble: str | None = None
    patterns: int | None = None
    rules: int | None = None
    budget: int | None = None
    format: BriefFormat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished(Placed):
    """An agent has ended its work, or a turn of it.

    Attributes:
        key: what names its dispatch within the session.
        alias: by what a later event will name the same dispatch; ``""`` when none will.
        dispatch_id: the dispatch itself, where the host knows it.
        transcript: path of the record of what the agent saw and did; ``""`` when there is none.
        given: the prompt that the agent was given, where the host tells it.
        last_message: the agent's final answer.
        status: how it ended, where the host says so; ``""`` when it does not.
        error: what the host says of what went wrong.
        is_over: False when the agent goes on in the background: nothing but ``alias`` is to be noted.
    """

    key: str = ""
    alias: str = ""
    dispatch_id: str = ""
    transcript: str = ""
    given: str = ""
    last_message: str = ""
    status: Status = ""
    error: str = ""
    is_over: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten(Placed):
    """The host has emptied the main agent's context: what was given in the session counts as unseen."""


@dataclass(frozen=True, slots=True)
class Ignored:
    """Nothing for Prebrief to do, and why."""

    why: str


Event = Dispatch | Finished | Forgotten | Ignored


@dataclass(frozen=True, slots=True)
class Answer:
    """What the hook's process writes to standard output, and its exit code."""

    stdout: bytes = b""
    exit_code: int = 0


@dataclass(frozen=True, slots=True)
class Cap:
    """What a host takes of injected text before it cuts it; 0 is no bound.

    Attributes:
        bytes: of UTF-8, which are never fewer than the characters that JavaScript counts.
        tokens: by `knowledge.tokens.estimate_tokens`.
    """

    bytes: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Host:
    """One kind of host.

    Attributes:
        name: as in ``prebrief hook run NAME``.
        read: an event's bytes to the event; raises TaskError for what cannot be used.
        answer: the answer to a dispatch.
        remains: what is left of an event that cannot be used: the task that is to be handed back, if any.
        silence: the answer that changes nothing.
        cap: of what may be injected.
        answers_all: whether even a task that goes out unchanged is answered with a document.
    """

    name: str
    read: Callable[[bytes], Event]
    answer: Callable[[Dispatch, Brief], Answer]
    remains: Callable[[bytes], Dispatch | Ignored]
    silence: Answer
    cap: Cap = Cap()
    answers_all: bool = False

    def key(self, session: str, name: str) -> str:
        """What something in a session is called where all hosts' things are kept; ``""`` is the session."""
        return ":".join(filter(None, (self.name, session, name)))
