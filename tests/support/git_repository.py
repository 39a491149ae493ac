"""Git repositories to test with, and the environment in which git is nobody's in particular."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_CACHES = ("PREBRIEF_CACHE", "XDG_CACHE_HOME")  # where they lie, if not in the home
EPOCH = 1_700_000_000  # when a repository begins; its n-th commit comes n minutes later


def plain_environment(home: Path) -> dict[str, str | None]:
    """What to set (None: to unset) for git as it comes, without a user's or machine's configuration.

    Where a test gives no time of its own, time stands still.
    """
    foreign = [name for name in os.environ if name.startswith("GIT_") or name in _CACHES]
    unset: dict[str, str | None] = dict.fromkeys(foreign)
    chosen = {"HOME": str(home), "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for role in ("AUTHOR", "COMMITTER"):
        chosen |= {
            f"GIT_{role}_NAME": "Ada",
            f"GIT_{role}_EMAIL": "ada@example.org",
            f"GIT_{role}_DATE": f"{EPOCH} +0000",
        }
    return unset | chosen


class GitRepository:
    """A git repository with commits at times that rise by a minute, or as given.

    Attributes:
        root: its folder.
        commits: how many were made by `commit`.
    """

    add_options: tuple[str, ...] = ("--all",)

    def __init__(self, root: Path, *, git: bool = True) -> None:
        """Makes it; with ``git=False`` it stays a mere folder."""
        self.root = root
        self.commits = 0
        root.mkdir(parents=True, exist_ok=True)
        if git:
            self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str, stdin: bytes = b"", check: bool = True, time: int | None = None) -> str:
        """Runs git at the time of the last commit, or another; returns what it says."""
        stamp = f"{EPOCH + 60 * self.commits if time is None else time} +0000"
        done = subprocess.run(
            ["git", "-C", str(self.root), *arguments],
            input=stdin,
            capture_output=True,
            env={**os.environ, "GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp},
            check=False,
        )
        assert done.returncode == 0 or not check, done.stderr
        return os.fsdecode(done.stdout).strip()

    def write(self, path: str, content: str | bytes = "def f():\n    return 1\n") -> Path:
        """Writes a file, and the folders it needs."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return target

    def commit(
        self,
        message: str = "change",
        *options: str,
        check: bool = True,
        time: int | None = None,
        **files: str | bytes,
    ) -> str:
        """Writes files and commits all there is, be it nothing; returns the commit."""
        for path, content in files.items():
            self.write(path, content)
        self.commits += 1
        self.git("add", *self.add_options)
        command = ("commit", "--quiet", "--allow-empty", f"--message={message}", *options)
        self.git(*command, check=check, time=time)
        return self.git("rev-parse", "HEAD", check=check)
