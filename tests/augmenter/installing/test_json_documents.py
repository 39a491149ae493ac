"""Hooks in a JSON document come and go, and nothing else changes by a byte."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from settings_documents import documents, plan_hooks

from augmenter.app.installing.installation import FORMS, with_hooks, without_hooks
from augmenter.app.installing.jsonc import parse
from knowledge.errors import SettingsError

JSON = FORMS["json"]
HOSTS = st.sampled_from(["claude-code", "codex", "gemini"])


@given(documents(), HOSTS)
def test_installing_and_uninstalling_gives_the_same_bytes(text, host):
    assert without_hooks(JSON, with_hooks(JSON, text, host, plan_hooks(host)), host) == text


@given(documents(), HOSTS)
def test_installing_twice_is_installing_once(text, host):
    once = with_hooks(JSON, text, host, plan_hooks(host))
    assert with_hooks(JSON, once, host, plan_hooks(host)) == once


@given(documents(), HOSTS)
def test_hooks_of_another_installation_are_replaced(text, host):
    other = with_hooks(JSON, text, host, plan_hooks(host, "/old/bin/prebrief", 5000)[:2])
    assert with_hooks(JSON, other, host, plan_hooks(host)) == with_hooks(JSON, text, host, plan_hooks(host))


@given(documents(), HOSTS)
def test_everything_else_stays(text, host):
    new = with_hooks(JSON, text, host, plan_hooks(host))
    before, after = parse(text).plain(), parse(new).plain()
    others = {key: value for key, value in after.items() if key != "hooks"}
    assert others == {key: value for key, value in before.items() if key != "hooks"}
    assert list(before) == [key for key in after if key in before]
    for event, groups in before.get("hooks", {}).items():
        assert after["hooks"][event][: len(groups)] == groups


@given(documents())
def test_hosts_do_not_disturb_each_other(text):
    claude = with_hooks(JSON, text, "claude-code", plan_hooks("claude-code"))
    both = with_hooks(JSON, claude, "gemini", plan_hooks("gemini"))
    assert without_hooks(JSON, both, "gemini") == claude


@given(documents(), st.data())
def test_a_document_that_is_broken_is_refused_or_read(text, data):
    """Whatever is cut out of a document, it is either still one or refused; nothing else is raised."""
    start = data.draw(st.integers(0, len(text)))
    broken = text[:start] + text[start + data.draw(st.integers(1, 4)) :]
    try:
        new = with_hooks(JSON, broken, "claude-code", plan_hooks("claude-code"))
    except SettingsError:
        return
    assert without_hooks(JSON, new, "claude-code") == broken


def test_without_a_document_one_is_made_and_goes_again():
    new = with_hooks(JSON, None, "claude-code", plan_hooks("claude-code"))
    assert list(json.loads(new)) == ["hooks"]
    assert new.endswith("}\n")
    assert without_hooks(JSON, new, "claude-code") is None


@pytest.mark.parametrize("text", ["{}\n", "{}", "{ }", "{\n}\n", '{"hooks": {}}\n', '{\n  "hooks": {}\n}\n'])
def test_an_empty_document_stays_when_its_hooks_go(text):
    assert without_hooks(JSON, with_hooks(JSON, text, "codex", plan_hooks("codex")), "codex") == text


def test_the_layout_of_a_document_is_taken_over():
    text = '{\n\t"model": "opus", // the large one\n\t"permissions": {"allow": []} // none\n}\n'
    new = with_hooks(JSON, text, "gemini", plan_hooks("gemini")[:1])
    assert new.startswith(
        '{\n\t"model": "opus", // the large one\n\t"permissions": {"allow": []}, // none\n'
        '\t"hooks": {\n\t\t"BeforeAgent": [\n\t\t\t{\n\t\t\t\t"hooks": ['
    )


def test_a_document_on_one_line_stays_on_one_line():
    new = with_hooks(JSON, '{"model":"opus"}', "claude-code", plan_hooks("claude-code"))
    assert "\n" not in new
    assert without_hooks(JSON, new, "claude-code") == '{"model":"opus"}'


def test_hooks_that_a_host_has_laid_out_anew_go_as_well():
    """Claude Code writes its settings anew when a permission is granted."""
    text = json.dumps({"model": "opus"}, indent=2) + "\n"
    new = with_hooks(JSON, text, "claude-code", plan_hooks("claude-code"))
    rewritten = json.dumps({**json.loads(new), "permissions": {"allow": ["Bash(ls)"]}}, indent=2) + "\n"
    assert json.loads(without_hooks(JSON, rewritten, "claude-code")) == {
        "model": "opus",
        "permissions": {"allow": ["Bash(ls)"]},
    }


def test_a_hook_that_was_added_to_our_group_stays():
    new = json.loads(with_hooks(JSON, None, "claude-code", plan_hooks("claude-code")))
    other = {"type": "command", "command": "/bin/audit"}
    new["hooks"]["Stop"][0]["hooks"].append(other)
    left = without_hooks(JSON, json.dumps(new, indent=1), "claude-code")
    assert json.loads(left) == {"hooks": {"Stop": [{"hooks": [other]}]}}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line 1: this is not JSON"),
        ("[]", "no JSON object"),
        ('{"a": 1,,}', "line 1"),
        ('{"a": 1\n"b": 2}', "line 2"),
        ("{'a': 1}", "line 1"),
        ('{"a": NaN}', "line 1"),
        ('{"a": 1} x', "line 1"),
        ('{"hooks": []}', "'hooks' is no JSON object"),
        ('{"hooks": {"Stop": {}}}', "'Stop' is no JSON array"),
        ('{"hooks": {}, "hooks": {}}', "'hooks' is there twice"),
        ('{"hooks": {"Stop": [], "Stop": []}}', "'Stop' is there twice"),
        ('{"a": "\\x"}', "line 1"),
        ('{"a": ' + "[" * 5000 + "]" * 5000 + "}", "levels deep"),
        ('{"a": ' + "9" * 5000 + "}", "line 1"),
    ],
    ids=range(14),
)
def test_what_cannot_be_edited_safely_is_refused(text, reason):
    with pytest.raises(SettingsError, match=reason.replace("(", r"\(")) as refused:
        with_hooks(JSON, text, "claude-code", plan_hooks("claude-code"))
    assert refused.value.remedy


def test_other_settings_among_the_hooks_stay():
    text = '{"hooks": {"enabled": true}}'
    new = with_hooks(JSON, text, "gemini", plan_hooks("gemini"))
    assert json.loads(new)["hooks"]["enabled"] is True
    assert without_hooks(JSON, new, "gemini") == text
