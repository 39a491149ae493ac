"""``prebrief doctor``: each finding has a level and, where something is to be done, a command."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

import damaged_catalogs as damaged
import pytest

from augmenter.app.checkup import CHECKS, admit, examine
from augmenter.app.findings import Finding, Level
from knowledge.project import locate


@pytest.fixture
def diagnose(run):
    """The exit code, and what is found apart from what is well, by check."""

    def diagnose(project):
        done = run("doctor", "--json", root=project.root)
        document = done.json
        assert document["schema_version"] == 1
        assert document["ok"] == (done.code == 0)
        assert done.err == ""
        found = [item for item in document["findings"] if item["level"] != "ok"]
        for item in found:
            item["remedy"] = item["remedy"].removesuffix(f" --root {project.root}")
        return done.code, {item["check"]: item for item in reversed(found)}  # the first of each check

    return diagnose


def everything_in(folder):
    return {
        path: (path.lstat().st_mtime_ns, path.read_bytes() if path.is_file() else b"")
        for path in sorted(folder.rglob("*"))
    }


def test_a_healthy_project_is_well(project, run, diagnose):
    run("index", root=project.root)  # the copy's files have other times
    assert diagnose(project) == (0, {})
    done = run("doctor", root=project.root)
    assert (done.code, done.text.splitlines()[-1]) == (0, "All is well.")


def test_every_check_says_something(project):
    findings = examine(admit(locate(project.root)))
    assert {finding.check for finding in findings} >= {
        name.__name__.removeprefix("check_") for name in CHECKS
    }


def test_what_is_indexed_is_told_by_language_and_kind(project, run):
    said = run("doctor", "--json", root=project.root).json
    assert said["languages"]["python"] == {"files": 4, "evidence": 12}
    assert set(said["languages"]) == {"markdown", "python"}
    assert sum(language["evidence"] for language in said["languages"].values()) == sum(said["kinds"].values())
    assert said["kinds"]["unit"] == 7
    assert said["skipped"] == {}


def test_nothing_is_written_whatever_is_wrong(project, new_project, run):
    fresh = new_project(name="fresh")
    for broken in (None, damaged.truncated, damaged.emptied, damaged.newer):
        if broken:
            broken(project.state / "catalog.sqlite")
        for root in (project.root, fresh.root):
            before = everything_in(root)
            run("doctor", root=root)
            assert everything_in(root) == before


def test_a_project_that_is_not_indexed(new_project, diagnose):
    code, found = diagnose(new_project())
    assert code == 1
    assert (found["catalog"]["level"], found["catalog"]["remedy"]) == ("problem", "prebrief index")
    assert found["state"]["remedy"] == "prebrief index"


@pytest.mark.parametrize(
    "damage", [damaged.truncated, damaged.zeroed_middle, damaged.no_database, damaged.folder_in_its_place]
)
def test_a_damaged_catalog(project, diagnose, damage):
    damage(project.state / "catalog.sqlite")
    code, found = diagnose(project)
    assert code == 1
    assert found["catalog"]["level"] == "problem"
    assert "prebrief index --full" in found["catalog"]["remedy"]


def test_a_newer_catalog(project, diagnose):
    damaged.newer(project.state / "catalog.sqlite")
    code, found = diagnose(project)
    assert code == 1
    assert "newer version" in found["catalog"]["what"]


def test_invalid_settings_are_a_problem_and_the_rest_is_still_looked_at(project, diagnose):
    project.write("prebrief.toml", "[brief]\nbudget = -1\n")
    code, found = diagnose(project)
    assert code == 1
    assert "brief.budget" in found["settings"]["what"]
    assert set(found) == {"settings"}


def test_files_that_have_changed_since(project, run, diagnose):
    run("index", root=project.root)
    project.write("src/new.py")
    project.write("src/invoice.py", "def other():\n    pass\n")
    (project.root / "src" / "backoff.py").unlink()
    os.utime(project.root / "src" / "stream.py", (1, 1))  # touched, not changed
    code, found = diagnose(project)
    assert (code, found["freshness"]["level"], found["freshness"]["remedy"]) == (
        0,
        "warning",
        "prebrief index",
    )
    assert found["freshness"]["what"].startswith(
        "3 files are not as indexed (1 new, 1 changed, 1 gone): src/invoice.py, src/new.py, src/backoff.py"
    )
    run("index", root=project.root)
    assert diagnose(project) == (0, {})


def test_a_head_that_has_moved(project, run, diagnose):
    run("index", root=project.root)
    project.commit("nothing new")
    assert "HEAD has moved" in diagnose(project)[1]["freshness"]["what"]


def test_settings_that_ask_for_another_index(project, run, diagnose):
    run("index", root=project.root)
    project.write("prebrief.toml", "[index]\nmax_data_bytes = 4096\n")
    assert "settings or parsers are others" in diagnose(project)[1]["freshness"]["what"]


def test_skipped_files_are_told_by_reason_and_trouble_is_a_warning(project, run):
    project.write("yarn.lock", "x\n")
    for name in ("a.svgz", "b.svgz", "c.unknown"):
        project.write(name, "x\n")
    project.write("bad.py", b"\xef\xbb\xbf\xff\xfe\xfd")
    run("index", root=project.root)
    findings = run("doctor", "--json", root=project.root).json["findings"]
    skips = [(item["level"], item["what"], item["remedy"]) for item in findings if item["check"] == "skips"]
    assert [level for level, _, _ in skips] == ["warning", "note", "note"]
    assert skips[0][1].startswith("1 encoding")
    assert "bad.py" in skips[0][1]
    assert "max_generated_bytes" in skips[1][2]
    assert skips[2][1].endswith(": 2 *.svgz, 1 *.unknown")


def test_git_that_refuses_is_named_with_its_remedy(project, monkeypatch, diagnose):
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    code, found = diagnose(project)
    assert code == 1
    assert "git config --global --add safe.directory" in found["git"]["remedy"]


def test_git_that_is_missing(project, monkeypatch, tmp_path, diagnose):
    monkeypatch.setenv("PATH", str(tmp_path))
    code, found = diagnose(project)
    assert code == 1
    assert "Install git" in found["git"]["remedy"]


def test_a_folder_without_git_is_worth_a_note(tmp_path, run, diagnose, new_project):
    project = new_project()
    shutil.rmtree(project.root / ".git")
    run("index", root=project.root)
    code, found = diagnose(project)
    assert (code, set(found), found["git"]["level"]) == (0, {"git"}, "note")


def test_state_that_git_sees(project, run, diagnose):
    run("index", root=project.root)
    (project.state / ".gitignore").unlink()
    code, found = diagnose(project)
    assert (code, found["state"]["level"]) == (0, "warning")
    os.system(found["state"]["remedy"])
    assert diagnose(project) == (0, {})
    project.git("add", "--force", ".knowledge")
    remedy = diagnose(project)[1]["state"]["remedy"]
    assert remedy.endswith("rm -r --cached .knowledge")


def test_state_that_everybody_may_write(project, run, diagnose):
    run("index", root=project.root)
    project.state.chmod(0o777)
    found = diagnose(project)[1]["state"]
    assert found["level"] == "warning"
    os.system(found["remedy"])
    assert diagnose(project) == (0, {})


def test_state_that_cannot_be_written(project, run, diagnose, unprivileged):
    run("doctor", root=project.root)  # imports what is imported lazily
    project.state.chmod(0o555)
    with unprivileged(project.root):
        code, found = diagnose(project)
    project.state.chmod(0o755)
    assert code == 1
    assert found["state"]["remedy"] == f"chmod u+rwx {project.state}"


def test_state_that_cannot_be_looked_into(project, run, diagnose, unprivileged):
    run("doctor", root=project.root)
    with unprivileged(project.root):
        project.state.chmod(0)
        code, found = diagnose(project)
        project.state.chmod(0o755)
    assert code == 1
    assert found["state"]["remedy"] == f"chmod u+rwx {project.state}"
    assert "cannot be read" in found["receipts"]["what"]


@pytest.mark.parametrize("lay", [Path.touch, lambda path: path.symlink_to("nowhere")])
def test_state_in_whose_place_something_else_lies(new_project, run, diagnose, failed, lay):
    project = new_project()
    lay(project.state)
    assert failed(run("index", root=project.root), "it is no folder")
    os.system(diagnose(project)[1]["state"]["remedy"])
    assert run("index", root=project.root).code == 0


def test_commands_to_be_typed_name_the_project_that_was_asked_for(new_project, spawn, run):
    project = new_project(name="a project")
    typed = {item["remedy"] for item in run("doctor", "--json", root=project.root).json["findings"]} - {""}
    assert typed == {f"prebrief index --root '{project.root}'"}
    for command in typed:
        assert spawn(*shlex.split(command)[1:]).code == 0
    assert run("doctor", root=project.root).code == 0


def test_receipts_that_were_changed(project, run, diagnose, dispatch):
    assert "receipts" not in diagnose(project)[1]
    segment = next((project.state / "receipts").glob("*.ndjson"))
    segment.write_text(segment.read_text().replace("EventStream", "EventSteam"))
    code, found = diagnose(project)
    assert code == 1
    assert found["receipts"]["remedy"] == "prebrief receipts verify"


def test_a_full_disk(project, monkeypatch, diagnose):
    usage = shutil.disk_usage(project.root)._replace(free=1024 * 1024)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    code, found = diagnose(project)
    assert (code, found["room"]["level"], found["room"]["remedy"]) == (0, "warning", "prebrief gc")


def test_a_grammar_that_is_missing(project, monkeypatch, diagnose):
    from indexer.code import grammar  # noqa: PLC0415

    def missing(name):
        raise ImportError(name)

    grammar.grammar_of.cache_clear()
    monkeypatch.setattr(grammar, "import_module", missing)
    code, found = diagnose(project)
    grammar.grammar_of.cache_clear()
    assert code == 1
    assert found["grammars"]["remedy"].startswith("pip install --force-reinstall tree-sitter-")


def test_a_linked_worktree_is_a_patient_of_its_own(new_project, run, diagnose, tmp_path):
    project = new_project()
    run("index", root=project.root)
    project.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "side"))
    assert run("doctor", root=tmp_path / "side").code == 1  # not indexed
    run("index", root=tmp_path / "side")
    done = run("doctor", root=tmp_path / "side")
    assert (done.code, done.text.splitlines()[-1]) == (0, "All is well.")
    assert diagnose(project) == (0, {})


@pytest.mark.parametrize("command", ["doctor", "gc"])
def test_there_must_be_a_folder(run, tmp_path, failed, command):
    assert failed(run(command, root=tmp_path / "nowhere"), "no such folder. Give an existing --root")


def test_more_checks_are_functions_in_a_list(project):
    def check_daemon(patient):
        yield Finding("daemon", Level.NOTE, f"nobody listens for {patient.project.root}")

    findings = examine(admit(locate(project.root)), [check_daemon])
    assert [(finding.check, finding.level) for finding in findings] == [("daemon", Level.NOTE)]


def test_the_whole_list_of_skipped_files(project, run):
    project.write("yarn.lock", "x\n")
    project.write("big.json", b" " * (1024 * 1024 + 1))
    project.write("a\x1b[31m.unknown", "x\n")
    (project.root / "link").symlink_to("src")
    done = run("index", "--skipped", "--json", root=project.root).json
    assert done["skipped_files"] == [
        {"path": "big.json", "reason": "too-large", "detail": "1048577 bytes; allowed: 1048576"},
        {"path": "yarn.lock", "reason": "generated", "detail": ""},
        {"path": "link", "reason": "symlink", "detail": "to src"},
        {"path": "a\x1b[31m.unknown", "reason": "unsupported", "detail": ""},
    ]
    lines = run("index", "--skipped", root=project.root).text.splitlines()
    assert "  generated: yarn.lock" in lines
    assert lines[-1] == "  unsupported: 1 *.unknown"
    assert not any("\x1b" in line for line in lines)
    assert "skipped_files" not in run("index", "--json", root=project.root).json


def test_a_file_that_costs_itself_is_listed_with_what_went_wrong(project, run):
    project.write("bad.py", b"\xef\xbb\xbf\xff\xfe\xfd")
    done = run("index", "--skipped", root=project.root)
    assert "  encoding: bad.py (its byte order mark says utf-8, its content does not" in done.text


def test_remedy_for_a_parser_that_failed_tells_what_went_wrong(project, run):
    project.write("knowledge/rules/broken.md", "---\nid: [x\n---\n# Rule\n")
    os.utime(project.root / "knowledge/rules/broken.md", (1, 1))  # not to be looked at again
    run("index", root=project.root)
    found = run("doctor", "--json", root=project.root).json["findings"]
    (remedy,) = (item["remedy"] for item in found if "parse-failure" in item["what"])
    command = remedy.split("'")[1].split()[1:]
    assert "front matter is not valid YAML" in run(*command, root=project.root).text
