"""Git's own view of a repository: read-only, whatever the caller's environment says.

Every command starts with ``-C`` at the view's root, so a sub-folder as working directory changes nothing;
file names come NUL-separated and raw, so none needs quoting.

Long streams go through GitPython, which sees to it that git ends with its reader. Whatever is answered at
once is asked directly: to import GitPython takes as long as all that a run without changes asks of git.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from knowledge.errors import GitError

if TYPE_CHECKING:
    import git


# The variables that name another repository, index or object store than the one of the view
# (git rev-parse --local-env-vars, without the GIT_CONFIG ones, which carry the user's settings).
# Git sets some of them for its hooks: an index started by a post-commit hook must not follow them.
_REDIRECTING = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
)
_CALM = {
    "GIT_OPTIONAL_LOCKS": "0",  # never refresh, hence never write, the user's index
    "GIT_NO_LAZY_FETCH": "1",  # a partial clone must not download objects because it is indexed
    "GIT_TERMINAL_PROMPT": "0",
    "LANGUAGE": "C",  # what git says is read here, too
    "LC_ALL": "C",
}
# How git maps its packs: whole by default, up to gigabytes. In small windows a walk of the log takes 91 MB
# instead of 252, for 5 % more CPU at the most, and says the same.
_PACK_WINDOW = "1m"
_PACK_LIMIT = "32m"
_CONFIG = (
    "core.quotePath=false",
    "core.fsmonitor=false",  # it names a program to run, and the repository may be anybody's
    "log.showRoot=true",  # without it, files that nobody touched since the first commit have none
    f"core.packedGitWindowSize={_PACK_WINDOW}",
    f"core.packedGitLimit={_PACK_LIMIT}",
    f"core.deltaBaseCacheLimit={_PACK_LIMIT}",
)
_CHUNK = 1 << 20  # bytes; large, because a reader's work per piece is what a long stream costs
_TRUST = re.compile(r"git config --global --add safe\.directory \S.*\S")
_UNREADABLE = re.compile(r"^warning: could not open directory '(.*)/?': ", re.MULTILINE)

_FILTERS = r"^remote\..*\.partialclonefilter$"

_MODE_DIGITS = 6
SYMLINK_MODE = 0o120000
SUBMODULE_MODE = 0o160000


@dataclass(frozen=True, slots=True)
class Head:
    """The commit that is checked out.

    Attributes:
        commit: its full object name.
        time: its committer time.
    """

    commit: str
    time: int


@dataclass(frozen=True, slots=True)
class Listing:
    """What git sees in a worktree.

    Attributes:
        tracked: every path in its index, with its mode: ``0o100644``, `SYMLINK_MODE` …
        untracked: files and symbolic links that it neither tracks nor ignores, in its order.
        repositories: untracked folders that are repositories of their own; git does not look into them.
        unreadable: folders that it could not open.
    """

    tracked: dict[str, int]
    untracked: tuple[str, ...]
    repositories: tuple[str, ...]
    unreadable: tuple[str, ...]


class Repository:
    """One worktree, read through git.

    Args:
        view_root: the worktree's top folder, absolute and without symbolic links.
    """

    def __init__(self, view_root: Path) -> None:
        self.view_root = view_root

    def head(self) -> Head | None:
        """The commit that is checked out, or None before the first commit. Raises GitError."""
        status, output, errors = self._execute(
            "log", "-1", "--no-show-signature", "--format=%H %ct", "HEAD", "--"
        )
        if status == 0:
            commit, _, time = output.decode("ascii").strip().partition(" ")
            return Head(commit, int(time))
        if self._execute("rev-parse", "--verify", "--quiet", "HEAD")[0] == 1:
            return None
        raise self._failure(status, errors)

    def listing(self) -> Listing:
        """Every path that git does not ignore. Raises GitError."""
        others = ("ls-files", "--others", "--exclude-standard", "-z")
        with (
            self._begin(*others) as fresh,
            self._begin("ls-files", "--stage", "-z") as staged,
        ):  # both at once
            rows = os.fsdecode(self._checked(staged)[0]).split("\0")
            tracked = {row.partition("\t")[2]: int(row[:_MODE_DIGITS], 8) for row in rows if row}
            output, errors = self._checked(fresh)
        found = [os.fsdecode(row) for row in output.split(b"\0") if row]
        return Listing(
            tracked=tracked,
            untracked=tuple(path for path in found if not path.endswith("/")),
            repositories=tuple(path.rstrip("/") for path in found if path.endswith("/")),
            unreadable=tuple(name.rstrip("/") for name in _UNREADABLE.findall(errors)),
        )

    def is_ancestor(self, commit: str, of: str = "HEAD") -> bool:
        """Whether ``commit`` is known and reachable from ``of`` (a commit is its own ancestor)."""
        return self._execute("merge-base", "--is-ancestor", commit, of)[0] == 0

    def shallow_boundary(self) -> frozenset[str]:
        """The commits whose parents a shallow clone has cut off. Raises GitError."""
        name = os.fsdecode(self.run("rev-parse", "--git-path", "shallow")).rstrip("\n")
        path = self.view_root / name
        try:
            return frozenset(path.read_text(encoding="ascii").split())
        except FileNotFoundError:
            return frozenset()
        except OSError as error:
            raise GitError.of_system("cannot be read", error, path, "Make it readable") from None

    def lacks_trees(self) -> bool:
        """Whether this is a partial clone without trees: its history has no paths without the network."""
        _, output, _ = self._execute("config", "--get-regexp", _FILTERS)
        return any(row.partition(" ")[2].startswith("tree:") for row in output.decode().splitlines())

    def is_partial(self) -> bool:
        """Whether this is a partial clone: what its commits changed would have to be downloaded."""
        return self._execute("config", "--get-regexp", _FILTERS)[0] == 0

    def run(self, *arguments: str) -> bytes:
        """Standard output of one git command. Raises GitError when it fails."""
        with self._begin(*arguments) as process:
            return self._checked(process)[0]

    def stream(self, *arguments: str, config: tuple[str, ...] = ()) -> Generator[bytes]:
        """Standard output of one git command in pieces; closing the iterator ends the command.

        Args:
            arguments: the command and its options.
            config: more settings, each ``name=value``.

        Raises:
            GitError: git is missing, or failed after what it has given so far.
        """
        process = self._start((*(part for one in config for part in ("-c", one)), *arguments))
        module = _gitpython()
        try:
            while chunk := process.stdout.read(_CHUNK):
                yield chunk
            process.wait()
        except module.exc.GitCommandError as error:
            raise self._failure(error.status, str(error.stderr)) from None
        finally:
            del process  # GitPython ends the process with its last reference

    def _start(self, arguments: tuple[str, ...]) -> git.Git.AutoInterrupt:
        module = _gitpython()
        client: git.Git = module.Git()
        client.update_environment(**self._settled())
        # GitPython can add to the environment but not take away from it: env(1) does, where needed.
        inherited = [name for name in _REDIRECTING if name in os.environ]
        unset = ["env", *(part for name in inherited for part in ("-u", name))] if inherited else []
        try:
            return client.execute([*unset, *self._command(arguments)], as_process=True)
        except (module.exc.GitCommandNotFound, PermissionError):
            raise _missing() from None

    def _execute(self, *arguments: str) -> tuple[int, bytes, str]:
        with self._begin(*arguments) as process:
            output, errors = process.communicate()
        return process.returncode, output, os.fsdecode(errors)

    def _begin(self, *arguments: str) -> subprocess.Popen[bytes]:
        environment = {name: value for name, value in os.environ.items() if name not in _REDIRECTING}
        return _begin(self._command(arguments), environment | self._settled())

    def _checked(self, process: subprocess.Popen[bytes]) -> tuple[bytes, str]:
        output, errors = process.communicate()
        if process.returncode:
            raise self._failure(process.returncode, os.fsdecode(errors))
        return output, os.fsdecode(errors)

    def _settled(self) -> dict[str, str]:
        # A damaged .git must be an error: without the ceiling, git would answer for a repository above.
        return {**_CALM, "GIT_CEILING_DIRECTORIES": str(self.view_root.parent)}

    def _command(self, arguments: tuple[str, ...]) -> list[str]:
        config = [part for setting in _CONFIG for part in ("-c", setting)]
        return ["git", "-C", str(self.view_root), *config, *arguments]

    def _failure(self, status: int, errors: str) -> GitError:
        lines = [line for line in errors.splitlines() if line.startswith(("fatal:", "error:"))]
        silent = f"ended by signal {-status}" if status < 0 else f"exit code {status} and no reason"
        text = lines[0].partition(":")[2].strip() if lines else errors.strip() or silent
        return GitError(f"git refused: {text}", where=str(self.view_root), remedy=self._remedy(errors))

    def _remedy(self, errors: str) -> str:
        folder = shlex.quote(str(self.view_root))
        if "dubious ownership" in errors:
            # Git names the folder to trust, which for a linked worktree is not always the view's root.
            named = _TRUST.search(errors)
            command = named[0] if named else f"git config --global --add safe.directory {folder}"
            return f"If you trust it, run: {command}"
        if "must be run in a work tree" in errors:
            return f"Give one of its worktrees as --root: 'git -C {folder} worktree list' names them"
        return f"Run 'git -C {folder} status' and correct what it reports"


def git_version() -> str:
    """The version of the git that is found: ``2.39.5``. Raises GitError when there is none."""
    with _begin(["git", "--version"], {**os.environ, **_CALM}) as process:
        output, _ = process.communicate()
    return output.decode(errors="replace").strip().removeprefix("git version ").split(" ")[0]


def _begin(command: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:  # every failure would look like an empty answer
        raise GitError(
            "this process ignores how programs end that it starts, so git cannot be asked",
            remedy="Call signal.signal(signal.SIGCHLD, signal.SIG_DFL) before",
        )
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
        )
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        raise _missing() from None


def _gitpython() -> ModuleType:
    try:
        import git  # noqa: PLC0415 (80 ms, and it starts git once: only when git is asked for)
    except ImportError:  # GitPython's answer to a missing git
        raise _missing() from None
    return git


def _missing() -> GitError:
    return GitError("git cannot be run", remedy="Install git, or put it on the PATH")
