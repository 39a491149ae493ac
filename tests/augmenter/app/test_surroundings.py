"""Commands in processes that somebody has started carelessly: without streams, with readers that leave."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from knowledge.catalog.reader import CatalogReader

_COMMAND = "import sys; from augmenter.app.cli import main; sys.exit(main())"


def start(project, *words, redirected="", **streams):
    """Runs a command on a project, after a shell has redirected streams."""
    shell = ["sh", "-c", f'"$0" -c "$@" {redirected}']
    return launch(shell, sys.executable, _COMMAND, *words, "--root", project.root, **streams)


def launch(program, *words, stdout=subprocess.PIPE, stderr=subprocess.PIPE):
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd()), "PREBRIEF_CACHE": ""}
    command = [*program, *map(str, words)]
    return subprocess.run(command, stdout=stdout, stderr=stderr, env=environment, check=False)


def is_indexed(project):
    with CatalogReader(project.state / "catalog.sqlite") as reader:
        return bool(reader.counts()["languages"])


@pytest.mark.parametrize("redirected", ["2>&-", ">&- 2>&-", "<&- >&- 2>&-", "2>/dev/full"])
def test_index_needs_no_stream(new_project, redirected):
    project = new_project()
    assert start(project, "index", redirected=redirected).returncode == 0
    assert is_indexed(project)


def test_errors_of_a_process_without_stderr_do_not_go_to_stdout(tmp_path, new_project):
    project = new_project()
    (project.root / "prebrief.toml").write_text("nonsense")
    done = start(project, "index", redirected="2>&-")
    assert (done.returncode, done.stdout) == (1, b"")


def test_index_goes_on_when_the_reader_of_its_progress_has_gone(new_project):
    project = new_project()
    reading, writing = os.pipe()
    os.close(reading)
    done = start(project, "index", "--json", stderr=writing)
    os.close(writing)
    assert done.returncode == 0
    assert json.loads(done.stdout)["files"] > 0
    assert is_indexed(project)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_answer_that_cannot_be_written_is_an_error_in_one_line(new_project):
    done = start(new_project(), "index", redirected=">/dev/full")
    *_, line = done.stderr.decode().splitlines()
    assert done.returncode == 1
    assert line.startswith("prebrief: standard output: ")
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("redirected", ["2>&-", "2>/dev/full"])
def test_task_comes_out_alone_where_nobody_can_be_told_why(new_project, redirected):
    done = start(new_project(), "augment", "Mend the gate", redirected=redirected)
    assert (done.returncode, done.stdout) == (0, b"Mend the gate")
    assert start(new_project(), "augment", "task", redirected=">&-").stderr.count(b"\n") == 1


def test_refusal_of_git_is_seen_where_children_are_ignored(new_project):
    project = new_project()
    assert start(project, "index").returncode == 0
    (project.root / ".git/index").write_bytes(b"no index of git's")
    ignoring = (
        "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN);"
        "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    )
    done = launch([sys.executable, "-c", ignoring], "-c", _COMMAND, "index", "--root", project.root)
    assert done.returncode == 1
    assert b"git refused" in done.stderr


@pytest.mark.parametrize("closing", ["", "sys.stderr.close();"], ids=["nobody reads", "closed"])
def test_a_log_that_cannot_be_written_stops_nothing(closing):
    script = (
        "import os, sys; from augmenter.app.logs import Log;"
        f"ours, theirs = os.pipe(); os.dup2(theirs, 2); os.close(ours); {closing}"
        "log = Log('info'); log.info('one'); log.error('two'); print('it goes on', flush=True); os._exit(0)"
    )
    done = launch([sys.executable, "-c", script])
    assert (done.returncode, done.stdout) == (0, b"it goes on\n")
