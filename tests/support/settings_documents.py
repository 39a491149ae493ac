"""Hooks as they are installed, and settings documents in JSON to install them into."""

from __future__ import annotations

import json

from hypothesis import strategies as st

from augmenter.app.installing.plans import PLANS

BLANKS = st.sampled_from(["", " ", "\n", "\n  ", "\t", "\n\n    "])
COMMENTS = st.sampled_from(["", "", "", " // why\n", "/* a, b */", '\n// { " }\n'])
KEYS = st.sampled_from(["hooks", "Stop", "UserPromptSubmit", "PreToolUse", "model", "é\n", "matcher", ""])
SCALARS = st.one_of(
    st.sampled_from(["null", "true", "-1.5e3", '"a // no comment"', '"\\ud800"', '"/bin/other run // x"'])
)
OTHER_GROUP = {"matcher": "Bash", "hooks": [{"type": "command", "command": "/bin/audit 'it'", "timeout": 3}]}


@st.composite
def gaps(draw):
    return draw(BLANKS) + draw(COMMENTS) + draw(BLANKS)


@st.composite
def containers(draw, opening, closing, parts):
    text = opening + draw(gaps())
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        comma = draw(st.sampled_from(["", ","])) if last else ","
        text += part + draw(gaps()) + comma + draw(gaps())
    return text + closing


@st.composite
def members(draw, values):
    return [
        json.dumps(key, ensure_ascii=draw(st.booleans())) + draw(gaps()) + ":" + draw(gaps()) + draw(value)
        for key, value in values
    ]


VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).flatmap(lambda parts: containers("[", "]", parts)),
        st.lists(st.tuples(KEYS, st.just(inner)), max_size=3, unique_by=lambda item: item[0]).flatmap(
            lambda values: members(values).flatmap(lambda parts: containers("{", "}", parts))
        ),
    ),
    max_leaves=6,
)


def groups():
    group = st.one_of(st.just(json.dumps(OTHER_GROUP)), st.just(json.dumps(OTHER_GROUP, indent=4)))
    return st.lists(group, max_size=2).flatmap(lambda parts: containers("[", "]", parts))


def tables():
    events = st.sampled_from(["Stop", "UserPromptSubmit", "BeforeAgent", "Notification", "PreToolUse"])
    pairs = st.lists(st.tuples(events, st.just(groups())), max_size=3, unique_by=lambda item: item[0])
    return pairs.flatmap(lambda values: members(values).flatmap(lambda parts: containers("{", "}", parts)))


@st.composite
def documents(draw):
    """Settings in JSON, with comments, trailing commas and any layout; some have hooks, of others."""
    other = st.tuples(KEYS.filter(lambda key: key != "hooks"), st.just(VALUES))
    values = draw(st.lists(other, max_size=3, unique_by=lambda item: item[0]))
    if draw(st.booleans()):
        values.insert(draw(st.integers(0, len(values))), ("hooks", tables()))
    text = draw(gaps()) + draw(containers("{", "}", draw(members(values)))) + draw(gaps())
    text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
    return draw(st.sampled_from(["", "\ufeff"])) + text


def plan_hooks(host, executable="/opt/pre brief/bin/prebrief", deadline_ms=1000):
    return PLANS[host].hooks(executable, deadline_ms)
