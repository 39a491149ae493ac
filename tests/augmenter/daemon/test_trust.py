"""Who is answered, and by which code."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import types

import pytest
from daemons import COMMAND, TASK, said
from privileges import as_nobody
from python_process import REPOSITORY

from augmenter.app.daemon.own_code import OwnCode
from augmenter.app.daemon.places import socket_in, why_stranger
from augmenter.app.daemon.protocol import REFUSED, answer_line

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")


@needs_root
def test_another_users_process_is_refused(daemon, place):
    place.chmod(0o755)  # the first wall is taken down
    os.chmod(socket_in(str(place)), 0o666)  # noqa: PTH101
    place.parent.chmod(0o755)

    def ask():
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(socket_in(str(place)))
            return said(connection)

    assert as_nobody(ask) == answer_line(REFUSED)
    place.chmod(0o700)
    assert daemon.status()["connections"]["strangers"] == 1


def test_ones_own_process_is_no_stranger():
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        assert why_stranger(ours) == why_stranger(theirs) == ""


def unshared(*words):
    return ["unshare", "--mount", *words]


@needs_root
@pytest.mark.skipif(
    not shutil.which("unshare") or subprocess.run(unshared("true"), check=False).returncode != 0,
    reason="needs mount namespaces",
)
def test_whoever_sees_other_files_works_by_itself(daemon, project):
    words = unshared(sys.executable, "-c", COMMAND, "hook", "run", "generic", "--root", str(project.root))
    done = subprocess.run(
        words, cwd=REPOSITORY, input=json.dumps({"task": TASK}).encode(), capture_output=True, check=True
    )
    assert json.loads(done.stdout)["prompt"].endswith(TASK)
    assert daemon.status()["work"]["answered"] == 0


def test_code_that_is_replaced_is_noticed(tmp_path, monkeypatch):
    path = tmp_path / "later.py"
    path.write_text("x = 1\n")
    module = types.ModuleType("augmenter.later")
    module.__file__ = str(path)
    monkeypatch.setitem(sys.modules, "augmenter.later", module)
    code = OwnCode()
    assert not code.has_changed()
    assert not code.has_changed()
    path.write_text("x = 10\n")
    assert code.has_changed()
    path.unlink()
    assert code.has_changed()
