"""Claude Code, Codex and Gemini on a real project: what they are answered, and what never troubles them."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from augmenter import Augmenter
from augmenter.app.hooks import answer_event, pass_through
from augmenter.hosts import registry
from knowledge.errors import DeadlineExceeded

FIXTURES = Path(__file__).parents[1] / "hosts" / "fixtures"
TASK = "Fix the timeout in `EventStream.close`"
PROMPTS = {"claude-code": "UserPromptSubmit", "codex": "UserPromptSubmit", "gemini": "BeforeAgent"}
HOSTS = sorted(PROMPTS)
SILENCE = {"claude-code": b"", "codex": b"", "gemini": b"{}\n"}
each_host = pytest.mark.parametrize("host", HOSTS)


def event(host, name="", **changed):
    path = FIXTURES / host / f"{name or PROMPTS[host]}.documented.json"
    document = json.loads(path.read_text())["event"] | changed
    return {key: value for key, value in document.items() if value is not None}


@pytest.fixture
def hook(run):
    """Runs a host's hook on an event, an object or raw bytes; its answer's bytes."""

    def hook(host, told, root=None):
        data = told if isinstance(told, bytes) else json.dumps(told).encode()
        done = run("hook", "run", host, root=root, stdin=data)
        assert (done.code, done.err) == (0, "")
        assert done.out == SILENCE[host] or done.out.endswith(b"\n")
        return done.out

    return hook


def context_in(out: bytes) -> str:
    return json.loads(out)["hookSpecificOutput"]["additionalContext"]


@each_host
def test_a_prompt_gets_the_block_beside_it(hook, project, run, host):
    context = context_in(hook(host, event(host, cwd=str(project.root / "src"), prompt=TASK)))
    assert context.startswith("## Context from this repository")
    assert "`EventStream.close`" in context
    assert TASK not in context
    (receipt,) = run("receipts", "list", "--json", root=project.root).json["receipts"]
    told = event(host)
    assert (receipt["host"], receipt["session"]) == (host, told["session_id"])


@each_host
def test_a_block_holds_nothing_that_changes_from_dispatch_to_dispatch(hook, project, run, host):
    first = hook(host, event(host, cwd=str(project.root), prompt=TASK, session_id="1"))
    second = hook(host, event(host, cwd=str(project.root), prompt=TASK, session_id="2"))
    assert first == second
    for receipt in run("receipts", "list", "--json", root=project.root).json["receipts"]:
        assert receipt["dispatch_id"].encode() not in first


def test_a_sub_agent_s_whole_call_comes_back_with_its_prompt_augmented(hook, project, run):
    call = {
        "description": "d",
        "subagent_type": "Explore",
        "model": "m",
        "prompt": TASK,
        "n": {"new": [1.5, None]},
    }
    told = event("claude-code", "PreToolUse", cwd=str(project.root), tool_input=call)
    (output,) = json.loads(hook("claude-code", told)).values()
    updated = output["updatedInput"]
    assert output == {"hookEventName": "PreToolUse", "updatedInput": updated}
    assert list(updated) == list(call)
    assert updated | {"prompt": TASK} == call
    assert updated["prompt"].startswith("## Context from this repository")
    assert updated["prompt"].endswith(f"\n\n{TASK}")
    (receipt,) = run("receipts", "list", "--json", root=project.root).json["receipts"]
    assert (receipt["agent"], receipt["session"]) == ("Explore", told["session_id"])


@pytest.mark.parametrize(
    "task", [f"You are a reviewer.\n\n{TASK}", f"/review\n\n{TASK}", f"{TASK}\r\n\x00é\ud800 \n"]
)
@pytest.mark.parametrize("form", ["markdown", "xml", "plain", "json"])
def test_a_sub_agent_s_prompt_ends_with_its_task_as_it_was(hook, project, task, form):
    project.write("prebrief.toml", f'[brief]\nformat = "{form}"\n')
    told = event("claude-code", "PreToolUse", cwd=str(project.root), tool_input={"prompt": task})
    prompt = json.loads(hook("claude-code", told))["hookSpecificOutput"]["updatedInput"]["prompt"]
    assert prompt.endswith(task)
    assert len(prompt) > len(task) + 100


@each_host
@pytest.mark.parametrize("prompt", ["Bake a cake with almonds", "/review", "", " "])
def test_where_there_is_nothing_to_say_nothing_is_said(hook, project, host, prompt):
    assert hook(host, event(host, cwd=str(project.root), prompt=prompt)) == SILENCE[host]


@each_host
@pytest.mark.parametrize(
    "data", [b"", b"nothing", b"[]", b"{", b"\xff", b"null", b"[" * 100_000, b'{"prompt": "x"}']
)
def test_events_that_cannot_be_used_are_met_with_silence(hook, project, host, data):
    assert hook(host, data, root=project.root) == SILENCE[host]


@each_host
def test_a_project_that_nobody_set_up_is_passed_without_a_trace(hook, new_project, host):
    root = new_project().root
    before = sorted(root.rglob("*"))
    assert hook(host, event(host, cwd=str(root), prompt=TASK)) == SILENCE[host]
    assert sorted(root.rglob("*")) == before


@each_host
@pytest.mark.parametrize("folder", ["/nowhere/at/all", "\0", "~", "x" * 5000])
def test_a_folder_that_is_none_is_met_with_silence(hook, host, folder):
    assert hook(host, event(host, cwd=folder, prompt=TASK)) == SILENCE[host]


@each_host
def test_without_a_folder_the_working_directory_counts(spawn, project, host):
    data = json.dumps(event(host, cwd=None, prompt=TASK)).encode()
    done = spawn("hook", "run", host, stdin=data, cwd=project.root)
    assert "EventStream.close" in context_in(done.out)


@each_host
def test_relative_folders_are_the_caller_s(project, host):
    def told(session):
        return json.dumps(event(host, cwd="src", prompt=TASK, session_id=session)).encode()

    assert "EventStream.close" in context_in(answer_event(host, told("1"), here=str(project.root)).stdout)
    assert answer_event(host, told("2"), here="/").stdout == SILENCE[host]
    by_root = answer_event(host, told("3"), root=str(project.root), here="/")
    assert "EventStream.close" in context_in(by_root.stdout)


@each_host
def test_what_goes_wrong_in_a_project_in_use_is_recorded_and_not_told(hook, project, run, host):
    (project.state / "catalog.sqlite").write_bytes(b"no catalog")
    assert hook(host, event(host, cwd=str(project.root), prompt=TASK)) == SILENCE[host]
    assert "not briefed: catalog-corrupt" in run("receipts", "list", root=project.root).text


@each_host
def test_an_event_of_fifty_megabytes_costs_no_time(hook, project, host):
    data = json.dumps(event(host, cwd=str(project.root), prompt=TASK + " x" * 25_000_000)).encode()
    began = time.process_time()
    assert hook(host, data) == SILENCE[host]
    assert time.process_time() - began < 1


@each_host
def test_a_prompt_of_some_megabytes_is_briefed(hook, project, host):
    project.write("prebrief.toml", "[dispatch]\ndeadline_ms = 20000\n")
    data = json.dumps(event(host, cwd=str(project.root), prompt=f"{TASK}\n" * 50_000)).encode()
    assert "EventStream.close" in context_in(hook(host, data))


def test_numbers_that_json_cannot_say_cost_only_the_brief(hook, project):
    told = json.dumps(
        event("claude-code", "PreToolUse", cwd=str(project.root), tool_input={"prompt": TASK, "n": 7})
    )
    assert hook("claude-code", told.replace('"n": 7', '"n": 1e999').encode()) == b""
    assert hook("claude-code", told.replace('"n": 7', '"n": ' + "[" * 900 + "]" * 900).encode()) is not None


def test_two_hosts_at_once_leave_each_their_receipt(spawn, project, run):
    for host in HOSTS:
        told = event(host, cwd=str(project.root), prompt=TASK, session_id="same")
        assert "EventStream.close" in context_in(
            spawn("hook", "run", host, stdin=json.dumps(told).encode()).out
        )
    receipts = run("receipts", "list", "--json", root=project.root).json["receipts"]
    assert sorted(receipt["host"] for receipt in receipts) == HOSTS


def test_passing_through_has_each_host_s_form():
    late = DeadlineExceeded("too late", remedy="Wait")
    data = json.dumps({"prompt": TASK, "task": TASK}).encode()
    for host in HOSTS:
        assert pass_through(host, data, late).stdout == SILENCE[host]
    document = json.loads(pass_through("generic", data, late).stdout)
    assert (document["prompt"], document["degraded"]["reason"]) == (TASK, "deadline-exceeded")
    assert json.loads(pass_through("generic", b"nothing", late).stdout)["prompt"] == ""


def telling(*modules):
    """A script that runs the command, then names those of some modules that it has loaded."""
    return (
        "import sys; from augmenter.app.cli import main; code = main();"
        f"print(sorted({set(modules)!r} & set(sys.modules)), file=sys.stderr); sys.exit(code)"
    )


@each_host
def test_a_dispatch_loads_nothing_that_comes_after_it(spawn, project, host):
    script = telling("augmenter.app.aftermath", "augmenter.hosts.transcripts", "learning", "pydantic", "html")
    told = json.dumps(event(host, cwd=str(project.root), prompt=TASK)).encode()
    done = spawn("hook", "run", host, stdin=told, script=script)
    assert (bool(done.out), done.err) == (True, "[]\n")


def test_events_that_are_nothing_load_no_pipeline(spawn, project):
    script = telling("augmenter.augment", "augmenter.app.augmenter", "sqlite3", "knowledge.settings")
    told = json.dumps(event("claude-code", cwd=str(project.root), prompt="/review")).encode()
    assert spawn("hook", "run", "claude-code", stdin=told, script=script).err == "[]\n"


def test_a_host_is_not_slower_than_generic(spawn, project):
    """Both do the same work; what differs is how an event is read and written."""
    told = {
        "generic": json.dumps({"task": TASK, "cwd": str(project.root)}).encode(),
        "claude-code": json.dumps(event("claude-code", cwd=str(project.root), prompt=TASK)).encode(),
    }
    script = (
        "import sys, time; from augmenter.app.cli import main; code = main();"
        "print(time.process_time(), file=sys.stderr); sys.exit(code)"
    )
    spent = {host: [] for host in told}
    for _ in range(7):
        for host, data in told.items():
            spent[host].append(float(spawn("hook", "run", host, stdin=data, script=script).err))
    assert min(spent["claude-code"]) < 1.25 * min(spent["generic"])


def test_every_known_host_has_its_module():
    assert [registry.host(name).name for name in registry.NAMES] == list(registry.NAMES)


def test_a_gemini_agents_changed_prompt_proves_what_it_was_given(project):
    call = {"agent_name": "generalist", "prompt": TASK}
    told = {"session_id": "s", "cwd": str(project.root), "tool_name": "invoke_agent"}

    def tell(name, given, **more):
        document = {"hook_event_name": name, **told, "tool_input": given, **more}
        return json.loads(answer_event("gemini", json.dumps(document).encode()).stdout)

    changed = tell("BeforeTool", call)["hookSpecificOutput"]["tool_input"]
    assert changed["prompt"].endswith(f"\n{TASK}")
    said = {"llmContent": [{"text": "EventStream.reconnect waits"}]}
    assert tell("AfterTool", changed, tool_response=said) == {}
    with Augmenter.open(project.root) as augmenter:
        linked = augmenter.history("last").linked
    assert [record.rung for record in linked] == ["delivered", "cited"]
    assert tell("BeforeTool", call, session_id="t")["hookSpecificOutput"]["tool_input"] == changed
    assert tell("AfterTool", call, session_id="t", tool_response=said) == {}
    with Augmenter.open(project.root) as augmenter:
        assert augmenter.history("last").linked == ()
