"""Scored candidates and guidance out of thin air."""

from __future__ import annotations

import pytest

from augmenter.candidates import Candidate
from augmenter.channels.lexical import LexicalHit
from augmenter.factors import Factor, Scored
from augmenter.guidance import Chosen
from knowledge.hashing import text_hash
from knowledge.types import Authority, Evidence, Guidance, Kind, Quality, SourceKind, Status


def make_evidence(number=0, **changes):
    values = {
        "id": f"symbol:src/m{number}.py::f{number}",
        "kind": Kind.UNIT,
        "name": f"f{number}",
        "path": f"src/m{number}.py",
        "start": 1,
        "end": 9,
        "part": 0,
        "language": "python",
        "signature": f"def f{number}()",
        "doc": f"Does {number}.",
        "content_hash": text_hash(str(changes.get("id", number))),
        "source_kind": SourceKind.IMPLEMENTATION,
        "authority": Authority.IMPLEMENTATION,
        "status": Status.CURRENT,
        "tags": (),
        "quality": Quality(0.5, {}),
        "density": 0.0,
        "last_commit": "",
        "last_commit_time": 0,
    }
    return Evidence(**{**values, **changes})


@pytest.fixture
def evidence():
    return make_evidence


@pytest.fixture
def scored():
    """Makes a scored pattern."""

    def make(number=0, score=0.5, coverage=0.5, **changes):
        hit = LexicalHit(number, score, coverage, ("term",))
        candidate = Candidate(make_evidence(number, **changes), hit, None, {"lexical": number + 1})
        return Scored(candidate, score, {"fusion": Factor(score, 1.0)})

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
