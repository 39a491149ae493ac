"""The baseline of ``kb evaluate``: kept, compared with, and what a significant regression does."""

import json

import pytest

WORSE = "[brief]\npatterns = 0\n"  # nothing is offered


@pytest.fixture
def kept(evaluate, project):
    """The file of a baseline that a good run was kept as."""
    assert evaluate("--keep").code == 0
    return project.evaluations / "baseline.json"


def test_missing_baseline_is_told_and_no_failure(evaluate):
    done = evaluate()
    assert done.code == 0
    assert done.json["regression"] is False
    assert done.json["baseline"]["found"] is False
    assert "There is no baseline at" in done.json["baseline"]["note"]


def test_unchanged_run_is_no_regression(evaluate, kept):
    done = evaluate()
    assert done.code == 0
    assert done.json["baseline"]["commonCases"] == 16
    assert "Compared on all 16 cases" in done.json["baseline"]["note"]
    differences = done.json["baseline"]["differences"]
    varying = {"latency_p50", "latency_p95", "utility"}
    assert {row["change"] for name, row in differences.items() if name not in varying} == {0}
    assert differences["fn_any@5"]["pValue"] == 1


def test_significant_regression_fails_the_run(evaluate, kb, kept, project):
    project.write("prebrief.toml", WORSE)
    done = evaluate()
    assert done.code == 1
    assert done.json["regression"] is True
    row = done.json["baseline"]["differences"]["answered"]
    assert (row["verdict"], row["decides"]) == ("worse", True)
    assert row["pValue"] < 0.05
    text = kb("evaluate", "--root", project.root, "--cases", project.cases)
    assert text.code == 1
    assert "Significantly worse: " in text.out
    assert "answered 100.0 % → " in text.out


def test_same_regression_is_not_significant_to_a_stricter_eye(evaluate, kept, project):
    project.write("prebrief.toml", WORSE)
    assert evaluate("--alpha", "0.000001").code == 0


def test_regression_of_another_than_the_first_configuration_is_none(evaluate, kept, project):
    project.write("prebrief.toml", '[ranking]\nprofile = "original"\n')
    done = evaluate("--profile", "rrf", "--profile", "original")
    assert done.code == 0


def test_improvement_is_told_and_no_failure(evaluate, project):
    settings = project.write("prebrief.toml", WORSE)
    evaluate("--keep")
    settings.unlink()
    done = evaluate()
    assert done.code == 0
    assert done.json["baseline"]["differences"]["answered"]["verdict"] == "better"


def test_kept_run_replaces_the_baseline_once_it_is_compared(evaluate, kept, project):
    project.write("prebrief.toml", WORSE)
    assert evaluate("--keep").code == 1
    assert evaluate().code == 0


def test_only_common_cases_are_compared(evaluate, kept, project, case_rows):
    changed = [{**case_rows()[0], "task": "Stop"}, *case_rows()[1:10]]
    project.write_cases([*changed, {"id": "new", "task": "Brew tea", "abstain": True}])
    done = evaluate()
    assert done.code == 0
    assert done.json["baseline"]["commonCases"] == 9
    assert "Compared on the 9 common cases alone" in done.json["baseline"]["note"]


def test_no_common_case_is_told_and_no_failure(evaluate, kept, project):
    project.write_cases([{"id": "new", "task": "Brew tea", "abstain": True}])
    done = evaluate()
    assert done.code == 0
    assert done.json["baseline"]["differences"] == {}
    assert "Nothing is compared" in done.json["baseline"]["note"]


def test_baseline_may_lie_elsewhere(evaluate, project, tmp_path):
    path = tmp_path / "ci" / "baseline.json"
    assert evaluate("--keep", "--baseline", path).code == 0
    assert not (project.evaluations / "baseline.json").exists()
    assert evaluate("--baseline", path).json["baseline"]["found"] is True


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{", b"{}", b'{"schemaVersion": 2}', b"\xff", b"[" * 100_000]
)
def test_damaged_baseline_is_an_error_before_any_work(evaluate, kept, content):
    kept.write_bytes(content)
    done = evaluate()
    assert (done.code, done.out) == (1, "")
    assert "baseline" in done.err
    assert "evaluating" not in done.err


def test_same_run_is_kept_as_the_same_bytes_but_for_what_varies(evaluate, kept):
    def steady():
        row = json.loads(kept.read_text())
        row.pop("date")
        for case in row["cases"].values():
            case["values"].pop("milliseconds")
            case["values"].pop("utility", None)
        return row

    before = steady()
    evaluate("--keep")
    assert steady() == before
