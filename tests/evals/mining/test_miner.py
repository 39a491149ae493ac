"""Which commits make a case, and why the others make none."""

import pytest

from evals.mining.reasons import Reason

FUNCTIONS = [f"def f{number}():\n    return {number}\n" for number in range(8)]
MESSAGE = "Answer the philosopher's question"


def module(*changed):
    return "".join(
        text.replace("return", "return -") if n in changed else text for n, text in enumerate(FUNCTIONS)
    )


@pytest.fixture
def project(new_history):
    new_history.commit("First.", **{f"src/m{number}.py": module() for number in range(7)})
    return new_history


def reasons(history):
    """Why commits were left out, but for the first."""
    left_out = history.mine().left_out
    return {reason for reason in left_out if reason is not Reason.NO_PARENT}


@pytest.mark.parametrize("count", [1, 5])
def test_commit_of_one_to_five_functions_is_a_case(project, count):
    project.commit(MESSAGE, **{"src/m0.py": module(*range(count))})
    (case,) = project.mine().cases
    assert [answer.name for answer in case.relevant] == [f"f{number}" for number in range(count)]


def test_functions_of_several_files_are_one_answer(project):
    project.commit(MESSAGE, **{"src/m0.py": module(1), "src/m1.py": module(2)})
    (case,) = project.mine().cases
    assert [(answer.path, answer.name) for answer in case.relevant] == [
        ("src/m0.py", "f1"),
        ("src/m1.py", "f2"),
    ]


LEFT_OUT = {
    Reason.TOO_MANY_FUNCTIONS: {"src/m0.py": module(*range(6))},
    Reason.TOO_MANY_FILES: {f"src/m{number}.py": module(0) for number in range(6)},
    Reason.FORMAT: {"src/m0.py": module().replace("    ", "  ")},
    Reason.NO_FUNCTION: {"src/m0.py": "SIZE = 1\n" + module()},
    Reason.NEW_CODE: {"src/m0.py": module(0) + "".join(f"def g{number}(): 1\n" for number in range(4))},
    Reason.REWRITE: {"src/m0.py": module(0).replace("f1", "g1").replace("f2", "g2")},
    Reason.DOCUMENTATION: {"docs/a.md": "# Philosophy\n", "README.md": "Philosophy\n"},
    Reason.TESTS: {"tests/test_a.py": "def test_a(): 1\n"},
    Reason.NO_CODE: {"pyproject.toml": "[project]\n"},
    Reason.UNPARSED: {"src/m0.py": b"\0" + module(0).encode()},
}


@pytest.mark.parametrize(("reason", "files"), LEFT_OUT.items())
def test_other_commits_are_left_out_with_a_reason(project, reason, files):
    project.commit(MESSAGE, **files)
    mined = project.mine()
    assert mined.cases == ()
    assert reasons(project) == {reason}


@pytest.mark.parametrize(
    "path", ["vendor/a.py", "examples/a.py", "src/a_pb2.py", "tests/helper.py", "dist/a.js"]
)
def test_functions_of_other_kinds_of_files_never_count(project, path):
    text = "function f() { return 1 }\n" if path.endswith("js") else "def f():\n    return 1\n"
    project.commit("A file.", **{path: text})
    project.commit(MESSAGE, **{path: text.replace("1", "2"), "src/m0.py": module(3)})
    (case,) = project.mine().cases
    assert [answer.path for answer in case.relevant] == ["src/m0.py"]


def test_commit_of_a_program_is_left_out(project):
    project.commit(MESSAGE, "--author=renovate[bot] <bot@renovateapp.com>", **{"src/m0.py": module(0)})
    assert reasons(project) == {Reason.BOT}


def test_merge_is_left_out_and_what_it_merged_counts(project):
    project.repository.git("checkout", "-q", "-b", "topic")
    project.commit(MESSAGE, **{"src/m0.py": module(0)})
    project.repository.git("checkout", "-q", "main")
    project.commit("Ask the philosopher another question on virtue", **{"src/m1.py": module(1)})
    project.repository.git("merge", "-q", "--no-ff", "-m", "Bring both together", "topic")
    mined = project.mine()
    assert len(mined.cases) == 2
    assert reasons(project) == {Reason.MERGE}


def test_message_that_comes_again_makes_no_second_case(project):
    project.commit(MESSAGE, **{"src/m0.py": module(0)})
    project.commit(MESSAGE, **{"src/m0.py": module()})
    mined = project.mine()
    assert [case.id for case in mined.cases] == [project.repository.git("rev-parse", "HEAD")[:12]]
    assert reasons(project) == {Reason.DUPLICATE}


def test_file_that_was_renamed_has_no_functions_that_existed_before(project):
    project.repository.git("mv", "src/m0.py", "src/n0.py")
    project.commit(MESSAGE, **{"src/n0.py": module(0)})
    assert reasons(project) == {Reason.NO_FUNCTION}


def test_link_in_place_of_a_file_is_no_change_of_its_functions(project):
    (project.root / "src/m0.py").unlink()
    (project.root / "src/m0.py").symlink_to("m1.py")
    project.commit(MESSAGE, **{"src/m2.py": module(2, 3)})
    (case,) = project.mine().cases
    assert {answer.path for answer in case.relevant} == {"src/m2.py"}
