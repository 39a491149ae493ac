"""The parse cache: bounded, its owner's alone, and never a reason to fail."""

import os
import sqlite3
import stat
import subprocess
import sys

import pytest

from knowledge.parse_cache import SECONDS_PER_DAY, ParseCache

DAY = SECONDS_PER_DAY


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "home" / "cache"


def kept(folder, paths, **options):
    with ParseCache(folder, "recipe", 0, **options) as cache:
        return [path for path in paths if cache.get("blob", path)]


def keep(folder, *paths, now=0, size=1000, **options):
    with ParseCache(folder, "recipe", now, **options) as cache:
        for path in paths:
            cache.put("blob", path, path.encode() * size)


def test_gives_what_was_put_for_the_same_content_path_and_recipe(folder):
    keep(folder, "a", size=1)
    with ParseCache(folder, "recipe", 0) as cache:
        assert cache.get("blob", "a") == b"a"
        assert cache.get("blob", "b") is None
        assert cache.get("other", "a") is None
    with ParseCache(folder, "other", 0) as cache:
        assert cache.get("blob", "a") is None


def test_without_a_folder_nothing_is_kept():
    with ParseCache(None, "recipe", 0) as cache:
        cache.put("blob", "a", b"x")
        assert cache.get("blob", "a") is None


def test_write_only_gives_nothing_and_replaces(folder):
    keep(folder, "a", size=1)
    with ParseCache(folder, "recipe", 0, write_only=True) as cache:
        assert cache.get("blob", "a") is None
        cache.put("blob", "a", b"new")
    with ParseCache(folder, "recipe", 0) as cache:
        assert cache.get("blob", "a") == b"new"


def test_what_was_not_used_for_longest_goes_first(folder):
    for day in range(8):
        keep(folder, f"{day}", now=day * DAY, max_bytes=100_000)
    with ParseCache(folder, "recipe", 9 * DAY) as cache:
        assert cache.get("blob", "0")
    keep(folder, "9", now=9 * DAY, max_bytes=5_000)
    assert kept(folder, [f"{day}" for day in range(10)]) == ["0", "6", "7", "9"]


def test_file_stays_within_its_bound(folder):
    bound = 1_000_000
    for number in range(40):
        keep(folder, *(f"{number}/{i}" for i in range(50)), now=number * DAY, size=20, max_bytes=bound)
    assert sum(path.stat().st_size for path in folder.iterdir()) < 1.5 * bound


def test_folder_and_files_are_their_owners_alone(folder):
    folder.mkdir(parents=True, mode=0o755)
    before = os.umask(0)
    try:
        with ParseCache(folder, "recipe", 0) as cache:
            cache.put("blob", "a", b"x")
            cache.get("blob", "a")
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert set(modes.values()) == {0o600}, modes


@pytest.mark.parametrize(("mode", "kept_there"), [(0o755, ["a"]), (0o775, []), (0o777, []), (0o1777, [])])
def test_folder_that_is_used_otherwise_stays_open_as_it_is(folder, mode, kept_there):
    folder.mkdir(parents=True)
    (folder / "other").touch()
    folder.chmod(mode)
    keep(folder, "a")
    assert kept(folder, ["a"]) == kept_there
    assert stat.S_IMODE(folder.stat().st_mode) == mode


def test_empty_folder_for_everybody_stays_so(folder):
    folder.mkdir(parents=True)
    folder.chmod(0o1777)
    keep(folder, "a")
    assert (list(folder.iterdir()), stat.S_IMODE(folder.stat().st_mode)) == ([], 0o1777)


def test_folder_of_somebody_else_is_not_used(folder, unprivileged):
    folder.parent.mkdir()
    for place in (folder.parent, *folder.parent.parents):
        if len(place.parts) > 2:
            place.chmod(place.stat().st_mode | 0o055)
    folder.mkdir()
    folder.chmod(0o777)  # ours, and writable by all

    def put_and_get():
        keep(folder, "a")
        return kept(folder, ["a"])

    assert unprivileged(put_and_get) == []
    assert list(folder.iterdir()) == []


def test_link_in_place_of_the_file_is_not_followed(folder, tmp_path):
    keep(folder, "a")
    (file,) = folder.iterdir()
    target = tmp_path / "target"
    target.write_bytes(b"precious")
    file.unlink()
    file.symlink_to(target)
    keep(folder, "a")
    assert kept(folder, ["a"]) == []
    assert target.read_bytes() == b"precious"


def test_place_that_cannot_be_made_is_no_cache(tmp_path):
    (tmp_path / "file").write_text("")
    keep(tmp_path / "file" / "cache", "a")
    assert kept(tmp_path / "file" / "cache", ["a"]) == []


@pytest.mark.parametrize("content", [b"", b"text " * 999, b"SQLite format 3\0" + b"\xff" * 5000])
def test_damaged_file_is_dropped_and_made_anew(folder, content):
    keep(folder, "a")
    (file,) = folder.iterdir()
    file.write_bytes(content)
    assert kept(folder, ["a"]) == []
    keep(folder, "a")
    assert kept(folder, ["a"]) == ["a"]


def test_file_of_something_else_is_dropped_and_made_anew(folder):
    keep(folder, "a")
    (file,) = folder.iterdir()
    file.unlink()
    with sqlite3.connect(file) as db:
        db.execute("CREATE TABLE parsed (key)")
    keep(folder, "a")
    assert kept(folder, ["a"]) == ["a"]


def test_value_whose_bytes_were_changed_is_not_given(folder):
    keep(folder, "a", "b")
    (file,) = folder.iterdir()
    with sqlite3.connect(file) as db:
        db.execute("UPDATE parsed SET packed = zeroblob(1000) WHERE rowid = 1")
    assert kept(folder, ["a", "b"]) == ["b"]


def test_cache_that_another_process_holds_is_passed_over(folder, monkeypatch):
    monkeypatch.setattr("knowledge.parse_cache.BUSY_TIMEOUT", 0.05)
    keep(folder, "a")
    (file,) = folder.iterdir()
    holder = sqlite3.connect(file, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    keep(folder, "b")
    holder.execute("ROLLBACK")
    holder.close()
    assert kept(folder, ["a", "b"]) == ["a"]


def test_processes_at_once_lose_nothing(folder, request):
    program = (
        "import sys; from pathlib import Path; from knowledge.parse_cache import ParseCache\n"
        "for i in range(20):\n"
        "    with ParseCache(Path(sys.argv[1]), 'recipe', 0) as cache:\n"
        "        cache.put('blob', f'{sys.argv[2]}/{i}', b'x' * 1000)\n"
    )
    runs = [
        subprocess.Popen([sys.executable, "-c", program, folder, name], cwd=request.config.rootpath)
        for name in "abc"
    ]
    assert [run.wait(60) for run in runs] == [0, 0, 0]
    paths = [f"{name}/{i}" for name in "abc" for i in range(20)]
    assert kept(folder, paths) == paths
