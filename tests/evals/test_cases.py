"""Files of cases: what is read is what was written, and a malformed line costs its own case alone."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.cases import Answer, Case, read_cases, write_cases
from knowledge.errors import TaskError

GOOD = {"id": "close", "task": "Readers hang", "relevant": [{"path": "src/a.py", "start": 3, "end": 9}]}


@pytest.fixture
def read(tmp_path):
    """Reads rows, or raw lines, as a file of cases."""

    def read(*rows):
        path = tmp_path / "cases.jsonl"
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return read_cases(path)

    return read


def test_case_is_read_with_all_that_it_says(read):
    row = {
        "id": "close",
        "task": "Readers hang after close()",
        "commit": "abc1234",
        "repo": "acme/app",
        "relevant": [{"id": "symbol:src/a.py::A.close"}, {"path": "src/b.py", "name": "B.f", "start": 3}],
    }
    answers = (Answer(id="symbol:src/a.py::A.close"), Answer(path="src/b.py", name="B.f", start=3, end=3))
    assert read(row).cases == (
        Case("close", "Readers hang after close()", "abc1234", answers, repo="acme/app"),
    )


def test_blank_lines_are_no_cases(read):
    assert len(read("", GOOD, "  ").cases) == 1


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("{", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("[" * 100_000, "maximum recursion depth"),
        ("[]", "the case is no object"),
        ({"task": "x", "abstain": True}, "no 'id'"),
        ({"id": "x", "abstain": True}, "no 'task'"),
        ({"id": 7, "task": "x", "abstain": True}, "'id' is no text"),
        ({"id": "x", "task": " ", "abstain": True}, "'id' and 'task' must not be blank"),
        ({"id": "x", "task": "x", "abstain": 1}, "'abstain' is no truth value"),
        ({"id": "x", "task": "x"}, "it has neither 'relevant' nor 'abstain'"),
        ({"id": "x", "task": "x", "relevant": []}, "it has neither 'relevant' nor 'abstain'"),
        ({**GOOD, "id": "x", "abstain": True}, "it has both 'relevant' and 'abstain'"),
        ({**GOOD, "id": "x", "commit": "--output=x"}, "'--output=x' is no commit"),
        ({**GOOD, "id": "x", "commit": "HEAD~1"}, "'HEAD~1' is no commit: 7 to 64 hexadecimal digits"),
        ({**GOOD, "id": "x", "answer": "a"}, "there is no key 'answer'; allowed: id, task, commit"),
        (GOOD, "there is a case 'close' before it"),
    ],
)
def test_malformed_line_is_told_with_its_number_and_reason(read, row, reason):
    found = read(GOOD, row)
    assert [case.id for case in found.cases] == ["close"]
    assert [problem.line for problem in found.problems] == [2]
    assert reason in found.problems[0].reason


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("src/a.py", "the answer is no object"),
        ({}, "an answer needs an 'id' of the form KIND:PATH, or a 'path'"),
        ({"name": "f"}, "an answer needs an 'id'"),
        ({"id": "close"}, "an answer needs an 'id' of the form KIND:PATH"),
        ({"path": "/etc/passwd"}, "the path '/etc/passwd' leads out of the project"),
        ({"path": "src/../../x"}, "the path 'src/../../x' leads out of the project"),
        ({"path": "./src//a.py"}, "the path './src//a.py' is written 'src/a.py'"),
        ({"path": "a.py", "start": 9, "end": 3}, "lines 9 to 3 are none"),
        ({"path": "a.py", "end": 3}, "lines 0 to 3 are none"),
        ({"path": "a.py", "start": 0}, "lines 0 to 0 are none"),
        ({"path": "a.py", "start": True}, "'start' is no whole number"),
        ({"path": "a.py", "line": 3}, "there is no key 'line'; allowed: id, path, name, start, end"),
    ],
)
def test_malformed_answer_is_told_with_its_reason(read, answer, reason):
    (problem,) = read(GOOD, {"id": "x", "task": "x", "relevant": [answer]}).problems
    assert reason in problem.reason


def test_file_without_a_good_case_is_an_error_that_tells_the_first_reason(read):
    with pytest.raises(TaskError, match="it holds no case; line 1: Expecting value"):
        read("nonsense")
    with pytest.raises(TaskError, match="it holds no case"):
        read("")


def test_missing_file_is_an_error(tmp_path):
    with pytest.raises(TaskError, match="cannot be read"):
        read_cases(tmp_path / "none.jsonl")


@pytest.mark.parametrize(
    ("answer", "file"),
    [
        (Answer(id="symbol:src/a.py::A.close"), "src/a.py"),
        (Answer(id="section:docs/a.md#retry/policy"), "docs/a.md"),
        (Answer(id="module:src/a.py"), "src/a.py"),
        (Answer(path="src/b.py"), "src/b.py"),
    ],
)
def test_answer_tells_its_file(answer, file):
    assert answer.file == file


texts = st.text(min_size=1).filter(str.strip)
paths = st.from_regex(r"[a-z]{1,5}(/[a-z]{1,5}){0,2}\.py", fullmatch=True)
lines = st.tuples(st.integers(1, 99), st.integers(0, 99)).map(lambda pair: (pair[0], sum(pair)))
places = st.builds(
    lambda path, name, span: Answer("", path, name, *span), paths, st.text(), st.just((0, 0)) | lines
)
answers = places | st.builds(lambda path, name: Answer(id=f"symbol:{path}::{name}"), paths, texts)
cases = st.lists(
    st.builds(
        lambda name, task, relevant, repo: Case(name, task, "", tuple(relevant), not relevant, repo),
        texts,
        texts,
        st.lists(answers, max_size=3),
        st.text(),
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda case: case.id,
)


@given(cases)
def test_written_cases_are_read_again(tmp_path_factory, written):
    folder = tmp_path_factory.mktemp("cases")
    write_cases(folder / "one.jsonl", written)
    found = read_cases(folder / "one.jsonl")
    write_cases(folder / "two.jsonl", found.cases)
    assert found == type(found)(tuple(written), ())
    assert (folder / "one.jsonl").read_bytes() == (folder / "two.jsonl").read_bytes()


def test_lone_surrogate_in_a_task_is_kept(tmp_path):
    case = Case("x", "half of a pair: \ud83d", abstain=True)
    write_cases(tmp_path / "cases.jsonl", [case])
    assert read_cases(tmp_path / "cases.jsonl").cases == (case,)
