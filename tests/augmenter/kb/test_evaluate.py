"""``kb evaluate``: what it measures, what it writes, and what it says of input that is wrong."""

import json

import pytest
from git_repository import GitRepository

from knowledge.hashing import value_hash

FILES = {"run.json", "results.jsonl", "timings.json", "report.md", "report.html"}


def contents(root):
    """Content of every file outside of state and git."""
    return {
        path: path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.relative_to(root).parts[0] not in (".knowledge", ".git")
    }


def figures(done):
    return {name: row["value"] for name, row in done.json["configurations"][0]["figures"].items()}


def test_good_retrieval_gets_good_figures(evaluate):
    done = evaluate()
    found = figures(done)
    assert done.code == 0
    assert done.json["schemaVersion"] == 1
    assert done.json["cases"] == {"count": 16, "answerable": 13, "unanswerable": 3, "malformed": []}
    assert found["fn_any@5"] == found["file_acc@5"] == found["brief_recall"] == 1
    assert found["recall@1"] <= found["recall@5"] <= found["recall@20"]
    assert found["abstention_recall"] == found["abstention_precision"] == found["answered"] == 1
    assert 0 < found["tokens"] < 550
    assert 0 < found["latency_p50"] <= found["latency_p95"]
    assert found["utility"] > 0


def test_figures_of_functions_are_of_cases_about_functions(evaluate):
    found = evaluate().json["configurations"][0]["figures"]
    assert found["fn_any@5"]["cases"] == 12
    assert found["recall@5"]["cases"] == 13
    assert found["abstention_recall"]["cases"] == 3


def test_run_has_its_files_and_leaves_the_rest_alone(evaluate, project):
    before = contents(project.root)
    done = evaluate()
    assert {path.name for path in project.folder(done).iterdir()} == FILES
    assert contents(project.root) == before
    assert not (project.root / ".knowledge" / "receipts").exists()
    assert project.git("status", "--porcelain") == ""


def test_same_run_lands_in_the_same_folder_with_the_same_bytes(evaluate, project):
    first = evaluate()
    kept = {name: (project.folder(first) / name).read_bytes() for name in ("run.json", "results.jsonl")}
    second = evaluate()
    assert project.folder(first) == project.folder(second)
    assert kept == {name: (project.folder(second) / name).read_bytes() for name in kept}


def test_run_is_the_same_under_any_hash_seed(spawn, project):
    found = []
    words = ("evaluate", "--root", str(project.root), "--cases", str(project.cases), "--json")
    for seed in ("0", "1"):
        out, _ = spawn(*words, PYTHONHASHSEED=seed).communicate()
        folder = project.evaluations / json.loads(out)["runId"]
        found.append([(folder / name).read_bytes() for name in ("run.json", "results.jsonl")])
    assert found[0] == found[1]


def test_order_of_the_cases_makes_no_difference(evaluate, project, case_rows):
    first = evaluate()
    project.write_cases(reversed(case_rows()))
    assert evaluate().json["runId"] == first.json["runId"]


@pytest.mark.parametrize("what", ["settings", "cases", "tree", "profile"])
def test_what_results_depend_on_makes_another_run(evaluate, project, case_rows, what):
    first, options = evaluate(), ()
    if what == "settings":
        project.write("prebrief.toml", "[ranking]\nthreshold = 0.3\n")
    elif what == "cases":
        project.write_cases(case_rows()[1:])
    elif what == "tree":
        project.write("src/stream.py", "# nothing left\n")
    else:
        options = ("--profile", "original")
    assert evaluate(*options).json["runId"] != first.json["runId"]


def test_file_that_has_changed_is_not_usable(evaluate, project):
    project.write("src/stream.py", "# nothing left\n")
    rows = [json.loads(line) for line in (project.folder(evaluate()) / "results.jsonl").open()]
    (row,) = [row for row in rows if row["case"] == "close_stream"]
    assert [(item["hit"], item["usable"]) for item in row["offered"] if item["hit"]] == [(True, False)]
    assert row["figures"]["worth"] < 1


def test_index_that_is_older_than_the_tree_is_told(evaluate, project):
    assert "have changed since" not in evaluate().err
    project.write("src/stream.py", "# nothing left\n")
    assert "files have changed since they were indexed; 'prebrief index'" in evaluate().err


def test_state_that_cannot_be_written_is_told(evaluate, project):
    project.evaluations.write_text("a file in its place")
    done = evaluate()
    assert (done.code, done.out) == (1, "")
    assert "cannot be written" in done.err


def test_run_says_what_it_ran_on(evaluate, project):
    run = json.loads((project.folder(evaluate()) / "run.json").read_text())
    assert run["versions"]["prebrief"] == "0.1.0"
    assert {"code", "index", "tree", "templates", "learned", "asOf"} < run["versions"].keys()
    assert run["cases"]["count"] == 16
    assert {"name", "settings", "weights"} == run["configurations"][0].keys()
    assert "latency_p50" not in run["figures"]["learned"]


