"""An interrupted evaluation: what is done is kept, and the next run ends in the same bytes."""

import json
import signal
import time

import pytest

from evals.evaluation import judging, running


class Interrupted(Exception):
    pass


@pytest.fixture
def interrupt(monkeypatch):
    """Lets asking fail after so many cases; counts what is asked."""
    asked = []

    def interrupt(after=10**9):
        asked.clear()

        def ask(case, configuration, place):
            if len(asked) == after:
                raise Interrupted
            asked.append(case.id)
            return judging.ask(case, configuration, place)

        monkeypatch.setattr(running, "ask", ask)
        return asked

    return interrupt


def test_interrupted_run_goes_on_where_it_was_and_ends_in_the_same_bytes(evaluate, project, interrupt):
    done = evaluate()
    folder = project.folder(done)
    whole = {name: (folder / name).read_bytes() for name in ("run.json", "results.jsonl")}
    first = list(interrupt(after=7))
    with pytest.raises(Interrupted):
        evaluate()
    partial = folder / "results.partial.jsonl"
    assert len(partial.read_text().splitlines()) == 8  # the first is empty
    with partial.open("a") as out:
        out.write('{"outcome": {"case": "aw')  # torn while it was written
    first = interrupt()
    assert evaluate().code == 0
    assert len(first) == 16 - 7
    assert {name: (folder / name).read_bytes() for name in whole} == whole
    assert not partial.exists()


def test_killed_process_leaves_what_it_has_done(spawn, project, case_rows):
    rows = [{**row, "id": f"{row['id']}-{n}"} for n in range(12) for row in case_rows()]
    project.write_cases(rows)
    words = ("evaluate", "--root", str(project.root), "--cases", str(project.cases), "--json")
    process = spawn(*words)
    deadline = time.monotonic() + 60
    while not (found := list(project.evaluations.glob("*/results.partial.jsonl"))) or not lines(found[0]):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert 0 < lines(found[0]) < len(rows)
    out, _ = spawn(*words).communicate()
    assert json.loads(out)["cases"]["count"] == len(rows)


def lines(path):
    return path.read_bytes().count(b'{"milliseconds"')


def test_second_process_at_the_same_run_is_turned_away(evaluate, project, monkeypatch):
    folder = project.folder(evaluate())
    with running.file_lock(folder / running.LOCK, 0):
        done = evaluate()
    assert done.code == 1
    assert "another process" in done.err
