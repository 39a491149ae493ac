"""How large a file may be."""

import os

import pytest

from indexer.sources.limits import limit_of
from indexer.sources.names import is_lock_file
from indexer.sources.walk import SkipReason, walk
from knowledge.project import locate
from knowledge.settings import IndexSettings

MIB = 1024 * 1024


def sparse(path, size):
    """A file of a size that takes no room: to read it would give NUL and take time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    os.truncate(path, size)


def found(folder, **settings):
    seen = walk(locate(folder), IndexSettings(**settings))
    return [file.path for file in seen.files], {skip.path: skip.reason for skip in seen.skipped}


def test_large_code_is_indexed_where_data_of_that_size_is_not(tmp_path):
    for name in ("sqlite3.c", "checker.ts", "guide.md", "dump.sql", "DATA.JSON", "table.csv", "words.txt"):
        sparse(tmp_path / name, 9 * MIB)
    files, skipped = found(tmp_path)
    assert files == ["checker.ts", "guide.md", "sqlite3.c"]
    assert set(skipped.values()) == {SkipReason.TOO_LARGE}


def test_the_limit_itself_is_allowed():
    settings = IndexSettings(max_file_bytes=2048, max_data_bytes=4096)
    assert limit_of("a.py", settings) == 2048
    assert limit_of("a.yaml", settings) == 2048  # the limit of files binds all
    assert limit_of("a.yaml", IndexSettings(max_data_bytes=4096)) == 4096


def test_a_file_of_300_megabytes_is_not_read(tmp_path):
    sparse(tmp_path / "huge.py", 300 * MIB)
    (tmp_path / "a.py").write_text("x = 1\n")
    assert found(tmp_path) == (["a.py"], {"huge.py": SkipReason.TOO_LARGE})


@pytest.mark.parametrize("name", ["package-lock.json", "web/yarn.lock", "Cargo.lock", "go.sum", "uv.lock"])
def test_lock_files_are_generated_at_any_size(tmp_path, name):
    sparse(tmp_path / name, 10)
    assert found(tmp_path) == ([], {name: SkipReason.GENERATED})


def test_what_is_named_like_a_lock_is_no_lock_file():
    for path in ("lock.py", "src/yarn.lock.ts", "package-lock.json/readme.md", "block.lock", "lock.json"):
        assert not is_lock_file(path)
