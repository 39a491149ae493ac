"""Gemini CLI: prompts get a context block beside them, sub-agents get it in their prompt.

It reads standard output as JSON whatever it is, so silence is an empty object, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from augmenter.hosts import reading
from augmenter.hosts.events import Answer, Dispatch, Ignored
from augmenter.hosts.reading import text_of
from knowledge.hashing import text_hash

if TYPE_CHECKING:
    from augmenter.brief import Brief
    from augmenter.hosts.events import Event
    from augmenter.hosts.reading import Document


AGENT_TOOL = "invoke_agent"  # no BeforeAgent tells of a sub-agent
SILENCE = Answer(b"{}\n")


def _before_agent(document: Document) -> Event:
    return reading.prompt(document, _key(document))


def _after_agent(document: Document) -> Event:
    return reading.finished(document, _key(document), last_message=text_of(document, "prompt_response"))


def _before_tool(document: Document) -> Event:
    call = reading.agent_call(document, (AGENT_TOOL,))
    if call is None:
        return Ignored("no task for an agent")
    return reading.to_agent(
        document,
        call,
        agent=text_of(call, "agent_name"),
        # Each agent starts with an empty context, whatever its task has in common with another's.
        context=text_hash("\0".join((*map(str, call.values()), text_of(document, "timestamp")))),
        key=_key_of_agent(call),
    )


def _after_tool(document: Document) -> Event:
    call = reading.agent_call(document, (AGENT_TOOL,))
    if call is None:
        return Ignored("no task for an agent")
    found = document.get("tool_response")
    said = found.get("llmContent") if isinstance(found, dict) else None
    return reading.finished(
        document,
        _key_of_agent(call),
        transcript="",  # it is another one, whose name is not told
        given=text_of(call, "prompt"),
        last_message=reading.text_in(said),
    )


def _key_of_agent(call: Document) -> str:
    """A call has no id, and its end tells the changed prompt: both end with the task's last line.

    Of two tasks of one agent that end alike, the later one is meant.
    """
    last = text_of(call, "prompt").rstrip().rpartition("\n")[2]
    return text_hash(f"{text_of(call, 'agent_name')}\0{last}")


def answer(event: Dispatch, brief: Brief) -> Answer:
    """The answer to a dispatch: silence when there is nothing to add."""
    if event.name != "BeforeTool" or not brief.context:
        return reading.beside(event, brief, SILENCE)
    return reading.answer_with(event, {"tool_input": reading.in_front(event, brief)})


def _key(document: Document) -> str:
    """The host numbers no turns, but the end of one tells its prompt again."""
    return text_hash(text_of(document, "prompt"))


HOST = reading.make_host(
    "gemini",
    {
        "BeforeAgent": _before_agent,
        "AfterAgent": _after_agent,
        "BeforeTool": _before_tool,
        "AfterTool": _after_tool,
        # Not PreCompress, which comes before every request to the model, whether or not it is too long then.
        "SessionStart": reading.session_start,
    },
    silence=SILENCE,
    answer=answer,
)
