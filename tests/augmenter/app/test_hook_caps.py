"""No host cuts what is injected: it stays under the caps, whatever is in the repository and the settings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from augmenter.app.hooks import answer_event

HOSTS = {"claude-code": "UserPromptSubmit", "codex": "UserPromptSubmit", "gemini": "BeforeAgent"}
TASK = "Fix the timeout of the stream in " + ", ".join(f"`handle_stream_{number}`" for number in range(40))
GREEDY = "[brief]\nbudget = 20000\npatterns = 50\ndocuments = 50\nrules = 20\n"
# What Claude Code and Codex let pass, as they count it.
MOST_CHARACTERS = 10_000
MOST_TOKENS = 2_500


def characters(text: str) -> int:
    """As JavaScript counts them."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def tokens(text: str) -> int:
    """As Codex counts them."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // 4)


@pytest.fixture
def wide(new_project, run):
    """Makes a repository of many functions that say the same at length."""

    def wide(words, form="markdown", **more):
        said = f"Handle the timeout of the stream: {words} " * 3
        files = {
            f"src/part{number}.py": f"def handle_stream_{number}():\n    {said!r}\n    return {number}\n"
            for number in range(60)
        }
        rules = {
            f"knowledge/rules/r{number}.md": f"---\nstatement: On a timeout, close stream {number}, {words}\n"
            "terms: [timeout, stream]\nevidence: 3\n---\nx\n"
            for number in range(20)
        }
        project = new_project({**files, **rules, "prebrief.toml": f'{GREEDY}format = "{form}"\n', **more})
        assert run("index", root=project.root).code == 0
        return project

    return wide


def contexts(root: Path, task: str, session: str):
    """What each host injects for a task, beside the prompt or in a sub-agent's."""
    told = {"session_id": session, "cwd": str(root), "turn_id": "1"}
    for host, name in HOSTS.items():
        answer = answer_event(host, json.dumps({**told, "hook_event_name": name, "prompt": task}).encode())
        if answer.stdout.strip() not in (b"", b"{}"):
            yield json.loads(answer.stdout)["hookSpecificOutput"]["additionalContext"]
    call = {"tool_name": "Agent", "tool_use_id": session, "tool_input": {"prompt": task}}
    answer = answer_event(
        "claude-code", json.dumps({**told, "hook_event_name": "PreToolUse", **call}).encode()
    )
    if answer.stdout:
        prompt = json.loads(answer.stdout)["hookSpecificOutput"]["updatedInput"]["prompt"]
        assert prompt.endswith(task)
        yield prompt.removesuffix(task)


@pytest.mark.parametrize("form", ["markdown", "xml", "plain", "json"])
@pytest.mark.parametrize(
    "words", ["plain words " * 20, "時間切れの流れ" * 20, "🛑🔥" * 60, 'é "\\<&> `x` ' * 20]
)
def test_caps_hold(wide, words, form):
    project = wide(words, form)
    given = list(contexts(project.root, TASK, "s"))
    assert len(given) == len(HOSTS) + 1
    for context in given:
        assert 2_000 < characters(context) < MOST_CHARACTERS
        assert tokens(context) <= MOST_TOKENS
        assert "left out for length" in context or '"left_out": ' in context


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.sampled_from(["timeout", "stream", "handle_stream_7", "rule", "\ud800", "🔥"]), max_size=9)
)
def test_caps_hold_for_any_task(greedy, words):
    for context in contexts(greedy, " ".join(words), repr(words)):
        assert characters(context) < MOST_CHARACTERS
        assert tokens(context) <= MOST_TOKENS


@pytest.fixture(scope="module")
def greedy(_indexed, tmp_path_factory):
    """The sample project, with settings that allow all."""
    from shutil import copytree  # noqa: PLC0415

    root = Path(copytree(_indexed.root, tmp_path_factory.mktemp("greedy") / "project"))
    (root / "prebrief.toml").write_text(GREEDY)
    return root
