"""Scored candidates and guidance out of thin air."""

from __future__ import annotations

import pytest
from evidence_factory import make_evidence

from augmenter.candidates import Candidate
from augmenter.channels.lexical import LexicalHit
from augmenter.factors import Scored
from augmenter.guidance import Chosen
from knowledge.types import Guidance, Kind


@pytest.fixture
def evidence():
    return make_evidence


@pytest.fixture
def scored():
    """Makes a scored pattern."""

    def make(number=0, score=0.5, coverage=0.5, **changes):
        hit = LexicalHit(number, score, coverage, ("term",))
        candidate = Candidate(make_evidence(number, **changes), hit, None, {"lexical": number + 1})
        return Scored(candidate, score, {"fusion": score}, {"fusion": 1.0}, score)

    return make


@pytest.fixture
def chosen():
    """Makes chosen guidance."""

    def make(number=0, statement="", kind=Kind.RULE, evidence_count=0):
        rule_id = f"rule:r{number}"
        text = statement or f"Rule {number} holds."
        item = make_evidence(number, id=rule_id, kind=kind, path=f"knowledge/rules/r{number}.md", doc=text)
        return Chosen(item, Guidance(rule_id, text, evidence_count=evidence_count), {"terms": 1.0}, "terms x")

    return make
