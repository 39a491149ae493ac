"""What ``prebrief index`` adds to a run of the indexer: progress, the user's cache, a number of processes."""

import os
import sys
import threading
from pathlib import Path

import damaged_catalogs as damaged
import pytest

from augmenter.app.cache import cache_folder
from augmenter.app.commands.index import show_progress


class Terminal:
    """Standard error that says it is a terminal."""

    encoding = "utf-8"

    def __init__(self):
        self.text = ""

    def write(self, text):
        self.text += text

    def flush(self):
        pass

    def isatty(self):
        return True


def test_progress_on_a_terminal_starts_no_thread(monkeypatch):
    """A process with threads cannot be forked."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    before = threading.active_count()
    assert list(show_progress([1, 2], 2, "Indexing")) == [1, 2]
    assert threading.active_count() == before
    assert "Indexing: 100%" in terminal.text


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"PREBRIEF_CACHE": "/mine", "XDG_CACHE_HOME": "/xdg"}, Path("/mine")),
        ({"PREBRIEF_CACHE": "mine"}, Path.cwd() / "mine"),
        ({"PREBRIEF_CACHE": ""}, None),
        ({"XDG_CACHE_HOME": "/xdg"}, Path("/xdg/prebrief")),
    ],
)
def test_cache_lies_where_the_environment_says(environment, folder):
    assert cache_folder(environment) == folder


@pytest.mark.parametrize("environment", [{}, {"XDG_CACHE_HOME": ""}, {"XDG_CACHE_HOME": "relative"}])
def test_cache_lies_in_the_home_by_default(environment, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder(environment) == tmp_path / ".cache" / "prebrief"


def test_second_project_of_the_same_content_comes_from_the_cache(new_project, run, monkeypatch, tmp_path):
    monkeypatch.setenv("PREBRIEF_CACHE", str(tmp_path / "cache"))
    assert run("index", root=new_project().root).code == 0

    def refuse():
        raise AssertionError("a parser was started")

    monkeypatch.setattr("indexer.runs.pool.start", refuse)
    report = run("index", "--json", root=new_project(name="other").root).json
    assert report["changed"] == report["files"] > 0


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_number_of_processes_can_be_given(new_project, run, jobs):
    assert run("index", "--jobs", jobs, root=new_project().root).code == 0


@pytest.mark.parametrize("jobs", ["-1", "many"])
def test_number_of_processes_must_be_one(new_project, run, jobs):
    assert run("index", "--jobs", jobs, root=new_project().root).code == 2


def test_problem_of_a_file_cannot_command_a_terminal(new_project, run):
    project = new_project()
    project.write("\x1b[31m\u202ered.py", b"\xff\xfe\x00")
    told = run("index", root=project.root).text
    assert "\\x1b[31m\\u202ered.py: its byte order mark" in told
    assert "\x1b" not in told


@pytest.mark.parametrize("damage", ["DELETE FROM search_config", "UPDATE files SET skip = 'none'"])
def test_damage_within_the_tables_is_told_and_rebuilt(new_project, run, damage):
    project = new_project()
    for file in project.root.glob("*.*"):
        os.utime(file, (1, 1))  # not to be looked at again
    run("index", root=project.root)
    damaged.execute(project.state / "catalog.sqlite", damage)
    project.write("new.py")
    done = run("index", "--skipped", root=project.root)
    assert done.code == 1
    assert "'prebrief index --full'" in done.err.splitlines()[-1]
    assert run("index", "--full", "--skipped", root=project.root).code == 0


def test_full_disk_is_exit_code_one_with_a_remedy(new_project, spawn):
    project = new_project()
    done = spawn("index", root=project.root, script=_WITHOUT_SPACE, PREBRIEF_CACHE="")
    assert done.code == 1
    assert done.err.startswith("prebrief: ")
    assert "free space" in done.err


_WITHOUT_SPACE = """
import resource, signal, sys
from augmenter.app.cli import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (16_384, 16_384))
sys.exit(main())
"""
