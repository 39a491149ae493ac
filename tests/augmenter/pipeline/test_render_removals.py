"""A receipt tells what rendering had to take out of what it offered."""

from __future__ import annotations

from dataclasses import replace

from secret_samples import SAMPLES

from augmenter.pack import describe, described_by
from augmenter.record import removals

TOKEN = SAMPLES["stripe-key"][0]


def test_description_is_redacted_before_it_is_cut(evidence):
    evidence = evidence()
    long = replace(evidence, doc=f"{'word ' * 24}{TOKEN} and more.")
    assert TOKEN[:12] not in describe(long)
    assert TOKEN in described_by(long)


def test_removals_are_counted_by_kind(scored):
    item = scored()
    evidence = replace(item.candidate.evidence, name="a\u202eb", doc=f"Uses {TOKEN}\u200b.")
    dirty = replace(item, candidate=replace(item.candidate, evidence=evidence))
    assert removals([dirty], []) == {"secret:stripe-key": 1, "unicode:bidi": 1, "unicode:zero-width": 1}
    assert removals([item], []) == {}
