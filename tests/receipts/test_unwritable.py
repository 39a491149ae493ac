"""Folders and disks that cannot be written: an error that says why, and no half line."""

from __future__ import annotations

import pytest
from ledger_files import segment
from python_process import start_python

from knowledge.clock import Clock
from knowledge.errors import LedgerError
from receipts.ledger import Ledger
from receipts.records import Audit
from receipts.verify import verify


def test_full_disk_leaves_no_half_line(filled, folder, make_receipt):
    """A limit on the size of files stands for a full disk."""
    size = segment(folder).stat().st_size
    code = """
        import resource, signal, sys
        from pathlib import Path
        from knowledge.clock import Clock
        from knowledge.errors import LedgerError
        from receipts.ledger import Ledger
        from receipts.records import Audit

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
        record = Audit(action="x", actor="x", reason="x" * 1000, subject="x")
        try:
            Ledger(Path(sys.argv[1]), Clock()).append(record)
        except LedgerError as error:
            sys.exit("space" in str(error) and 7)
    """
    for limit in (size, size + 100):
        assert start_python(code, folder, limit).wait(30) == 7
        assert segment(folder).stat().st_size == size
    assert verify(folder).ok
    filled.append(make_receipt())
    assert verify(folder).ok


@pytest.fixture
def refused(unprivileged, tmp_path):
    """Whether a ledger can be read and says why it cannot be written, where permissions apply."""

    def refused(folder, lines):
        assert verify(folder).lines == lines
        with pytest.raises(LedgerError) as caught:
            Ledger(folder, Clock()).append(Audit(action="x", actor="x", reason="x", subject="x"))
        return bool(caught.value.remedy) and str(folder) in caught.value.where

    return lambda folder, *, lines: unprivileged(lambda: refused(folder, lines), owns=[tmp_path])


def test_read_only_folder_can_be_read_and_says_why_it_cannot_be_written(filled, folder, tmp_path, refused):
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o555)
    tmp_path.chmod(0o555)
    try:
        assert refused(folder, lines=6)
    finally:
        tmp_path.chmod(0o755)
        folder.chmod(0o755)


def test_folder_that_cannot_be_made_is_an_error(tmp_path, refused):
    tmp_path.chmod(0o555)
    try:
        assert refused(tmp_path / "state" / "receipts", lines=0)
    finally:
        tmp_path.chmod(0o755)


def test_file_where_the_folder_should_be_is_an_error(tmp_path, clock, make_receipt):
    (tmp_path / "receipts").write_text("")
    ledger = Ledger(tmp_path / "receipts", clock)
    with pytest.raises(LedgerError):
        ledger.append(make_receipt())
    with pytest.raises(LedgerError):
        ledger.latest(1)