def test_profiles_are_compared_with_the_first(evaluate):
    first, second = evaluate("--profile", "rrf", "--profile", "original").json["configurations"]
    assert (first["name"], second["name"]) == ("rrf", "original")
    assert first["differences"] == {}
    assert second["differences"]["recall@5"].keys() == {
        *("ours", "theirs", "change", "pValue", "decides", "verdict"),
    }


def test_table_tells_figures_worst_cases_and_where_the_report_is(kb, project, case_rows):
    row = {"id": "lost", "task": "Turn a picture", "relevant": [{"path": "src/none.py", "name": "none"}]}
    project.write_cases([*case_rows(), row])
    done = kb("evaluate", "--root", project.root, "--cases", project.cases)
    assert "17 cases, 3 of them without an answer; learned" in done.out
    assert "fn_any@5 *" in done.out
    assert "lost: Turn a picture\n      expected src/none.py none; not found" in done.out
    assert "There is no baseline" in done.out
    assert "report.html" in done.out


def test_out_gets_a_copy_of_the_files(evaluate, tmp_path):
    assert evaluate("--out", tmp_path / "here" / "there").code == 0
    assert {path.name for path in (tmp_path / "here" / "there").iterdir()} == FILES


def test_out_that_cannot_be_written_is_told(evaluate, tmp_path):
    (tmp_path / "file").write_text("")
    done = evaluate("--out", tmp_path / "file")
    assert done.code == 1
    assert "cannot be written" in done.err


def test_malformed_cases_are_told_and_cost_themselves_alone(evaluate, project, case_rows):
    project.write_cases([*case_rows(), "nonsense", {"id": "x", "task": "x"}, {"id": "away-0", "task": "x"}])
    done = evaluate()
    assert done.code == 0
    assert f"{project.cases}:17: Expecting value" in done.err
    assert [one["line"] for one in done.json["cases"]["malformed"]] == [17, 18, 19]
    assert done.json["cases"]["count"] == 16


@pytest.mark.parametrize("content", ["", "nonsense\n", "\n\n"])
def test_file_without_a_good_case_is_an_error(evaluate, project, content):
    project.cases.write_text(content)
    done = evaluate()
    assert (done.code, done.out) == (1, "")
    assert "it holds no case" in done.err


def test_missing_index_is_an_error_that_says_what_to_do(kb, tmp_path, project):
    empty = GitRepository(tmp_path / "empty")
    done = kb("evaluate", "--root", empty.root, "--cases", project.cases)
    assert done.code == 1
    assert "prebrief index" in done.err


def test_unknown_commit_is_an_error(evaluate, project, case_rows):
    project.write_cases([{**case_rows()[0], "commit": "0123456789abcdef"}])
    done = evaluate()
    assert done.code == 1
    assert "0123456789abcdef" in done.err


@pytest.mark.parametrize(("name", "key"), [("--profile", "ranking.profile"), ("--without", "channels")])
def test_unknown_profile_or_channel_is_an_error(evaluate, name, key):
    done = evaluate(name, "nonsense")
    assert (done.code, done.out) == (1, "")
    assert key in done.err


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--cases", "x", "--from-history"),
        ("--cases", "x", "--alpha", "1"),
        ("--cases", "x", "--alpha", "much"),
        ("--cases", "x", "--limit", "-1"),
    ],
)
def test_wrong_usage(kb, words):
    assert kb("evaluate", *words).code == 2


def test_case_about_the_past_is_asked_of_the_past(evaluate, project, case_rows):
    before = project.git("rev-parse", "HEAD")
    project.commit("Rename", **{"src/stream.py": "def wake_all(value):\n    return value\n"})
    project.write_cases([{**case_rows()[0], "commit": before}])
    assert figures(evaluate())["fn_any@5"] == 1


def test_cases_come_from_the_history(kb, project):
    changed = 'def take_connection(value):\n    """Take one."""\n    return value or None\n'
    project.commit("Take nothing from an empty pool of connections", **{"src/connection.py": changed})
    done = kb("evaluate", "--root", project.root, "--from-history", "--limit", "5", "--json")
    assert done.code == 0
    assert done.json["cases"]["count"] == 1
    assert figures(done)["fn_any@5"] == 1
    assert "1 of 5 cases found" in done.err


def test_history_without_a_case_is_an_error(kb, project):
    done = kb("evaluate", "--root", project.root, "--from-history")
    assert done.code == 1
    assert "the history holds no case" in done.err


def test_baseline_knows_cases_by_what_they_say(evaluate, project, case_rows):
    evaluate("--keep")
    kept = json.loads((project.evaluations / "baseline.json").read_text())
    assert kept["cases"]["close_stream"]["hash"] == value_hash(case_rows()[0])
