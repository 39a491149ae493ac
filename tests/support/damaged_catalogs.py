"""What can have become of a catalog's file: each function does it to one."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from knowledge.catalog.schema import SCHEMA_VERSION


def execute(path: Path, statement: str) -> None:
    """Runs one statement on a file as SQLite has it."""
    with sqlite3.connect(path) as db:
        db.execute(statement)
    db.close()


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def folder_in_its_place(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "file").write_text("x")


def no_database(path: Path) -> None:
    path.write_text("a text that is long enough to be taken for a header of a database\n" * 200)


def other_database(path: Path) -> None:
    path.unlink()
    execute(path, "CREATE TABLE theirs (a)")


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 3])


def zeroed_middle(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096 : 4096 * 20] = bytes(4096 * 19)
    path.write_bytes(content)


def newer(path: Path) -> None:
    execute(path, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
