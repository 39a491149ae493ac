"""Corpora of real code, of any size: the sources of pinned packages, and repositories at pinned commits.

The packages are published archives of hand-written Python, no two of them of the same code. They are fetched
by the package installer, which checks their hashes, and unpacked as the archives that they are: none of their
code is run. A corpus of a given number of functions takes their files in order, by package and path, until
it has exactly so many; what counts as a function is what the indexer finds.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

from knowledge.errors import TaskError

SUFFIX = ".py"  # of what is taken out of the archives: stubs would be the same code twice
_PYTHON = "313"
_PLATFORMS = (
    "any",
    "manylinux2014_x86_64",
    "manylinux_2_17_x86_64",
    "manylinux_2_27_x86_64",
    "manylinux_2_28_x86_64",
)


@dataclass(frozen=True, slots=True)
class Package:
    """One published archive.

    Attributes:
        name: of the distribution.
        version: of it.
        sha256: of the wheel for 64-bit Linux on Intel and Python 3.13, or for any.
    """

    name: str
    version: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Repository:
    """A commit of a public repository."""

    name: str
    commit: str


PACKAGES = (
    Package("astropy", "8.0.2", "000d6998bcf4f097257b3776f29f1dafde0967bf1b091edbad95df564eee4eea"),
    Package("django", "6.1.3", "a0530e3fdac55d34ccc5893c36f6c57d7a7083064f3d414537e51473648b3290"),
    Package("homeassistant", "2025.4.4", "b7970fe3ce3a9d032a3a5dee3cbf71b227e7f23fad14a23855ee252542ef2631"),
    Package("matplotlib", "3.11.2", "1944895967f87c84c9b4bad29a707b31f5b36df4a3a2339ea1f8ea3ce5105539"),
    Package("mne", "1.13.2", "36bbdd9fdc68431309a75e9dc6331b9de085cb6836688ac50b7b89f141a83cc3"),
    Package("networkx", "3.7", "e3fd2c13a7814cee3746340d8d7f8598a67f16a58bf47fb7f8793fab6efca1b0"),
    Package("nova", "34.0.0", "8b46997836961762608e6e46e6d4945325d8a1fb8004e79e552e55839061f10c"),
    Package("numpy", "2.5.5", "824025655df929268bfe6b47ed91a00d14209a6f760847cf150be446829e1ce4"),
    Package("pandas", "3.1.1", "645fa00fd85cfced2d2c09dc116d3694f578501b1ce4899153fbe64788ecda98"),
    Package("scikit-learn", "1.9.1", "55e79d6e9b0923f1a978179822bd43d7f5543f45e970a00fe861f43486380aba"),
    Package("scipy", "1.18.1", "fdaf5ea890a6183d0565f51a61799d67081bd5b1cf03c5f4b3fd3732108625c9"),
    Package("sqlalchemy", "2.1.9", "15fb00f016b72e4e89bff3cd3b71f95012882aa5493c6c8c92a46d40714fa0dc"),
    Package("statsmodels", "0.15.0", "bcaa1e4499697c4e023e5fa6fb04459a34e4f4a449c45ae441992e933bde24db"),
    Package("sympy", "1.14.0", "e091cc3e99d2141a0ba2847328f5479b05d94a6635cb96148ccb3f34671bd8f5"),
    Package("twisted", "26.10.0", "3732f42af218925a0fe78d6668db55853f7fb532245a89a2669babe7d3000fa8"),
)
REPOSITORIES = (
    Repository("csirmazbendeguz/django", "1831f7733d3ef03d1ca7fac3e8d9f4c5e3e3375e"),
    Repository("gin-gonic/gin", "dcaa4296d111981ffb31ac3eba90bb63e1eb5ab9"),
    Repository("trpc/trpc", "340811ba5320637fbaf48fccf3dbfdd258bd34db"),
)


def download(packages: Sequence[Package], folder: Path) -> dict[Package, Path]:
    """The archives of packages; fetched when they are not in the folder yet.

    Raises:
        TaskError: the installer fails, or what it brought is something else.
    """
    folder.mkdir(parents=True, exist_ok=True)
    missing = packages if (found := _found(packages, folder)).keys() < set(packages) else ()
    if missing:
        pins = folder / "pins.txt"
        lines = (f"{one.name}=={one.version} --hash=sha256:{one.sha256}\n" for one in packages)
        pins.write_text("".join(lines), encoding="utf-8")
        _run([*_fetch_command(folder), "--requirement", str(pins)], "the packages cannot be fetched")
        found = _found(packages, folder)
    if lacking := [one.name for one in packages if one not in found]:
        raise TaskError(
            f"no archive of {', '.join(lacking)}", where=str(folder), remedy="Empty the folder and try again"
        )
    return found


def _fetch_command(folder: Path) -> list[str]:
    platforms = [part for platform in _PLATFORMS for part in ("--platform", platform)]
    abis = [part for abi in (f"cp{_PYTHON}", "abi3", "none") for part in ("--abi", abi)]
    return [
        *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"),
        *("--only-binary", ":all:", "--python-version", _PYTHON, "--implementation", "cp"),
        *(*platforms, *abis, "--dest", str(folder)),
    ]


def _found(packages: Iterable[Package], folder: Path) -> dict[Package, Path]:
    by_hash = {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in sorted(folder.glob("*.whl"))}
    return {one: by_hash[one.sha256] for one in packages if one.sha256 in by_hash}


def unpack(archive: Path, root: Path) -> None:
    """Lay out an archive's source files; nothing lands outside of the folder."""
    with ZipFile(archive) as wheel:
        for name in sorted(wheel.namelist()):
            parts = PurePosixPath(name).parts
            if name.endswith(SUFFIX) and ".." not in parts and not name.startswith("/"):
                target = root.joinpath(*parts)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(wheel.read(name))


