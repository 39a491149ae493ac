"""What is played to learn what each client tells its hooks, and which of its events are kept of it."""

from __future__ import annotations

from dataclasses import dataclass

from evals.clients.turns import Call, Fail, Say, Scene

# What the user says, what the main agent says to another, and what that one finds.
PROMPT = "Find out why readers of the event stream hang when it is closed"
TASK = "Look for the place that wakes the readers of the event stream"
FOUND = "`EventStream.close` in src/stream.py wakes them."
DONE = "Done: `EventStream.close` in src/stream.py was at fault."
SUMMARY = "<summary>The readers of the event stream were looked into.</summary>"
# Enough that the clients find something to sum up.
LONG = "The readers of the event stream wait. " * 300


@dataclass(frozen=True, slots=True)
class Kept:
    """An event that becomes a fixture.

    Attributes:
        event: the host's name of it.
        note: what it is.
        tool: of which; ``""`` when it is of none, or whichever comes first.
        number: which of these, counted from 1.
        suffix: tells its fixture from another of the same event.
    """

    event: str
    note: str
    tool: str = ""
    number: int = 1
    suffix: str = ""

    @property
    def name(self) -> str:
        """Of the fixture."""
        return ".".join(filter(None, (self.event, self.suffix)))


@dataclass(frozen=True, slots=True)
class Situation:
    """What happens in one play.

    Attributes:
        name: of it, and of its folder.
        scenes: what the model says.
        kept: which events become fixtures.
        prompts: what the user says, one after another, in one session.
        interrupted: the user interrupts when a hook has been told of this event; ``""`` for never.
        settings: text at the top of the client's own settings.
        keeps_records: whether the client's records of what was said become fixtures, too.
    """

    name: str
    scenes: tuple[Scene, ...]
    kept: tuple[Kept, ...]
    prompts: tuple[str, ...] = (PROMPT,)
    interrupted: str = ""
    settings: str = ""
    keeps_records: bool = False


def _claude_agent(*more: Scene, **arguments: object) -> tuple[Scene, ...]:
    call = Call("Agent", {"description": "Find it", "prompt": TASK, "subagent_type": "Explore", **arguments})
    return *more, Scene(PROMPT, (call, Say(DONE)))


def _claude_reader(path: str) -> Scene:
    return Scene(TASK, (Call("Read", {"file_path": path}), Say(FOUND)))


def claude_code(project: str) -> tuple[Situation, ...]:
    """Those of Claude Code, which reads files by their whole path."""
    reader = _claude_reader(f"{project}/src/stream.py")
    return (
        Situation(
            "agent",
            _claude_agent(reader),
            (
                Kept("SessionStart", "a session begins"),
                Kept("UserPromptSubmit", "what the user says"),
                Kept("PreToolUse", "a sub-agent is about to be called", "Agent"),
                Kept("SubagentStart", "a sub-agent begins"),
                Kept("PreToolUse", "a sub-agent reads a file", "Read", suffix="read"),
                Kept("PostToolUse", "a sub-agent has read a file", "Read", suffix="read"),
                Kept("SubagentStop", "a sub-agent ends: before PostToolUse, which alone has both ids"),
                Kept("PostToolUse", "a sub-agent was called; its input is the changed one", "Agent"),
                Kept("Stop", "the main agent ends its turn"),
                Kept("SessionEnd", "a session ends"),
            ),
            keeps_records=True,
        ),
        Situation(
            "background",
            _claude_agent(reader, run_in_background=True),
            (
                Kept("PostToolUse", "a sub-agent goes on in the background", "Agent", suffix="background"),
                Kept("Stop", "the main agent waits for a sub-agent", suffix="background"),
                Kept("UserPromptSubmit", "the host says that a sub-agent ended", number=2, suffix="notice"),
            ),
        ),
        Situation(
            "agent-fails",
            _claude_agent(Scene(TASK, (Fail(400),))),
            (
                Kept("StopFailure", "the service fails a sub-agent: no SubagentStop", suffix="agent"),
                Kept(
                    "PostToolUse",
                    "a sub-agent that the service failed is told as completed",
                    "Agent",
                    suffix="failed",
                ),
            ),
        ),
        Situation("fails", (Scene(PROMPT, (Fail(400),)),), (Kept("StopFailure", "the service fails"),)),
        Situation(
            "no-such-agent",
            _claude_agent(subagent_type="none"),
            (Kept("PostToolUseFailure", "a sub-agent that there is none of", "Agent"),),
        ),
        Situation(
            "compact",
            (Scene("Respond with TEXT ONLY", (Say(SUMMARY),)), Scene(PROMPT, (Say(LONG),))),
            (
                Kept("PreCompact", "the user asks for it; it may yet come to nothing"),
                Kept("SubagentStop", "who summed up ends: nobody has called it", suffix="compact"),
                Kept("SessionStart", "the context was summed up", number=2, suffix="compact"),
                Kept("PostCompact", "the context was summed up"),
            ),
            prompts=(*(f"{PROMPT} ({number})" for number in range(5)), "/compact", PROMPT),
        ),
        Situation(
            "clear",
            (Scene(PROMPT, (Say(DONE),)),),
            (
                Kept("SessionEnd", "the context was emptied: the session's end", suffix="clear"),
                Kept("SessionStart", "the context was emptied: another session", number=2, suffix="clear"),
            ),
            prompts=(PROMPT, "/clear"),
        ),
    )


