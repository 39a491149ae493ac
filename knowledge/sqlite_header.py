"""Whose an SQLite file is, and of which version: two numbers that its header has room for."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from knowledge.errors import CatalogTooNew


def read_header(connection: sqlite3.Connection) -> tuple[int, int]:
    """The application's id and the version of the schema; both are 0 in a new file."""
    application: int = connection.execute("PRAGMA application_id").fetchone()[0]
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return application, version


def require_known(version: int, known: int, path: Path, remedy: str) -> None:
    """Refuse a file of a schema that is newer than what this program knows.

    Raises:
        CatalogTooNew: with ``remedy`` as what to do about it.
    """
    if version > known:
        raise CatalogTooNew(
            f"written by a newer version (schema {version}, this one knows {known})",
            where=str(path),
            remedy=remedy,
        )