def choose(units: Mapping[str, int], wanted: int) -> list[str]:
    """The first files in order that have exactly the wanted number of functions together.

    A file that would be too much is passed over, as are files without any function once there are enough.

    Args:
        units: functions by path.
        wanted: how many.

    Raises:
        TaskError: there are not so many, or no choice of files has exactly so many.
    """
    chosen: list[str] = []
    left = wanted
    for path in sorted(units):
        if left and units[path] <= left:
            chosen.append(path)
            left -= units[path]
    if left:
        raise TaskError(f"{left} of {wanted} functions are missing", remedy="Ask for fewer")
    return chosen


def lay_out(pool: Path, paths: Iterable[str], root: Path) -> None:
    """Copy files of the pool to a folder of their own, in place of whatever it holds."""
    shutil.rmtree(root, ignore_errors=True)
    for path in paths:
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(pool / path, target)


def check_out(repository: Repository, snapshots: Path, root: Path) -> None:
    """Lay out a repository's commit, without its history.

    Raises:
        TaskError: there is no such repository or commit.
    """
    root.mkdir(parents=True, exist_ok=True)
    archive = root.resolve().with_name(f"{root.name}.tar")
    git = ["git", "-C", str(git_dir(snapshots, repository.name))]
    _run([*git, "archive", "--output", str(archive), repository.commit], f"{repository.name} is not laid out")
    with tarfile.open(archive) as tar:
        tar.extractall(root, filter="data")
    archive.unlink()


def git_dir(snapshots: Path, name: str) -> Path:
    """Where a repository lies in a folder of git directories.

    Raises:
        TaskError: nowhere.
    """
    owner, _, repository = name.partition("/")
    for form in (f"{owner}+{repository}/repo", f"{owner}/{repository}.git", name):
        if (snapshots / form).is_dir():
            return snapshots / form
    raise TaskError(f"no git directory of {name}", where=str(snapshots), remedy=f"Put it at {name}.git")


def _run(command: Sequence[str], failure: str) -> None:
    done = subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise TaskError(f"{failure}: {said}", where=command[0], remedy="Mend what it says and try again")
