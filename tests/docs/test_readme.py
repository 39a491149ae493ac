"""The README's examples, run as they stand in a repository like the one they speak of."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(README.parent)}
PREBRIEF = [sys.executable, "-c", "import sys; from augmenter.app.cli import main; sys.exit(main())"]
STREAM = '''\
class EventStream:
    """An SSE stream."""

    def close(self) -> None:
        """Close the stream and give its connection back."""
        self.connection.release()


def read_events(stream, timeout: float):
    """Yield SSE events until the server closes or the streaming timeout passes."""
    while not stream.closed:
        yield stream.next(timeout)
'''


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "stream.py").write_text(STREAM, encoding="utf-8")
    _git(tmp_path, "init", "-q")
    _commit(tmp_path, "Add event streams")
    (tmp_path / "src" / "stream.py").write_text(
        STREAM.replace("release()", "release(now=True)"), encoding="utf-8"
    )
    _commit(tmp_path, "Release at once")
    return tmp_path


def test_the_console_examples_run_in_order(repository: Path) -> None:
    commands = [line for block in _blocks("console") for line in block.splitlines() if "$ prebrief" in line]

    for line in commands:
        words = shlex.split(line.removeprefix("$ "), comments=True)
        _run(repository, *PREBRIEF, *words[1:])

    assert len(commands) >= 7


def test_the_brief_has_the_shape_that_the_readme_shows(repository: Path) -> None:
    _run(repository, *PREBRIEF, "index")
    run = _run(repository, *PREBRIEF, "augment", "Fix the SSE streaming timeout")
    shown = _blocks("markdown")[0]

    for line in (
        "## Context from this repository",
        "### Code patterns",
        "---",
        "Fix the SSE streaming timeout",
    ):
        assert line in shown.splitlines()
        assert line in run.stdout.splitlines()
    assert re.search(
        r"^- `read_events`: Yield .* `src/stream\.py:9-12` \(relevance 1\.00\)$", run.stdout, re.M
    )


def test_the_library_example_runs(repository: Path) -> None:
    _run(repository, *PREBRIEF, "index")

    run = _run(repository, sys.executable, "-c", _blocks("python")[0])

    assert run.stdout.startswith("## Context from this repository")
    assert "1 " in run.stdout.splitlines()[-1] or "read_events" in run.stdout


def test_the_hook_example_answers_with_a_prompt(repository: Path) -> None:
    line = next(line for block in _blocks("console") for line in block.splitlines() if "hook run" in line)
    event = shlex.split(line.removeprefix("$ echo "))[0]

    run = _run(repository, *PREBRIEF, "hook", "run", "generic", stdin=event)

    assert '"prompt": "Fix the SSE streaming timeout"' in run.stdout


def _run(folder: Path, *command: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    run = subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, input=stdin, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, f"{' '.join(command[-2:])}: {run.stderr}"
    return run


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README.read_text(encoding="utf-8"), re.M | re.S)


def _git(root: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)


def _commit(root: Path, message: str) -> None:
    _git(root, "add", ".")
    _git(root, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "-m", message)
