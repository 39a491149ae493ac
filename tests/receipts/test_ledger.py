"""Appending and reading: what was written is there, whole, whoever else writes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.clock import Clock
from knowledge.errors import LedgerError, UnknownDispatch
from knowledge.hashing import canonical_json, tagged, text_hash
from knowledge.locks import file_lock
from receipts.ledger import Ledger
from receipts.reading import Damage
from receipts.records import GENESIS, Audit, Delivery, NewerRecord, Outcome, Receipt
from receipts.verify import verify

REPOSITORY = Path(__file__).resolve().parents[2]
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


def segment(folder: Path, number: int = 1) -> Path:
    return folder / f"{number:06d}.ndjson"


def run_python(code: str, *arguments: object, **options) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    return subprocess.Popen(command, cwd=REPOSITORY, **options)


def test_what_was_appended_is_found_again(ledger, make_receipt):
    receipt = make_receipt()
    ledger.append(receipt)
    found = ledger.find(receipt.dispatch_id).receipt
    assert found.offered == receipt.offered
    assert found.time == "2026-01-31T12:00:01.000Z"
    assert (found.prev, found.seq) == (GENESIS, 1)


def test_time_given_with_a_record_is_kept(ledger, make_receipt):
    receipt = make_receipt(time="2025-05-05T05:05:05.005Z")
    ledger.append(receipt)
    assert ledger.find(receipt.dispatch_id).receipt.time == "2025-05-05T05:05:05.005Z"


def test_each_line_is_canonical_and_carries_the_hash_of_the_one_before(ledger, folder, make_receipt):
    hashes = [ledger.append(make_receipt()) for _ in range(3)]
    lines = segment(folder).read_bytes().splitlines()
    assert [tagged(line) for line in lines] == hashes
    assert [json.loads(line)["prev"] for line in lines] == [GENESIS, *hashes[:-1]]
    assert all(canonical_json(json.loads(line)).encode() == line for line in lines)


def test_chain_and_numbers_go_on_across_segments(folder, clock, make_receipt):
    ledger = Ledger(folder, clock, segment_bytes=2_500)
    for _ in range(12):
        ledger.append(make_receipt())
    assert len(list(folder.glob("*.ndjson"))) > 2
    entries = list(ledger.records())
    assert [entry.record.seq for entry in entries] == list(range(1, 13))
    assert verify(folder).ok


def test_several_records_under_one_lock(ledger, make_receipt):
    receipt = make_receipt()
    with ledger.writing() as writer:
        writer.append(receipt)
        writer.append(Delivery(dispatch_id=receipt.dispatch_id))
    history = ledger.find(receipt.dispatch_id)
    assert [record.type for record in history.linked] == ["delivery"]
    assert verify(ledger.folder).ok


def test_audit_record_may_stand_alone(ledger):
    ledger.append(Audit(action="approve", actor="operator", reason="seen twice", subject="rule:x"))
    assert [entry.record.type for entry in ledger.records()] == ["audit"]
    assert verify(ledger.folder).ok


def test_linked_records_come_in_ledger_order(ledger, make_receipt):
    first, second = make_receipt(), make_receipt()
    for record in (
        first,
        second,
        Delivery(dispatch_id=first.dispatch_id, rung="opened"),
        Outcome(dispatch_id=second.dispatch_id, status="infra"),
        Outcome(dispatch_id=first.dispatch_id, status="success"),
    ):
        ledger.append(record)
    history = ledger.find(first.dispatch_id)
    assert [record.type for record in history.linked] == ["delivery", "outcome"]
    assert history.outcome is not None
    assert history.outcome.status == "success"


def test_task_that_names_another_dispatch_is_not_linked_to_it(ledger, make_receipt):
    first = make_receipt()
    ledger.append(first)
    ledger.append(make_receipt(task=f"Repeat {first.dispatch_id}"))
    assert ledger.find(first.dispatch_id).receipt.task == first.task
    assert ledger.find(first.dispatch_id).linked == ()


@pytest.mark.parametrize(
    "text", ["", "x\udc80y", "\ud800", "\u2028\u2029\x85\r\n\t\x00", "任务 🚀", '"\\', "a\nb" * 50_000]
)
def test_any_task_text_survives(ledger, make_receipt, text):
    receipt = make_receipt(task=text, task_hash=text_hash(text))
    ledger.append(receipt)
    ledger.append(make_receipt())
    assert ledger.find(receipt.dispatch_id).receipt.task == text
    assert verify(ledger.folder).ok
    assert len(segment(ledger.folder).read_bytes().splitlines()) == 2


@settings(max_examples=40, deadline=None)
@given(text=st.text(alphabet=st.characters(exclude_categories=())))
def test_stored_lines_are_utf8_whatever_the_text(tmp_path_factory, text):
    ledger = Ledger(tmp_path_factory.mktemp("ledger"), Clock())
    ledger.append(Audit(action="note", actor="a", reason=text, subject="s"))
    line = segment(ledger.folder).read_bytes()
    assert line.decode("utf-8").count("\n") == 1
    assert verify(ledger.folder).ok


def test_latest_comes_newest_first_across_segments(folder, clock, make_receipt):
    ledger = Ledger(folder, clock, segment_bytes=2_500)
    receipts = [make_receipt() for _ in range(9)]
    for receipt in receipts:
        ledger.append(receipt)
        ledger.append(Outcome(dispatch_id=receipt.dispatch_id, status="success"))
    expected = [receipt.dispatch_id for receipt in reversed(receipts)]
    assert [receipt.dispatch_id for receipt in ledger.latest(5)] == expected[:5]
    assert [receipt.dispatch_id for receipt in ledger.latest(100)] == expected
    assert ledger.latest(0) == []


def test_ledger_that_does_not_exist_yet_is_empty(ledger, folder, clock):
    assert list(ledger.records()) == []
    assert ledger.latest(3) == []
    with pytest.raises(UnknownDispatch):
        ledger.find(clock.dispatch_id())
    assert not folder.exists()


def test_unknown_dispatch_says_so(filled, clock):
    with pytest.raises(UnknownDispatch, match="no receipt has this id"):
        filled.find(clock.dispatch_id())
    with pytest.raises(UnknownDispatch, match="not a dispatch id"):
        filled.find("latest")


def test_damaged_line_costs_itself_alone(filled, folder):
    lines = segment(folder).read_bytes().split(b"\n")
    wanted = json.loads(lines[2])["dispatch_id"]
    lines[2] = lines[2][:-30]
    segment(folder).write_bytes(b"\n".join(lines))
    entries = list(filled.records())
    assert [(e.segment, e.line) for e in entries if isinstance(e, Damage)] == [("000001.ndjson", 3)]
    assert len(filled.latest(10)) == 5
    with pytest.raises(UnknownDispatch, match=r"000001\.ndjson:3.*is damaged"):
        filled.find(wanted)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[]", "not a JSON object"),
        ("nonsense", "not JSON"),
        ('{"type":"receipt"}', "not a valid record"),
        ('{"type":"wish"}', "not a valid record"),
        ("\xff", "not JSON"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_damage_says_what_is_wrong(filled, folder, text, what):
    with segment(folder).open("ab") as file:
        file.write(text.encode("latin-1") + b"\n")
    damage = list(filled.records())[-1]
    assert isinstance(damage, Damage)
    assert what in damage.what


def test_record_of_a_newer_schema_is_kept_and_counted(filled, folder, make_receipt):
    newer = {"v": 2, "type": "receipt", "dispatch_id": make_receipt().dispatch_id, "mood": [1]}
    last = segment(folder).read_bytes().splitlines()[-1]
    line = canonical_json(newer | {"prev": tagged(last), "seq": 7}).encode()
    with segment(folder).open("ab") as file:
        file.write(line + b"\n")
    filled.append(make_receipt())
    entries = list(filled.records())
    assert isinstance(entries[6].record, NewerRecord)
    assert not isinstance(entries[7].record, NewerRecord)
    verification = verify(folder)
    assert (verification.ok, verification.newer, verification.lines) == (True, 1, 8)
    with pytest.raises(LedgerError, match="newer version"):
        filled.find(newer["dispatch_id"])


def test_torn_last_line_is_set_aside_and_reported(filled, folder, events, make_receipt):
    whole = segment(folder).read_bytes()
    with segment(folder).open("ab") as file:
        file.write(b'{"v":1,"type":"rec')
    assert len(list(filled.records())) == 6
    filled.append(make_receipt())
    part = folder / "torn" / f"000001-{len(whole)}.part"
    assert part.read_bytes() == b'{"v":1,"type":"rec'
    assert [(event.kind, event.where) for event in events] == [("torn-line", str(part))]
    assert segment(folder).read_bytes().startswith(whole)
    verification = verify(folder)
    assert verification.ok
    assert verification.torn == (f"torn/{part.name}",)
    assert verification.lines == 7


@settings(max_examples=40, deadline=None)
@given(cut=st.integers(min_value=1, max_value=600))
def test_line_cut_anywhere_loses_no_byte(tmp_path_factory, cut):
    folder = tmp_path_factory.mktemp("ledger")
    ledger = Ledger(folder, Clock())
    audit = Audit(action="note", actor="a", reason="r" * 600, subject="s")
    ledger.append(audit)
    kept = segment(folder).read_bytes()
    ledger.append(audit)
    torn = segment(folder).read_bytes()[:-cut]
    segment(folder).write_bytes(torn)
    (folder / "head.json").write_text(json.dumps({"segments": 1, "lines": 1, "hash": tagged(kept[:-1])}))
    ledger.append(audit)
    (part,) = (folder / "torn").iterdir()
    assert kept + part.read_bytes() == torn
    assert verify(folder).ok


def test_second_torn_line_at_the_same_place_does_not_replace_the_first(filled, folder, make_receipt):
    size = segment(folder).stat().st_size
    for text in (b"first", b"second", b"second"):
        os.truncate(segment(folder), size)
        with segment(folder).open("ab") as file:
            file.write(text)
        filled.append(make_receipt())
    assert sorted(p.read_bytes() for p in (folder / "torn").iterdir()) == [b"first", b"second"]


def test_torn_first_line_of_a_new_segment(folder, clock, make_receipt, events):
    ledger = Ledger(folder, clock, segment_bytes=100, on_event=events.append)
    first = ledger.append(make_receipt())
    segment(folder, 2).write_bytes(b'{"half')
    receipt = make_receipt()
    ledger.append(receipt)
    assert ledger.find(receipt.dispatch_id).receipt.prev == first
    assert [event.kind for event in events] == ["torn-line"]
    assert verify(folder).ok


def test_line_longer_than_any_chunk_is_found_from_the_end(ledger, make_receipt):
    ledger.append(make_receipt())
    long = ledger.append(make_receipt(task="x" * 400_000))
    receipt = make_receipt()
    ledger.append(receipt)
    assert ledger.find(receipt.dispatch_id).receipt.prev == long


def test_crash_before_the_head_was_written_leaves_a_whole_ledger(filled, folder, events, make_receipt):
    before = (folder / "head.json").read_bytes()
    filled.append(make_receipt())
    (folder / "head.json").write_bytes(before)
    assert verify(folder).ok
    filled.append(make_receipt())
    assert verify(folder).ok
    assert events == []


@pytest.mark.parametrize("content", [None, b"", b"{", b"[]", b'{"lines":"x"}'])
def test_lost_head_is_reported_and_written_again(filled, folder, make_receipt, content):
    (folder / "head.json").unlink()
    if content is not None:
        (folder / "head.json").write_bytes(content)
    assert [problem.segment for problem in verify(folder).problems] == ["head.json"]
    filled.append(make_receipt())
    assert verify(folder).ok


def test_many_processes_at_once_keep_one_chain(folder):
    writers = [run_python(WRITER, folder, 25) for _ in range(4)]
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
    writer = run_python(WRITER, folder, 120)
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
        writer = run_python(code, folder, 100_000, stdout=subprocess.PIPE)
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
        assert run_python(code, folder, limit).wait(30) == 7
        assert segment(folder).stat().st_size == size
    assert verify(folder).ok
    filled.append(make_receipt())
    assert verify(folder).ok


def test_lock_that_is_held_too_long_is_an_error_and_no_hang(filled, folder, clock, make_receipt):
    patient = Ledger(folder, clock, lock_timeout=0.05)
    with file_lock(folder / "lock", 0), pytest.raises(LedgerError, match="another process"):
        patient.append(make_receipt())
    patient.append(make_receipt())
    assert verify(folder).lines == 7


UNPRIVILEGED = """
    import os, sys
    from pathlib import Path
    from knowledge.clock import Clock
    from knowledge.errors import LedgerError
    from receipts.ledger import Ledger
    from receipts.records import Audit
    from receipts.verify import verify

    os.chdir(sys.argv[1])
    if os.getuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
    ledger = Ledger(Path(sys.argv[2]), Clock())
    assert verify(ledger.folder).lines == int(sys.argv[3])
    try:
        ledger.append(Audit(action="x", actor="x", reason="x", subject="x"))
    except LedgerError as error:
        sys.exit(7 if error.remedy and sys.argv[2] in error.where else 1)
