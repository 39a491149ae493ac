"""Corpora hold exactly the functions that were asked for, of archives that are what they should be."""

import hashlib
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals import corpora
from evals.corpora import Package, Repository, check_out, choose, download, git_dir, lay_out, unpack
from knowledge.errors import TaskError


@pytest.fixture
def wheel(tmp_path):
    """An archive with sources, other files, and names that point out of it."""
    path = tmp_path / "packages" / "app-1.0-py3-none-any.whl"
    path.parent.mkdir()
    with ZipFile(path, "w") as archive:
        for name in (
            "app/a.py",
            "app/b.py",
            "app/c.so",
            "app/d.pyi",
            "../outside.py",
            "/rooted.py",
            "x/../y.py",
        ):
            archive.writestr(name, f"# {name}\n")
    return path


def package_of(path):
    return Package("app", "1.0", hashlib.sha256(path.read_bytes()).hexdigest())


def test_only_sources_are_laid_out_and_nothing_outside(wheel, tmp_path):
    root = tmp_path / "deep" / "pool"
    unpack(wheel, root)
    assert sorted(p.relative_to(tmp_path) for p in (tmp_path / "deep").rglob("*.*")) == [
        (root / "app" / name).relative_to(tmp_path) for name in ("a.py", "b.py")
    ]


def test_archives_are_told_by_their_hash(wheel):
    assert download([package_of(wheel)], wheel.parent) == {package_of(wheel): wheel}


def test_archive_of_another_hash_is_refused(wheel, monkeypatch):
    monkeypatch.setattr(corpora, "_fetch_command", lambda _folder: ["true"])
    with pytest.raises(TaskError, match="no archive of app"):
        download([Package("app", "1.0", "0" * 64)], wheel.parent)


def test_failing_installer_is_named(wheel, monkeypatch):
    monkeypatch.setattr(corpora, "_fetch_command", lambda _folder: ["sh", "-c", "echo no index >&2; exit 1"])
    with pytest.raises(TaskError, match="cannot be fetched: no index"):
        download([Package("app", "1.0", "0" * 64)], wheel.parent)


def test_all_pins_are_different_and_whole():
    assert len({one.name for one in corpora.PACKAGES}) == len(corpora.PACKAGES)
    assert all(len(one.sha256) == 64 and one.version for one in corpora.PACKAGES)


counts = st.dictionaries(st.text("abc/", min_size=1, max_size=5), st.integers(0, 9), max_size=20)


@given(counts, st.integers(0, 60))
def test_chosen_files_have_exactly_so_many_functions(units, wanted):
    try:
        chosen = choose(units, wanted)
    except TaskError:
        return
    assert sum(units[path] for path in chosen) == wanted
    assert chosen == sorted(set(chosen))
    assert chosen == choose(dict(reversed(units.items())), wanted)


def test_too_large_files_are_passed_over():
    assert choose({"a": 3, "b": 9, "c": 0, "d": 1, "e": 1}, 4) == ["a", "c", "d"]
    with pytest.raises(TaskError, match="1 of 2 functions are missing"):
        choose({"a": 1, "b": 5}, 2)


def test_corpus_takes_the_place_of_what_was_there(tmp_path):
    pool, root = tmp_path / "pool", tmp_path / "corpus"
    for folder, name in ((pool, "a/x.py"), (pool, "b.py"), (root, "old.py")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    lay_out(pool, ["a/x.py"], root)
    assert [path.name for path in root.rglob("*.py")] == ["x.py"]


def test_repository_is_laid_out_at_its_commit(bench, tmp_path):
    root = tmp_path / "work" / "app"
    check_out(Repository("acme/app", "HEAD"), bench.snapshots, root)
    assert (root / "src" / "stream.py").is_file()
    assert not (root / ".git").exists()
    with pytest.raises(TaskError, match="acme/app is not laid out"):
        check_out(Repository("acme/app", "0" * 40), bench.snapshots, tmp_path / "none")


def test_unknown_repository_has_a_remedy(tmp_path):
    with pytest.raises(TaskError, match=r"no git directory of acme/none.*acme/none\.git"):
        git_dir(tmp_path, "acme/none")
