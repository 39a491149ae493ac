"""Same index, settings and confidence: the same prompt and offers, byte for byte, wherever it is asked."""

from __future__ import annotations

import json
import shutil

import pytest

from augmenter import Augmenter
from augmenter.app.cli import main
from knowledge.clock import Clock

TASK = (
    "Fix the reconnect timeout of the stream\n\nThe socket leaks: see `EventStream.close`, `next_delay`"
    " and src/backoff.py. Exponential backoff waits too long.\n"
)
VARYING = ("dispatch_id", "timings_ms")
# A dispatch as text and one as JSON in one process, since starting one takes longer than both.
BOTH = """
import io, sys
from augmenter.app.cli import main
task = sys.stdin.buffer.read()
for more in ([], ["--json"]):
    sys.stdin = io.TextIOWrapper(io.BytesIO(task), encoding="utf-8")
    assert main([*sys.argv[1:], *more]) == 0
    sys.stdout.flush()
    sys.stdout.buffer.write(b"\\0")
"""


@pytest.fixture
def ask(spawn):
    """Prompt and JSON of a dispatch in a process of its own, without what may vary."""

    def ask(project, seed="0"):
        words = ("augment", "--no-record")
        done = spawn(*words, root=project.root, stdin=TASK.encode(), script=BOTH, PYTHONHASHSEED=seed)
        prompt, told, _ = done.out.split(b"\0")
        document = json.loads(told)
        assert document["prompt"].encode() == prompt
        return prompt, json.dumps({key: value for key, value in document.items() if key not in VARYING})

    return ask


def index(project, *words):
    assert main(["index", "--root", str(project.root), *words]) == 0


def test_hash_seed_and_process_do_not_matter(project, ask):
    first = ask(project, "0")
    assert json.loads(first[1])["offered"]
    assert json.loads(first[1])["rules"]
    assert {ask(project, seed) for seed in ("0", "1", "2", "42", "4242")} == {first}


def test_full_reindex_does_not_matter(project, ask):
    before = ask(project)
    index(project, "--full")
    assert ask(project) == before


def test_index_built_under_another_hash_seed_does_not_matter(project, ask, spawn):
    before = ask(project)
    shutil.rmtree(project.state)
    assert spawn("index", root=project.root, PYTHONHASHSEED="7").code == 0
    assert ask(project) == before


def test_incremental_index_is_as_good_as_a_full_one(project, ask):
    """Back and forth: what was edited, renamed, added and deleted, and then restored, leaves no trace."""
    before = ask(project)
    backoff = project.root / "src/backoff.py"
    kept = backoff.read_bytes()
    backoff.write_bytes(kept.replace(b"Exponential", b"Linear"))
    (project.root / "src/stream.py").rename(project.root / "src/streams.py")
    project.write("src/socket_pool.py", "def close_socket(timeout):\n    '''Close one socket.'''\n")
    index(project)
    assert ask(project) != before
    backoff.write_bytes(kept)
    (project.root / "src/streams.py").rename(project.root / "src/stream.py")
    (project.root / "src/socket_pool.py").unlink()
    index(project)
    assert ask(project) == before


def test_order_of_indexing_does_not_matter(new_project, project, ask):
    """A copy whose files came one commit at a time, in another order, offers the same."""
    other = new_project({}, "other")
    for path in sorted(project.root.glob("**/*.*"), reverse=True):
        name = path.relative_to(project.root).as_posix()
        if path.is_file() and not name.startswith((".git/", ".knowledge/")):
            other.write(name, path.read_bytes())
            main(["index", "--root", str(other.root)])
    other.commit("All")
    main(["index", "--root", str(other.root)])

    def offers(found):
        keys = ("id", "score", "why", "channels")
        return [[item[key] for key in keys] for item in json.loads(found[1])["offered"]]

    assert offers(ask(other)) == offers(ask(project))


def test_copy_of_the_project_elsewhere_says_the_same(project, ask, tmp_path):
    copy = type(project)(shutil.copytree(project.root, tmp_path / "elsewhere" / "under another name"))
    assert ask(copy) == ask(project)


def test_replay_is_identical_in_another_process_and_after_a_full_reindex(project, run, spawn):
    run("augment", root=project.root, stdin=TASK.encode())
    assert spawn("replay", "last", root=project.root, PYTHONHASHSEED="3").code == 0
    index(project, "--full")
    assert spawn("replay", "last", root=project.root, PYTHONHASHSEED="4").code == 0


def test_time_of_day_does_not_matter(project, ask, run):
    """Freshness and recency are measured from the commit, never from the clock."""

    def at(seconds):
        with Augmenter.open(project.root, clock=Clock(now=lambda: seconds)) as augmenter:
            brief = augmenter.augment(TASK)
            return brief.prompt, brief.offered, brief.rules

    assert at(1_700_000_000.0) == at(1_900_000_000.0)
