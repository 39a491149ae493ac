"""Cases from a project's history: what a commit says is the task, what it changed is the answer."""

import os

import pytest

from evals.cases import Answer
from evals.mining.reasons import Reason
from knowledge.catalog.reader import CatalogReader
from knowledge.errors import TaskError
from knowledge.settings import IndexSettings, Settings

SHIFTED = "import socket\n\n\ndef take(pool):\n    return pool.pop()\n"


def test_commit_that_changes_a_function_is_a_case_at_its_parent(history):
    parent = history.repository.git("rev-parse", "HEAD~1")
    (case,) = history.mine().cases
    assert case.task == "Open another socket when none is idle"
    assert case.commit == parent
    assert case.id == history.repository.git("rev-parse", "HEAD")[:12]
    assert case.relevant == (Answer("symbol:src/pool.py::take", "src/pool.py", "take", 1, 3),)


def test_lines_are_those_of_the_parent(history):
    history.commit("Import what opens sockets in the pool", **{"src/pool.py": SHIFTED})
    history.commit(
        "Wait for an idle socket at most a minute",
        **{
            "src/pool.py": SHIFTED.replace("pool.pop()", "pool.pop(timeout=60)").removeprefix(
                "import socket\n\n\n"
            )
        },
    )
    (answer,) = history.mine().cases[0].relevant
    assert (answer.start, answer.end) == (4, 5)


def test_newest_cases_come_first_and_no_more_than_asked(history):
    for number in range(5):
        history.commit(
            f"Answer question {number} of the philosopher", **{"a.py": f"def f():\n    return {number}\n"}
        )
    mined = history.mine(3)
    assert [case.task.split()[2] for case in mined.cases] == ["4", "3", "2"]
    assert mined.explained() == ()


def test_no_case_is_mined_where_none_is_asked_for(history):
    assert (history.mine(limit=0).cases, history.mine(limit=0).looked_at) == ((), 0)


def test_fewer_cases_than_asked_are_explained(history):
    history.commit("Fix typo in the pool", **{"src/pool.py": "def take():\n    return 2\n"})
    mined = history.mine(10)
    assert mined.left_out == {Reason.DOCUMENTATION: 1, Reason.NO_PARENT: 1}
    assert mined.explained()[0] == "1 of 10 cases found, in 3 commits; left out:"
    assert "  1 documentation" in mined.explained()


def test_project_without_git_is_told_so(new_history, tmp_path):
    plain = tmp_path / "plain"
    plain.mkdir()
    with pytest.raises(TaskError, match="no git repository"):
        new_history.mine(root=plain)


def test_project_without_commits_gives_nothing(new_history):
    mined = new_history.mine()
    assert mined.cases == ()
    assert mined.explained() == ("There are no commits yet to find cases in.",)


def test_what_was_mined_is_known_to_the_next_run(history):
    first = history.mine()
    kept = history.state() / "mined.jsonl"
    kept.write_text(kept.read_text().replace("socket when none", "socket as soon as none"))
    (case,) = history.mine().cases
    assert case.task == "Open another socket as soon as none is idle"
    assert case.relevant == first.cases[0].relevant


@pytest.mark.parametrize(
    "damage", [b'{"recipe": "of another version"}\n', b"\xff\xfe", b'{"commit": "torn', b""]
)
def test_damaged_or_outdated_notes_are_mined_anew(history, damage):
    first = history.mine()
    kept = history.state() / "mined.jsonl"
    whole = kept.read_bytes()
    kept.write_bytes(damage if damage != b'{"commit": "torn' else whole + damage)
    assert history.mine() == first
    assert kept.read_bytes() == whole


def test_rewritten_history_gives_the_cases_that_it_has_now(history):
    history.mine()
    history.repository.git(
        "commit", "--quiet", "--amend", "--message=Open a socket when the pool has run dry"
    )
    (case,) = history.mine().cases
    assert case.task == "Open a socket when the pool has run dry"
    assert case.id == history.repository.git("rev-parse", "HEAD")[:12]


def test_shallow_clone_gives_what_it_has_and_says_so(history, tmp_path):
    history.commit("Give sockets back to the pool once only", **{"src/pool.py": SHIFTED})
    clone = tmp_path / "clone"
    history.repository.git("clone", "--quiet", "--depth=1", f"file://{history.root}", str(clone))
    mined = history.mine(root=clone)
    assert (mined.cases, mined.is_shallow) == ((), True)
    assert "shallow clone" in mined.explained()[-1]


def test_clone_without_contents_gives_no_case_and_fetches_nothing(history, tmp_path):
    history.repository.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    history.commit("Later.", **{"src/pool.py": SHIFTED})
    options = ("--quiet", "--filter=blob:none", f"file://{history.root}")
    history.repository.git("clone", *options, str(clone))
    before = sorted((clone / ".git/objects").rglob("*"))
    mined = history.mine(root=clone)
    assert mined.left_out[Reason.MISSING] == 1
    assert "partial clone" in mined.explained()[-1]
    assert sorted((clone / ".git/objects").rglob("*")) == before


def test_clone_without_trees_is_refused(history, tmp_path):
    history.repository.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    options = ("--quiet", "--filter=tree:0", "--no-checkout", f"file://{history.root}")
    history.repository.git("clone", *options, str(clone))
    with pytest.raises(TaskError, match="no trees"):
        history.mine(root=clone)


def test_linked_worktree_is_mined_from_its_own_head(history, tmp_path):
    linked = tmp_path / "linked"
    history.repository.git("worktree", "add", "--quiet", "--detach", str(linked), "HEAD~1")
    assert history.mine(root=linked).cases == ()
    assert len(history.mine().cases) == 1


def test_name_that_is_no_utf8_costs_its_file_alone(history):
    name = os.fsdecode(b"src/caf\xe9.py")
    history.commit("A file.", **{name: "def f():\n    return 1\n"})
    history.commit(
        "Serve coffee with and without sugar", **{name: "def f():\n    return 2\n", "src/pool.py": SHIFTED}
    )
    (answer,) = history.mine().cases[0].relevant
    assert answer.path == "src/pool.py"


def test_line_end_in_a_name_is_part_of_the_name(history):
    history.commit("A file.", **{"src/a\nb.py": "def f():\n    return 1\n"})
    history.commit("Serve coffee with and without sugar", **{"src/a\nb.py": "def f():\n    return 2\n"})
    (answer,) = history.mine().cases[0].relevant
    assert answer.path == "src/a\nb.py"


def test_excluded_files_make_no_case(history):
    settings = Settings(index=IndexSettings(exclude=["src/"]))
    assert history.mine(settings=settings).cases == ()


def test_ids_are_those_of_the_index(history):
    (case,) = history.mine().cases
    with history.checkouts() as checkouts, CatalogReader(checkouts.at(case.commit).catalog) as reader:
        (evidence,) = reader.by_id([answer.id for answer in case.relevant]).values()
    (answer,) = case.relevant
    assert (evidence.path, evidence.name, evidence.start, evidence.end) == (
        *(answer.path, answer.name),
        *(answer.start, answer.end),
    )


def test_run_that_is_stopped_keeps_what_it_has_found(history):
    for number in range(20):
        text = f"def f():\n    return {number}\n"
        history.commit(f"Answer question {number} of the philosopher", **{"a.py": text})

    def stop_at_once(items, total, label):
        yield next(iter(items))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        history.mine(progress=stop_at_once)
    kept = (history.state() / "mined.jsonl").read_text()
    assert "question 19" in kept
    assert len(history.mine().cases) == 20
    assert (history.state() / "mined.jsonl").read_text().startswith(kept)
