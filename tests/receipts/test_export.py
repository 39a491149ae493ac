"""Export: a backup from which the lines can be had again, byte for byte."""

from __future__ import annotations

import io
import json

import pytest

from knowledge.errors import LedgerError
from knowledge.hashing import canonical_json
from receipts.export import export


def exported(folder, **bounds):
    out = io.StringIO()
    count = export(folder, out, **bounds)
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert len(lines) == count
    return lines


def test_lines_can_be_had_again_byte_for_byte(ledger, make_receipt, folder):
    hashes = [ledger.append(make_receipt(task=text)) for text in ("one", "zwei: ü", "lone \udc80")]
    rows = exported(folder)
    assert [row.pop("hash") for row in rows] == hashes
    lines = (folder / "000001.ndjson").read_bytes().splitlines()
    assert [canonical_json(row).encode("utf-8", "backslashreplace") for row in rows] == lines


@pytest.mark.parametrize(
    ("bounds", "days"),
    [
        ({}, [1, 2, 3]),
        ({"since": "2026-01-02"}, [2, 3]),
        ({"until": "2026-01-02"}, [1, 2]),
        ({"since": "2026-01-02", "until": "2026-01-02"}, [2]),
        ({"since": "2026-01-02T12:00:00.001Z"}, [3]),
        ({"since": "2026-01-02T13:00:00+01:00", "until": "2026-01-02T12:00:00"}, [2]),
        ({"since": "2027-01-01"}, []),
    ],
)
def test_time_range_includes_both_ends(ledger, make_receipt, folder, bounds, days):
    for day in (1, 2, 3):
        ledger.append(make_receipt(time=f"2026-01-0{day}T12:00:00.000Z"))
    assert [int(row["time"][8:10]) for row in exported(folder, **bounds)] == days


@pytest.mark.parametrize("text", ["yesterday", "2026-13-01", "99999-01-01"])
def test_bound_that_is_no_time_is_an_error(filled, text):
    with pytest.raises(LedgerError, match="is not a time"):
        export(filled.folder, io.StringIO(), since=text)


@pytest.mark.parametrize("damage", [b"nonsense \xff", b"[1]", b'{"v":NaN}'])
def test_damaged_line_is_exported_as_it_stands(filled, folder, damage):
    with (folder / "000001.ndjson").open("ab") as file:
        file.write(damage + b"\n")
    last = exported(folder)[-1]
    assert (last["damage"], last["segment"], last["line"]) == (True, "000001.ndjson", 7)
    assert last["text"] == damage.decode("utf-8", "backslashreplace")


def test_empty_ledger_exports_nothing(folder):
    assert exported(folder) == []