def codex(_project: str) -> tuple[Situation, ...]:
    """Those of Codex."""
    read = Call("exec_command", {"cmd": "cat src/stream.py"})
    wait = Call("exec_command", {"cmd": "sleep 5"})  # for the other agent, whose id no script can know
    spawn = Call("multi_agent_v1.spawn_agent", {"message": TASK, "agent_type": "worker"})
    reader = Scene(TASK, (read, Say(FOUND)))
    return (
        Situation(
            "agent",
            (reader, Scene(PROMPT, (spawn, wait, Say(DONE)))),
            (
                Kept("SessionStart", "a session begins"),
                Kept("UserPromptSubmit", "what the user says"),
                Kept("PreToolUse", "a sub-agent is about to be called", "spawn_agent"),
                Kept("PostToolUse", "a sub-agent was called, and works on", "spawn_agent"),
                Kept("SubagentStart", "a sub-agent begins"),
                Kept("UserPromptSubmit", "the task of a sub-agent", number=2, suffix="agent"),
                Kept("SubagentStop", "a sub-agent ends"),
                Kept("Stop", "the main agent ends its turn"),
                Kept("SessionEnd", "a session ends"),
            ),
            keeps_records=True,
        ),
        Situation(
            "interrupt",
            (Scene(PROMPT, (Call("exec_command", {"cmd": "sleep 20", "yield_time_ms": 30_000}),)),),
            (Kept("Interrupt", "the user interrupts: no Stop"),),
            interrupted="PreToolUse",
        ),
        Situation(
            "compact",
            (Scene(PROMPT, (read, Say(DONE))),),
            (
                Kept("PreCompact", "the context is about to be summed up, within a turn"),
                Kept("PostCompact", "the context was summed up"),
                Kept("SessionStart", "the context was summed up", number=2, suffix="compact"),
            ),
            settings="model_auto_compact_token_limit = 50\n",
        ),
        Situation(
            "resume",
            (Scene(PROMPT, (Say(DONE),)),),
            (Kept("SessionStart", "a session goes on; its context stays", number=2, suffix="resume"),),
            prompts=(PROMPT, f"{PROMPT} again"),
        ),
    )


def gemini(_project: str) -> tuple[Situation, ...]:
    """Those of Gemini CLI."""
    call = Call("invoke_agent", {"agent_name": "codebase_investigator", "prompt": TASK})
    report = {"SummaryOfFindings": FOUND, "ExplorationTrace": [], "RelevantLocations": []}
    found = Call("complete_task", {"report": report})
    reader = Scene(TASK, (Call("read_file", {"file_path": "src/stream.py"}), found, Say(FOUND)))
    return (
        Situation(
            "agent",
            (reader, Scene(PROMPT, (call, Say(DONE)))),
            (
                Kept("SessionStart", "a session begins"),
                Kept("BeforeAgent", "what the user says"),
                Kept("PreCompress", "before every request to the model, though nothing is summed up"),
                Kept("BeforeTool", "a sub-agent is about to be called", "invoke_agent"),
                Kept("BeforeTool", "a sub-agent reads a file", "read_file", suffix="read"),
                Kept("AfterTool", "a sub-agent was called; its input is the changed one", "invoke_agent"),
                Kept("AfterAgent", "the main agent ends its turn"),
                Kept("SessionEnd", "a session ends"),
            ),
            keeps_records=True,
        ),
        Situation(
            "resume",
            (Scene(PROMPT, (Say(DONE),)),),
            (Kept("SessionStart", "a session goes on; its context stays", number=2, suffix="resume"),),
            prompts=(PROMPT, f"{PROMPT} again"),
        ),
    )
