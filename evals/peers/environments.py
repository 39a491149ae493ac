"""Environments of their own for peers whose dependencies would fight with this project's.

Each is a virtual environment below the work folder, made from pinned versions, and asked through a worker: a
process of that environment that reads a line of JSON for each task and answers with a line of JSON.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from knowledge.errors import TaskError
from knowledge.hashing import value_hash

_READY = "prebrief-ready"  # is there when everything was installed
_VERSIONS = "import importlib.metadata as m, sys; print('\\n'.join(m.version(n) for n in sys.argv[1:]))"
_INSTALL = "Run: python -m evals.peers install --work DIR"


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment.

    Attributes:
        name: of the peer that it is for.
        pins: what is installed, each ``name==version``: all that decides the peer's answers.
        work: the folder that environments lie in.
    """

    name: str
    pins: tuple[str, ...]
    work: Path

    @property
    def folder(self) -> Path:
        """Where it lies; other pins, another folder."""
        key = value_hash([*self.pins, sys.version_info[:2]]).rpartition(":")[2][:8]
        return self.work / f"{self.name}-{key}"

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / "bin" / "python"

    def install(self) -> None:
        """Make it, unless it is there.

        Raises:
            TaskError: something cannot be installed; says what the installer said.
        """
        if (self.folder / _READY).exists():
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        self._run(sys.executable, "-m", "venv", str(self.folder))
        pip = ("-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet")
        self._run(str(self.python), *pip, "--only-binary", ":all:", *self.pins)
        (self.folder / _READY).touch()

    def version(self) -> str:
        """The versions of what is pinned, as installed.

        Raises:
            TaskError: it was not made.
        """
        if not (self.folder / _READY).exists():
            raise TaskError(f"{self.name} is not installed", where=str(self.work), remedy=_INSTALL)
        names = [pin.partition("==")[0] for pin in self.pins]
        return told(names, self._run(str(self.python), "-c", _VERSIONS, *names).split("\n"))

    @contextmanager
    def worker(
        self, script: Path, *arguments: str
    ) -> Iterator[Callable[[Mapping[str, Any]], dict[str, Any]]]:
        """A function from requests to answers, by a process that lives as long.

        The process knows nothing of the user: its home is a folder beside the environment, and no setting is
        inherited that could change an answer or lead to a network.
        """
        home = self.work / "home"
        home.mkdir(parents=True, exist_ok=True)
        surroundings = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / ".cache"),
            "PYTHONHASHSEED": "0",  # peers that iterate over sets answer the same every time
            "HF_HUB_OFFLINE": "1",
            "OMP_NUM_THREADS": "1",
        }
        command = [str(self.python), "-P", str(script), *arguments]  # -P: a peer's module may bear its name
        with subprocess.Popen(
            command,
            text=True,
            encoding="utf-8",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=surroundings,
        ) as process:
            try:
                yield lambda request: _exchange(process, request, self.name)
            finally:
                process.kill()

    def _run(self, *command: str) -> str:
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode != 0:
            said = done.stderr.strip().rpartition("\n")[2]
            raise TaskError(said, where=self.name, remedy="Run the installer by itself to see more")
        return done.stdout.strip()


def installed(names: Sequence[str]) -> str:
    """The versions of distributions in this environment.

    Raises:
        TaskError: one is missing.
    """
    try:
        return told(names, [metadata.version(name) for name in names])
    except metadata.PackageNotFoundError as error:
        remedy = "Install the extra 'bench'"
        raise TaskError(f"{error.name} is not installed", where=sys.prefix, remedy=remedy) from None


def told(names: Sequence[str], versions: Sequence[str]) -> str:
    """Names and versions, for people to read."""
    return ", ".join(f"{name} {version}" for name, version in zip(names, versions, strict=True))


def _exchange(process: subprocess.Popen[str], request: Mapping[str, Any], name: str) -> dict[str, Any]:
    if process.stdin is None or process.stdout is None:
        raise TaskError("has no streams", where=name)
    try:
        process.stdin.write(f"{json.dumps(request)}\n")
        process.stdin.flush()
        answer: dict[str, Any] = json.loads(process.stdout.readline())
    except (OSError, ValueError):
        raise TaskError(
            f"its worker has ended with {process.wait()}", where=name, remedy="Run the worker by itself"
        ) from None
    return answer
