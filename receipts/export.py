"""The ledger as one stream of NDJSON, for a backup or another tool."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any, TextIO

from knowledge.clock import format_time
from knowledge.errors import LedgerError
from knowledge.hashing import canonical_json, tagged
from receipts.segments import Line, iterate_lines


def export(folder: Path, out: TextIO, since: str | None = None, until: str | None = None) -> int:
    """Write the records of a time range, in order, one JSON object a line.

    Each is the record as it stands in the ledger with its line's ``hash`` added: without that key, its
    canonical JSON is the line again, byte for byte. A line that is no JSON object is exported as
    ``{"damage": true, "hash", "line", "segment", "text"}``, whatever the range.

    Args:
        folder: the ledger's folder.
        out: where to write.
        since: leave out what is earlier; ISO 8601, a date or a date with a time (UTC unless it says so).
        until: leave out what is later; a date means to the end of that day.

    Returns:
        The number of lines written.

    Raises:
        LedgerError: ``since`` or ``until`` is not a time, or the ledger cannot be read.
    """
    first = _bound(since, is_end=False) if since else ""
    last = _bound(until, is_end=True) if until else ""
    count = 0
    for line in iterate_lines(folder):
        value = _exported(line)
        moment = str(value.get("time", ""))
        if "damage" not in value and (moment < first or (last and moment > last)):
            continue
        # A lone surrogate becomes the JSON escape it had in the ledger.
        out.write(canonical_json(value).encode("utf-8", "backslashreplace").decode() + "\n")
        count += 1
    return count


def _exported(line: Line) -> dict[str, Any]:
    try:
        value = json.loads(line.data, parse_constant=_refuse)
    except (ValueError, RecursionError):
        value = None
    digest = tagged(line.data)
    if isinstance(value, dict):
        return {**value, "hash": digest}
    text = line.data.decode("utf-8", "backslashreplace")
    return {"damage": True, "hash": digest, "line": line.number, "segment": line.segment, "text": text}


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


def _bound(text: str, *, is_end: bool) -> str:
    """A bound in the ledger's own form, which compares as text."""
    try:
        return format_time(_moment(text, is_end).timestamp())
    except (ValueError, OverflowError):
        raise LedgerError(
            f"'{text}' is not a time", remedy="Write 2026-01-31 or 2026-01-31T12:00:00Z"
        ) from None


def _moment(text: str, is_end: bool) -> datetime:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        moment = datetime.fromisoformat(text)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    start = datetime.combine(day, time(), UTC)
    return start + timedelta(days=1, milliseconds=-1) if is_end else start
