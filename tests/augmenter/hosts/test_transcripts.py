"""What is taken from transcripts, and that nothing in one can do harm."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augmenter.hosts.commands import Reading
from augmenter.hosts.transcripts import STEPS, Account, Said, Told, account, records

BLOCK = "## Context\n- `close` `src/stream.py:16-19`\n"


def find(text):
    return BLOCK if BLOCK in text else ""


def lines(*entries):
    return b"".join(json.dumps(entry).encode() + b"\n" for entry in entries)


def told(text):
    return {"type": "user", "message": {"role": "user", "content": text}, "cwd": "/p"}


def injected(*texts):
    content = {"type": "hook_additional_context", "hookEvent": "UserPromptSubmit", "content": list(texts)}
    return {"type": "attachment", "attachment": content, "cwd": "/p"}


def used(name, call="t1", **arguments):
    content = [{"type": "tool_use", "id": call, "name": name, "input": arguments}]
    return {"type": "assistant", "message": {"role": "assistant", "content": content}, "cwd": "/p"}


def said(text, **more):
    return {"type": "assistant", "message": {"content": [{"type": "text", "text": text}]}, **more}


def result(call, **more):
    return told([{"type": "tool_result", "tool_use_id": call, "content": "…", **more}])


def claude(*entries) -> Account:
    return account(lines(*entries), STEPS["claude-code"], find)


def readings(found):
    return [opened.reading for opened in found.opened]


def test_a_block_beside_the_prompt_is_seen():
    assert claude(told("Fix it"), injected("other", BLOCK)).block == BLOCK
    assert claude(told("Fix it"), injected("other")).block == ""


def test_a_block_in_a_sub_agent_s_prompt_is_seen():
    assert claude(told(f"{BLOCK}\nFix it")).block == BLOCK
    assert claude(told([{"type": "text", "text": f"{BLOCK}\nFix it"}])).block == BLOCK


def test_only_what_was_opened_after_the_block_counts():
    found = claude(
        used("Read", file_path="/p/before.py"),
        injected(BLOCK),
        used("Read", file_path="/p/src/stream.py", offset=10, limit=5),
        used("Edit", call="t2", file_path="src/backoff.py", old_string="a", new_string="b"),
        used("Bash", call="t3", command="cat src/invoice.py"),
        used("Grep", call="t4", pattern="close"),
    )
    assert readings(found) == [
        Reading("/p/src/stream.py", 10, 14),
        Reading("src/backoff.py"),
        Reading("src/invoice.py"),
    ]


def test_a_call_that_came_to_nothing_opens_nothing():
    entries = (injected(BLOCK), used("Read", file_path="gone.py"))
    assert readings(claude(*entries, result("t1"))) == [Reading("gone.py")]
    assert readings(claude(*entries, result("t1", is_error=True))) == []


def test_the_last_word_counts():
    assert claude(injected(BLOCK), said("first"), said("last")).said == "last"


def test_cut_short_by_the_user_or_by_a_fault():
    assert claude(injected(BLOCK), told("[Request interrupted by user]")).ended == "cancelled"
    assert claude(injected(BLOCK), said("API Error: 529", isApiErrorMessage=True)).ended == "infra"
    assert claude(injected(BLOCK), said("API Error", isApiErrorMessage=True), said("Done")).ended == ""
    assert claude(injected(BLOCK), told("[Request interrupted by user]"), told("go on")).ended == ""


def test_codex_rollout():
    def item(**payload):
        return {"timestamp": "…", "type": "response_item", "payload": payload}

    developer = item(type="message", role="developer", content=[{"type": "input_text", "text": BLOCK}])
    shell = {"command": ["bash", "-lc", "sed -n '1,30p' src/stream.py"], "workdir": "/p"}
    patch = "*** Begin Patch\n*** Update File: src/backoff.py\n@@\n-a\n+b\n*** End Patch"
    found = account(
        lines(
            developer,
            item(type="function_call", name="shell", arguments=json.dumps(shell), call_id="c1"),
            item(type="function_call", name="exec_command", arguments='{"cmd": "cat a.py"}', call_id="c2"),
            item(type="custom_tool_call", name="apply_patch", input=patch, call_id="c3"),
            item(type="message", role="assistant", content=[{"type": "output_text", "text": "Done"}]),
            {"type": "event_msg", "payload": {"type": "turn_aborted", "reason": "interrupted"}},
        ),
        STEPS["codex"],
        find,
    )
    assert (found.block, found.said, found.ended) == (BLOCK, "Done", "cancelled")
    assert readings(found) == [Reading("src/stream.py", 1, 30), Reading("a.py"), Reading("src/backoff.py")]
    assert found.opened[0].folder == "/p"


@pytest.mark.parametrize(
    ("output", "is_opened"),
    [
        ("unsupported call: shell", False),
        ("Exit code: 1\nWall time: 0 seconds\nOutput:\ncat: a.py: No such file", False),
        ("Chunk ID: 1\nProcess exited with code 2\nOutput:\n", False),
        ('{"output": "", "metadata": {"exit_code": 1}}', False),
        ({"metadata": {"exit_code": 1}}, False),
        ("Exit code: 0\nOutput:\nexit code: many", True),
        (None, True),
    ],
)
def test_a_call_of_codex_that_came_to_nothing(output, is_opened):
    message = {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": BLOCK}]}
    call = {
        "type": "function_call",
        "name": "exec_command",
        "arguments": '{"cmd": "cat a.py"}',
        "call_id": "c",
    }
    done = {"type": "function_call_output", "call_id": "c", "output": output}
    found = account(lines(*({"payload": item} for item in (message, call, done))), STEPS["codex"], find)
    assert bool(found.opened) == is_opened


@pytest.mark.parametrize("form", ["document", "pretty", "lines"])
def test_gemini_session(form):
    block = f"{BLOCK}- `a<b>&amp;`\n"
    added = "<hook_context>" + block.replace("<", "&lt;").replace(">", "&gt;") + "</hook_context>"
    calls = [
        {"id": "1", "name": "read_file", "args": {"file_path": "src/stream.py"}, "status": "success"},
        {"id": "2", "name": "read_file", "args": {"file_path": "gone.py"}, "status": "error"},
    ]
    messages = [
        {"type": "user", "content": [{"text": "Fix it"}, {"text": added}]},
        {"type": "gemini", "content": "Done", "toolCalls": calls},
    ]
    document = {"sessionId": "s", "messages": messages}
    data = {
        "document": json.dumps(document).encode(),
        "pretty": json.dumps(document, indent=2).encode(),
        "lines": lines(*messages),
    }[form]
    found = account(data, STEPS["gemini"], lambda text: text if text == block else "")
    assert (found.block, found.said, readings(found)) == (block, "Done", [Reading("src/stream.py")])


def test_torn_lines_and_other_records_are_passed_over():
    data = (
        lines(injected(BLOCK))[5:]
        + b"\xff\xfe\n[1]\nnull\n{]\n"
        + lines(injected(BLOCK))
        + lines(said("x"))[:-9]
    )
    found = account(data, STEPS["claude-code"], find)
    assert (found.block, found.said) == (BLOCK, "")


def test_recorded_transcripts_are_understood():
    """Whatever else they hold: what the agent was told, what it opened or called, and what it said."""
    for path in sorted((Path(__file__).parent / "fixtures").glob("*/*.jsonl")):
        steps = [step for record in records(path.read_bytes()) for step in STEPS[path.parent.name](record)]
        assert {Told, Said} <= {type(step) for step in steps}, path


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just(BLOCK),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
_NAMES = [
    "type",
    "message",
    "content",
    "attachment",
    "payload",
    "role",
    "input",
    "arguments",
    "action",
    "command",
]
_NAMES += [
    "toolCalls",
    "messages",
    "args",
    "text",
    "file_path",
    "offset",
    "limit",
    "cwd",
    "id",
    "patch",
    "name",
]
_VALUES = _JSON | st.sampled_from(
    ["user", "assistant", "tool_use", "tool_result", "function_call", "gemini", "message"]
)
_RECORDS = st.recursive(
    st.dictionaries(st.sampled_from(_NAMES), _VALUES, max_size=5),
    lambda inner: st.dictionaries(
        st.sampled_from(_NAMES), _VALUES | inner | st.lists(inner, max_size=2), max_size=5
    ),
    max_leaves=6,
)


@given(st.lists(_RECORDS, max_size=4), st.sampled_from(sorted(STEPS)), st.binary(max_size=40))
def test_any_record_is_survived(entries, host, rest):
    account(lines(*entries) + rest, STEPS[host], find)


@given(st.binary(max_size=300))
def test_any_bytes_are_survived(data):
    assert all(isinstance(record, dict) for record in records(data))
