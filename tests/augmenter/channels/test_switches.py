"""Channels: what each finds, and that one that is switched off leaves no trace."""

from __future__ import annotations

from dataclasses import fields

import pytest

from augmenter.app.kb import main as kb
from augmenter.signals import members, text
from augmenter.signals.mentioned import ALIAS
from augmenter.signals.signals import DISPATCHES, FITTED
from knowledge.settings import ChannelSettings

CHANNELS = tuple(field.name for field in fields(ChannelSettings))
KNOWN = {*FITTED, DISPATCHES, ALIAS}
# What speaks of a channel: signals that begin so, and the names of ranks.
TRACES = {
    "exact": ("mentioned", "file_mentioned", "class_mentioned"),
    "lexical": (*text.SIGNALS, "file_text", "class_text"),
    "glossary": ("mentioned_alias",),
    "history": ("history",),
    "dispatches": ("dispatches",),
    "members": members.SIGNALS,
    "relations": ("called_by_first",),
}
EVERYTHING = (
    "Draw the invoice on a page, as `draw_invoice` of src/render.py does with `load_glyphs`; the bouncer lets"
    " an interrupted transfer be booked twice and customers complain that newsletters arrive at midnight"
)


def traces(items, channel):
    """Signals and ranks of a channel among ranked items."""
    found = {name for item in items.values() for name in (*item.factors, *item.channels)}
    return sorted(name for name in found if name == channel or name.startswith(TRACES[channel]))


def test_every_channel_has_a_key_of_its_own():
    assert set(TRACES) == set(CHANNELS)


@pytest.mark.parametrize("channel", CHANNELS)
def test_channel_is_seen_when_it_is_on_and_leaves_no_trace_when_off(project, channel):
    assert traces(project.rank(EVERYTHING), channel)
    assert traces(project.rank(EVERYTHING, channel), channel) == []


@pytest.mark.parametrize("channel", CHANNELS)
def test_switching_a_channel_off_leaves_the_others_on(project, channel):
    items = project.rank(EVERYTHING, channel)
    needs_exact = {"glossary"} if channel == "exact" else set()
    for other in set(CHANNELS) - {channel} - needs_exact:
        assert traces(items, other), other


def test_with_everything_off_nothing_is_found(project):
    assert project.rank(EVERYTHING, *CHANNELS) == {}


def test_nothing_but_known_signals_is_told(project):
    items = project.rank(EVERYTHING)
    given = {name for item in items.values() for name in item.factors}
    assert given - KNOWN == {"confidence", "authority", "freshness", "demotion"}


def test_every_known_signal_can_occur(project):
    """A weight for what is never given would weigh nothing."""
    words = "idle worker pool wake src docs Pool"
    samples = "```\nidle worker pool wake src Pool._wake(worker)\n```"
    names = "`Pool`, Pool._wake, pool_worker, _wake(), wake(), src/pool.py and docs/pool.md, `_wake`"
    frame = 'Traceback (most recent call last):\n  File "src/pool.py", line 12, in __enter__\n'
    tasks = (
        EVERYTHING,
        f"{words} `Pool` `src_worker`\n\n{words} {names} in `idle` workers\n\n{samples}\n{frame}\n",
        "The `worker` of the pool: `idle` `wake` `src_pool`\n\nThe `Pool`, load_glyphs and post_entry(row)",
    )
    found = {name for task in tasks for item in project.rank(task).values() for name in item.factors}
    assert sorted(KNOWN - found) == []


def test_unknown_channel_is_an_error(project, capsys):
    project.write("prebrief.toml", "[channels]\nsemantics = false\n")
    assert kb(["evaluate", "--root", str(project.root), "--from-history"]) == 1
    told = capsys.readouterr().err
    assert "channels.semantics" in told
    assert "prebrief.toml" in told


@pytest.mark.parametrize("value", ["0", '"off"', "[]"])
def test_switch_is_true_or_false_and_nothing_else(project, capsys, value):
    project.write("prebrief.toml", f"[channels]\nhistory = {value}\n")
    assert kb(["evaluate", "--root", str(project.root), "--from-history"]) == 1
    assert "channels.history" in capsys.readouterr().err
