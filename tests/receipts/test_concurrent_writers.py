"""Many at once: whoever else writes, reads or is killed, the chain is one."""

from __future__ import annotations

import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from python_process import start_python

from knowledge.clock import Clock
from knowledge.errors import LedgerError
from knowledge.locks import file_lock
from receipts.ledger import Ledger
from receipts.reading import Damage
from receipts.verify import verify

WRITER = """
import sys
from pathlib import Path
from knowledge.clock import Clock
from receipts.ledger import Ledger
from receipts.records import Receipt

folder, count = Path(sys.argv[1]), int(sys.argv[2])
clock = Clock()
ledger = Ledger(folder, clock, segment_bytes=8_000)
for number in range(count):
    ledger.append(Receipt(dispatch_id=clock.dispatch_id(), project="p", task_hash="h", prompt_hash="x" * 900))
"""


def test_many_processes_at_once_keep_one_chain(folder):
    writers = [start_python(WRITER, folder, 25) for _ in range(4)]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0, 0]
    verification = verify(folder)
    assert verification.problems == ()
    assert (verification.receipts, verification.lines, verification.torn) == (100, 100, ())
    assert verification.segments > 5


def test_many_threads_at_once_keep_one_chain(folder, make_receipt):
    receipts = [make_receipt() for _ in range(40)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(Ledger(folder, Clock()).append, receipts))
    verification = verify(folder)
    assert (verification.problems, verification.receipts) == ((), 40)


def test_reader_beside_writers_sees_only_whole_lines(folder):
    folder.mkdir()
    writer = start_python(WRITER, folder, 120)
    ledger = Ledger(folder, Clock())
    seen = 0
    while writer.poll() is None:
        entries = list(ledger.records())
        assert not [entry for entry in entries if isinstance(entry, Damage)]
        assert verify(folder).problems == ()
        assert len(entries) >= seen
        seen = len(entries)
    assert len(list(ledger.records())) == 120


def test_killed_writers_cost_nothing_that_was_acknowledged(folder, make_receipt, clock):
    code = WRITER.replace("    ledger.append(", "    print(ledger.append(").replace(
        "* 900))", "* 900)), flush=True)"
    )
    acknowledged = set()
    for _ in range(3):
        writer = start_python(code, folder, 100_000, stdout=subprocess.PIPE)
        assert writer.stdout is not None
        acknowledged.add(writer.stdout.readline())
        time.sleep(0.03)
        writer.send_signal(signal.SIGKILL)
        acknowledged.update(
            line for line in writer.stdout.read().splitlines(keepends=True) if line.endswith(b"\n")
        )
        writer.wait()
        writer.stdout.close()
    Ledger(folder, clock).append(make_receipt())
    assert verify(folder).problems == ()
    hashes = {entry.hash for entry in Ledger(folder, clock).records()}
    assert {line.decode().strip() for line in acknowledged} <= hashes


def test_lock_that_is_held_too_long_is_an_error_and_no_hang(filled, folder, clock, make_receipt):
    patient = Ledger(folder, clock, lock_timeout=0.05)
    with file_lock(folder / "lock", 0), pytest.raises(LedgerError, match="another process"):
        patient.append(make_receipt())
    patient.append(make_receipt())
    assert verify(folder).lines == 7
