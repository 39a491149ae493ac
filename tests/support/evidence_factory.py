"""Evidence out of thin air."""

from __future__ import annotations

from typing import Any

from knowledge.hashing import text_hash
from knowledge.types import Authority, Evidence, Kind, Quality, SourceKind, Status


def make_evidence(number: int = 0, **changes: Any) -> Evidence:
    """The n-th of its kind: a function of a file of its own."""
    values: dict[str, Any] = {
        "id": f"symbol:src/m{number:03}.py::f{number}",
        "kind": Kind.UNIT,
        "name": f"f{number}",
        "path": f"src/m{number:03}.py",
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