"""


def test_read_only_folder_can_be_read_and_says_why_it_cannot_be_written(filled, folder, tmp_path):
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o555)
    tmp_path.chmod(0o555)
    try:
        assert run_python(UNPRIVILEGED, tmp_path, "receipts", 6).wait(30) == 7
    finally:
        tmp_path.chmod(0o755)
        folder.chmod(0o755)


def test_folder_that_cannot_be_made_is_an_error(tmp_path):
    tmp_path.chmod(0o555)
    try:
        assert run_python(UNPRIVILEGED, tmp_path, "state/receipts", 0).wait(30) == 7
    finally:
        tmp_path.chmod(0o755)


def test_file_where_the_folder_should_be_is_an_error(tmp_path, clock, make_receipt):
    (tmp_path / "receipts").write_text("")
    ledger = Ledger(tmp_path / "receipts", clock)
    with pytest.raises(LedgerError):
        ledger.append(make_receipt())
    with pytest.raises(LedgerError):
        ledger.latest(1)


def test_invalid_records_are_refused_before_they_are_written(make_receipt):
    receipt = make_receipt()
    for changes in ({"coverage": float("nan")}, {"time": "yesterday"}, {"time": "2026-13-01T00:00:00.000Z"}):
        with pytest.raises(ValueError, match="1 validation error"):
            Receipt.model_validate(receipt.model_dump() | changes)
    with pytest.raises(ValueError, match="dispatch_id"):
        Outcome(dispatch_id="latest", status="success")


def test_import_is_light():
    code = (
        "import receipts.ledger, receipts.outcomes, sys; print(sorted(set(sys.modules) & set(sys.argv[1:])))"
    )
    heavy = ["sqlite3", "git", "apscheduler", "jinja2", "structlog", "asyncio", "multiprocessing"]
    process = run_python(code, *heavy, stdout=subprocess.PIPE)
    assert process.communicate()[0] == b"[]\n"
