"""What changed between two commits, asked of git."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from knowledge.errors import GitError
from learning.diff import Diff, parse_diff

if TYPE_CHECKING:
    from git import Repo

# Lines of context: the whole of every changed file, so that the context tells what was there before. (git
# takes any number; files longer than this lose nothing but context.)
_CONTEXT = 100_000


def diff_between(root: Path, base: str, head: str | None = None) -> Diff:
    """The diff from ``base`` to ``head``, renames found, each changed file with all its lines.

    Args:
        root: a folder of the work tree.
        base: any name of a commit.
        head: likewise; None compares with the work tree (tracked files, committed or not).

    Raises:
        GitError: there is no repository, git is missing, or it does not know a name.
        DiffError: git's answer cannot be read.
    """
    with _opened(root) as repo:
        names = [_resolve(repo, name, root) for name in (base, head) if name is not None]
        return parse_diff(_run(repo, names))


def resolve_commit(root: Path, name: str) -> str:
    """The full hash of a commit, so that a record says which one ``HEAD`` was.

    Raises:
        GitError: there is no repository, git is missing, or it does not know the name.
    """
    with _opened(root) as repo:
        return _resolve(repo, name, root)


@contextmanager
def _opened(root: Path) -> Iterator[Repo]:
    import git  # noqa: PLC0415 - 100 ms: only who asks for a diff pays for it

    try:
        with git.Repo(root, search_parent_directories=True) as repo:
            yield repo
    except (git.InvalidGitRepositoryError, git.NoSuchPathError):
        raise GitError("this is no git repository", where=str(root), remedy="Give --diff FILE") from None
    except git.GitCommandNotFound:
        raise GitError("git is not installed", where=str(root), remedy="Install git") from None
    except git.GitCommandError as error:
        what = f"git refused to compare: {str(error.stderr).strip()}"
        raise GitError(what, where=str(root), remedy="Check --base and --head") from None


def _resolve(repo: Repo, name: str, root: Path) -> str:
    """The commit's full hash; what git sees after this is never taken for an option."""
    found = repo.git.rev_parse(
        "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}", with_exceptions=False
    )
    if not found:
        raise GitError(
            f"git knows no commit '{name}'", where=str(root), remedy="Give a commit, tag or branch"
        )
    return str(found)


def _run(repo: Repo, names: list[str]) -> str:
    """Git's output, independent of the user's configuration."""
    answer: bytes = repo.git.diff(
        f"--unified={_CONTEXT}",
        "--find-renames",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--diff-algorithm=histogram",
        "--submodule=short",
        "--src-prefix=a/",
        "--dst-prefix=b/",
        *names,
        "--",
        stdout_as_string=False,
        strip_newline_in_stdout=False,
    )
    return answer.decode("utf-8", "replace")
