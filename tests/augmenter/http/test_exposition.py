"""The metrics are what Prometheus reads: held to a strict reading of its text format, version 0.0.4."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augmenter.app.http.exposition import BOUNDS, Family, Histogram, Sample, exposition

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)?\}})? (\S+)")
HELP = re.compile(rf"# HELP ({NAME}) ((?:[^\\\n]|\\[\\n])*)")
TYPE = re.compile(rf"# TYPE ({NAME}) (counter|gauge|histogram)")
NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN")
ESCAPES = {r"\\": "\\", r"\n": "\n", r"\"": '"'}
SUFFIXES = {"histogram": ("_bucket", "_sum", "_count")}


@dataclass
class Read:
    """A family as it was read: the values by suffix and labels."""

    kind: str
    meaning: str
    values: dict[tuple[str, frozenset[tuple[str, str]]], float] = field(default_factory=dict)

    def value(self, suffix="", **labels):
        return self.values[suffix, frozenset(labels.items())]


def unescaped(text):
    return re.sub(r'\\[\\n"]', lambda found: ESCAPES[found[0]], text)


def labels_of(text):
    pairs = [pair.split("=", 1) for pair in re.findall(LABEL, text or "")]
    labels = [(name, unescaped(value[1:-1])) for name, value in pairs]
    assert len(dict(labels)) == len(labels), "a label twice"
    return frozenset(labels)


def read(text):
    """The families of an exposition, by name; fails for whatever is not in order."""
    assert text.endswith("\n")
    found: dict[str, Read] = {}
    lines = iter(text.removesuffix("\n").split("\n"))
    name = ""
    for line in lines:
        if line.startswith("#"):
            helped, typed = HELP.fullmatch(line), TYPE.fullmatch(next(lines))
            assert helped, line
            assert typed, line
            assert helped[1] == typed[1]
            name = helped[1]
            assert name not in found, f"{name} twice"
            found[name] = Read(typed[2], unescaped(helped[2]))
        else:
            add(found[name], name, SAMPLE.fullmatch(line))
    for family in found.values():
        check(family)
    return found


def add(family, name, sample):
    assert sample
    assert NUMBER.fullmatch(sample[3]), sample[3]
    suffix = sample[1].removeprefix(name)
    assert sample[1].startswith(name)
    assert suffix in SUFFIXES.get(family.kind, ("",))
    key = (suffix, labels_of(sample[2]))
    assert key not in family.values, f"{key} twice"
    family.values[key] = float(sample[3])


def check(family):
    """What holds for all families of a kind."""
    if family.kind != "gauge":
        assert all(value >= 0 for value in family.values.values())
    if family.kind != "histogram":
        return
    buckets = defaultdict(list)
    for (suffix, labels), value in family.values.items():
        if suffix == "_bucket":
            told = dict(labels)
            buckets[frozenset(told.items() - {("le", told["le"])})].append((float(told["le"]), value))
    for labels, rising in buckets.items():
        assert rising == sorted(rising)
        assert [value for _, value in rising] == sorted(value for _, value in rising)
        assert rising[-1] == (math.inf, family.values["_count", labels])
        assert ("_sum", labels) in family.values


TEXTS = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('\\"\n{}=, '))
LABELS = st.dictionaries(st.from_regex(r"[a-zA-Z_][a-zA-Z0-9_]*", fullmatch=True), TEXTS, max_size=3)


@given(TEXTS, st.lists(LABELS, max_size=4, unique_by=lambda labels: frozenset(labels.items())), st.data())
def test_whatever_is_told_is_read_as_it_was(meaning, labels, data):
    values = [data.draw(st.floats() | st.integers(0, 10**20)) for _ in labels]
    samples = tuple(map(Sample, values, labels))
    family = read(exposition([Family("prebrief_x", "gauge", meaning, samples)]))["prebrief_x"]
    assert family.meaning == meaning
    assert len(family.values) == len(labels)
    for told, value in zip(labels, values, strict=True):
        assert repr(family.value(**told)) == repr(float(value))  # NaN is not equal to itself


@given(st.lists(st.floats(0, 20) | st.sampled_from(BOUNDS)))
def test_a_histogram_counts_each_value_once_and_cumulates(values):
    histogram = Histogram()
    for value in values:
        histogram.note(value)
    family = read(exposition([Family("prebrief_x", "histogram", "X.", histogram.samples())]))["prebrief_x"]
    assert family.value("_count") == len(values)
    assert family.value("_sum") == pytest.approx(sum(values))
    for bound in BOUNDS:
        assert family.value("_bucket", le=repr(bound)) == sum(value <= bound for value in values)


def test_dispatches_are_counted_by_what_became_of_them_and_why(start):
    with start() as server:
        assert server.augment(record=False).json["offered"]
        assert server.augment("Rewrite the poem about whales", record=False).json["abstained"]
        nowhere = server.post("/v1/augment", {"root": "/nonexistent", "task": "x"})
        assert nowhere.json["degraded"]["reason"] == "project-error"
        answer = server.get("/metrics")
        assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
        metrics = read(answer.body.decode())
    dispatches = metrics["prebrief_http_dispatches_total"]
    assert dispatches.value(result="briefed", reason="") == 1
    assert dispatches.value(result="abstained", reason="") == 1
    assert dispatches.value(result="degraded", reason="project-error") == 1
    assert metrics["prebrief_http_dispatch_seconds"].value("_count") == 3
    assert (
        metrics["prebrief_http_requests_total"].value(operation="augment", method="POST", status="200") == 3
    )
    assert metrics["prebrief_warm_projects"].value() == 1
    assert metrics["prebrief_work_waiting"].value() == 0


def test_what_callers_make_up_is_no_label(server):
    server.get("/nowhere/at/all")
    server.request("BREW", "/v1/augment")
    text = server.get("/metrics").body.decode()
    assert "nowhere" not in text
    assert "BREW" not in text
    read(text)


def test_index_runs_are_told_of_each_tree_whatever_it_is_called(start):
    odd = '/home/dev/a "quoted" \\ name\nof two lines \udcff'
    trees = [
        {"project": odd, "runs": 3, "failures": 0},
        {"project": "/home/dev/project", "runs": 0, "failures": 2},
    ]
    with start(trees=lambda: trees) as server:
        metrics = read(server.get("/metrics").body.decode())
    runs = metrics["prebrief_index_runs_total"]
    assert runs.value(project="/home/dev/project") == 0
    assert sorted(runs.values.values()) == [0, 3]
    (name,) = [dict(labels)["project"] for (_, labels), value in runs.values.items() if value == 3]
    assert name.startswith('/home/dev/a "quoted" \\ name\nof two lines ')
    assert metrics["prebrief_index_failures"].value(project="/home/dev/project") == 2
