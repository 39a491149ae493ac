"""Reading the ledger by command: list, show, verify, export, explain, replay; damage costs what it hit."""

from __future__ import annotations

import json

from sample_change import DIFF, TASK


def test_edited_line_is_reported_and_the_rest_goes_on(project, run):
    ids = [run("augment", TASK, "--json", root=project.root).json["dispatch_id"] for _ in range(3)]
    segment = project.state / "receipts" / "000001.ndjson"
    lines = segment.read_bytes().splitlines(keepends=True)
    lines[1] = lines[1].replace(b'"coverage":', b'"coverage":1', 1)
    segment.write_bytes(b"".join(lines))
    done = run("receipts", "verify", root=project.root)
    assert done.code == 1
    assert "000001.ndjson:2: edited" in done.text
    listed = run("receipts", "list", root=project.root).text
    assert ids[0] in listed
    assert ids[2] in listed
    assert run("explain", ids[2], root=project.root).code == 0
    assert run("replay", ids[0], root=project.root).code == 0


def test_line_that_is_no_record_is_reported_and_the_rest_goes_on(project, run, failed):
    ids = [run("augment", TASK, "--json", root=project.root).json["dispatch_id"] for _ in range(3)]
    segment = project.state / "receipts" / "000001.ndjson"
    lines = segment.read_bytes().splitlines(keepends=True)
    lines[1] = lines[1][:100] + b"\n"
    segment.write_bytes(b"".join(lines))
    assert "000001.ndjson:2: not JSON" in run("receipts", "verify", root=project.root).text
    assert ids[0] in run("receipts", "list", root=project.root).text
    assert run("explain", ids[0], root=project.root).code == 0
    assert failed(run("explain", ids[1], root=project.root), "no receipt has this id")
    assert "damaged, taught nothing: 000001.ndjson:2" in run("learn", root=project.root).text


def test_torn_line_is_set_aside_and_nothing_is_lost(project, run):
    first = run("augment", TASK, "--json", root=project.root).json["dispatch_id"]
    segment = project.state / "receipts" / "000001.ndjson"
    with segment.open("ab") as file:
        file.write(b'{"type":"receipt","v":1,"disp')
    assert run("explain", first, root=project.root).code == 0
    done = run("augment", TASK, "--json", "--log-level", "warning", root=project.root)
    assert done.json["degraded"] is None
    checked = run("receipts", "verify", root=project.root)
    assert checked.code == 0
    assert "torn" in checked.text
    assert run("receipts", "list", "--json", root=project.root).json["receipts"][1]["dispatch_id"] == first


def test_replay_is_identical(project, run, dispatch):
    done = run("replay", dispatch, root=project.root)
    assert (done.code, done.text) == (0, f"{dispatch}: identical, prompt and offers.\n")
    assert run("replay", "last", "--json", root=project.root).json["identical"] is True


def test_replay_says_when_the_text_was_not_kept(project, run):
    project.write("prebrief.toml", "[dispatch]\nkeep_task = false\n")
    run("augment", TASK, root=project.root)
    done = run("replay", "last", root=project.root)
    assert done.code == 1
    assert "cannot be replayed" in done.text
    assert "dispatch.keep_task" in done.text
    assert TASK not in (project.state / "receipts" / "000001.ndjson").read_text()


def test_replay_says_what_differs_when_the_index_has_moved_on(project, run, dispatch):
    source = (project.root / "src/stream.py").read_text()
    project.write("src/stream.py", source.replace("Close the socket and wait", "Shut the socket and wait"))
    run("index", root=project.root)
    done = run("replay", dispatch, root=project.root)
    assert done.code == 1
    assert "symbol:src/stream.py::EventStream.close" in done.text
    assert "the prompt's bytes differ" in done.text
    assert "the index has moved on" in done.text


def test_replay_of_a_degraded_dispatch_says_so(project, run):
    run("augment", root=project.root)
    done = run("replay", "last", root=project.root)
    assert done.code == 1
    assert "task-error" in done.text


def test_export_is_the_ledger(project, run, dispatch, tmp_path, failed):
    ledger = (project.state / "receipts" / "000001.ndjson").read_bytes()
    (line,) = run("receipts", "export", root=project.root).text.splitlines()
    record = json.loads(line)
    assert record.pop("hash").startswith("blake2b:")
    assert record == json.loads(ledger)
    assert run("receipts", "export", "--output", tmp_path / "out", root=project.root).code == 0
    assert (tmp_path / "out").read_text() == f"{line}\n"
    assert failed(run("receipts", "export", "--since", "once", root=project.root), "'once' is not a time")
    bad = run("receipts", "export", "--output", tmp_path / "no" / "out", root=project.root)
    assert failed(bad, "cannot be written", "Give a writable file")


def test_list_of_an_empty_ledger(project, run):
    assert run("receipts", "list", root=project.root).text == "No receipts yet.\n"
    assert run("receipts", "verify", root=project.root).code == 0
    assert run("receipts", "export", root=project.root).code == 0
    assert run("learn", root=project.root).code == 0


def test_explanation_tells_every_factor(project, run, dispatch):
    text = run("explain", dispatch, root=project.root).text
    receipt = run("explain", dispatch, "--json", root=project.root).json["receipt"]
    first = receipt["offered"][0]
    assert first["name"] == "EventStream.close"
    for name in first["factors"]:
        assert name in text
    assert "Named in the task (backticked): EventStream.close." in text
    assert "mentioned as backticked EventStream.close" in text


def test_explanation_of_an_abstention(project, run):
    run("augment", "cook pasta with tomatoes", root=project.root)
    assert (
        "Nothing was offered: the task went out as it was." in run("explain", "last", root=project.root).text
    )


def test_explanation_of_a_degraded_dispatch(project, run):
    run("augment", root=project.root)
    text = run("explain", "last", root=project.root).text
    assert "The task went out unchanged: task-error. Give a text" in text


def test_ladder_is_part_of_the_explanation(project, run, dispatch):
    run("outcome", dispatch, "--status", "success", "--diff", "-", root=project.root, stdin=DIFF.encode())
    document = run("explain", dispatch, "--json", root=project.root).json
    close = next(item for item in document["receipt"]["offered"] if item["name"] == "EventStream.close")
    assert document["ladder"][close["pattern_hash"]][-1] == "used"
