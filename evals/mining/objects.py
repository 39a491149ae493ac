"""What a git directory holds, read so that nothing of it runs, nothing is fetched, nothing written."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from indexer.sources.git import SUBMODULE_MODE, SYMLINK_MODE
from knowledge.closing import Closing
from knowledge.errors import GitError

# A repository may be anybody's: no configuration but the one that is passed (it can name programs as
# filters, hooks and monitors), no attributes from elsewhere, no network, no replaced objects.
_SETTLED = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_LFS_SKIP_SMUDGE": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LANGUAGE": "C",
    "LC_ALL": "C",
}
MAX_BYTES = 1 << 24  # of one object; no commit's header and no source file that is parsed has so many
_CHUNK = 1 << 20
_FOREIGN = "GIT_"
_INSTALLED = ("GIT_EXEC_PATH",)  # where git's own programs lie
_MODIFIED = b"M"
_NO_TEXT = (SYMLINK_MODE, SUBMODULE_MODE)
_MISSING = b" missing\n"


@dataclass(frozen=True, slots=True)
class Change:
    """A regular file that two commits have with different contents.

    Attributes:
        path: of both.
        old: object name of its content in the older commit.
        new: in the newer.
    """

    path: str
    old: str
    new: str


def run_git(git_dir: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    """Standard output of one git command on a directory, in an environment that runs nothing else.

    Raises:
        GitError: git is missing, or it failed.
    """
    command = ["git", f"--git-dir={git_dir}", *arguments]
    try:
        done = subprocess.run(
            command, input=stdin, capture_output=True, env=settled_environment(), check=False
        )
    except OSError:
        raise GitError("git cannot be run", remedy="Install git, or put it on the PATH") from None
    if done.returncode:
        said = os.fsdecode(done.stderr).strip().rpartition("\n")[2] or f"exit code {done.returncode}"
        raise GitError(f"git refused: {said}", where=str(git_dir), remedy="Run 'git fsck' in the repository")
    return done.stdout


def settled_environment() -> dict[str, str]:
    """The environment in which git does as it is told, whatever the caller's says."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)}
    return kept | {name: os.environ[name] for name in _INSTALLED if name in os.environ} | _SETTLED


class Objects(Closing):
    """The objects of a git directory, by name.

    Args:
        git_dir: the directory. Where it is of a partial clone, what is absent would be fetched: give one
            that merely borrows from it.

    Raises:
        GitError: git is missing.
    """

    def __init__(self, git_dir: Path) -> None:
        self._git_dir = git_dir
        try:
            self._process = subprocess.Popen(
                ["git", f"--git-dir={git_dir}", "cat-file", "--batch"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=settled_environment(),
            )
        except OSError:
            raise GitError("git cannot be run", remedy="Install git, or put it on the PATH") from None

    def close(self) -> None:
        """End the process."""
        with suppress(BrokenPipeError):
            self._process.communicate()

    def changes(self, parent: str, commit: str) -> tuple[Change, ...]:
        """The files that two commits have with different contents, by path. Raises GitError."""
        options = ("-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff")
        fields = run_git(self._git_dir, "diff-tree", *options, parent, commit, "--").split(b"\0")
        pairs = zip(fields[0::2], fields[1::2], strict=False)
        return tuple(change for record, path in pairs if (change := _change(record, path)))

    def author(self, commit: str) -> str:
        """A commit's author, name and address; ``""`` if it is not there."""
        header = (self.read(commit) or b"").partition(b"\n\n")[0]
        row = next((row for row in header.split(b"\n") if row.startswith(b"author ")), b"")
        return row.decode("utf-8", "replace").removeprefix("author ").partition(">")[0]

    def read(self, name: str, limit: int = MAX_BYTES) -> bytes | None:
        """An object's content, of what is larger than ``limit`` bytes as much; None if it is not there.

        Raises:
            GitError: git has ended: the directory is none, or damaged.
        """
        question, answer = _pipe(self._process.stdin), _pipe(self._process.stdout)
        with suppress(BrokenPipeError):  # the empty answer tells it, too
            question.write(name.encode("ascii") + b"\n")
            question.flush()
        header = answer.readline()
        if not header:
            raise GitError("git ended", where=str(self._git_dir), remedy="Run 'git fsck' there")
        if header.endswith(_MISSING):
            return None
        left = int(header.split(b" ")[2])
        data = answer.read(min(left, limit))
        left -= len(data)
        while left and (rest := answer.read(min(left, _CHUNK))):
            left -= len(rest)
        answer.read(1)  # the line end behind it
        return data


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise ValueError("the process was started without pipes")
    return pipe


def _change(record: bytes, path: bytes) -> Change | None:
    fields: Sequence[bytes] = record.removeprefix(b":").split(b" ")
    old_mode, new_mode, old, new, status = fields
    if status != _MODIFIED or {int(old_mode, 8), int(new_mode, 8)} & set(_NO_TEXT):
        return None
    return Change(os.fsdecode(path), old.decode("ascii"), new.decode("ascii"))
