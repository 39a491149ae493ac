"""Hooks in Codex's config.toml come and go, and nothing else changes by a byte."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from settings_documents import plan_hooks

from augmenter.app.installing.installation import FORMS, with_hooks, without_hooks
from knowledge.errors import SettingsError

TOML = FORMS["toml"]
BLOCKS = (
    'model = "gpt-5" # the large one\n',
    "# [[hooks.Stop]] is for later\n",
    "\n",
    '[features]\nhooks = true\ntext = """\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\n"""\n',
    '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "/bin/audit # it"\n',
    '[[hooks.PreToolUse]]\nmatcher = "^Bash$"\n\n[[hooks.PreToolUse.hooks]]\ntype = "command"\n'
    "command = '''/bin/audit\n[[hooks.Stop]]'''\n\n",
    '[hooks.state."/p/.codex/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:1"\n',
    "[projects.'/p']\ntrust_level = \"trusted\"\n",
)


@st.composite
def documents(draw):
    """Settings in TOML; some have hooks, of others; some end without an end of line."""
    first, *others = BLOCKS
    chosen = draw(st.lists(st.sampled_from(others), max_size=5, unique=True))
    text = draw(st.sampled_from(["", first])) + "".join(chosen)
    text = text.removesuffix("\n") if draw(st.booleans()) else text
    return (text or first).replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


@given(documents())
def test_installing_and_uninstalling_gives_the_same_bytes(text):
    assert without_hooks(TOML, with_hooks(TOML, text, "codex", plan_hooks("codex")), "codex") == text


@given(documents())
def test_installing_twice_is_installing_once(text):
    once = with_hooks(TOML, text, "codex", plan_hooks("codex"))
    assert with_hooks(TOML, once, "codex", plan_hooks("codex")) == once
    assert once.startswith(text)


@given(documents())
def test_hooks_of_another_installation_are_replaced(text):
    other = with_hooks(TOML, text, "codex", plan_hooks("codex", "/old/bin/prebrief", 5000)[:2])
    assert with_hooks(TOML, other, "codex", plan_hooks("codex")) == with_hooks(
        TOML, text, "codex", plan_hooks("codex")
    )


def test_what_is_written_is_what_codex_reads():
    text = with_hooks(TOML, BLOCKS[4], "codex", plan_hooks("codex"))
    groups = tomllib.loads(text)["hooks"]["Stop"]
    assert [group["hooks"][0]["command"].split()[0] for group in groups] == ["/bin/audit", "["]
    assert groups[1] == plan_hooks("codex")[2].group()


def test_what_was_written_behind_our_hooks_stays():
    text = with_hooks(TOML, BLOCKS[0], "codex", plan_hooks("codex"))
    more = "\n# trusted by hand\n[projects.'/q']\ntrust_level = \"trusted\"\n"
    assert without_hooks(TOML, text + more, "codex") == BLOCKS[0] + more


@pytest.mark.parametrize(
    "text",
    [
        "hooks = { Stop = [] }\n",
        "[hooks]\nStop = [{ hooks = [{ type = 'command', command = 'x' }] }]\n",
        "hooks = 1\n",
        "model = \n",
        "a = 1\na = 2\n",
    ],
    ids=range(5),
)
def test_what_cannot_be_edited_safely_is_refused(text):
    with pytest.raises(SettingsError) as refused:
        with_hooks(TOML, text, "codex", plan_hooks("codex"))
    assert refused.value.remedy


def test_our_hook_in_a_form_that_cannot_be_taken_out_is_refused():
    command = plan_hooks("codex")[0].command.replace("'", "")
    text = f"[hooks]\nStop = [{{ hooks = [{{ type = 'command', command = '{command}' }}] }}]\n"
    with pytest.raises(SettingsError, match="cannot be edited safely"):
        without_hooks(TOML, text.replace("pre brief", "prebrief"), "codex")
