"""The files of a ledger."""

from __future__ import annotations

from pathlib import Path


def segment(folder: Path, number: int = 1) -> Path:
    """One of the files that hold a ledger's lines."""
    return folder / f"{number:06d}.ndjson"
