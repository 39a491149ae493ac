"""Whatever kind of secret a repository holds, in whatever file: no part of it is left in what is stored."""

from __future__ import annotations

import sqlite3

from evals.secret_cases import positives
from evals.secret_samples import TEMPLATES
from evals.secrets import PIECE

# The eval's honest misses: a password of words, and random ones that happen to look like them.
NOT_PROMISED = "assigned-password"
SUFFIXES = {".py", ".js", ".yaml", ".json", ".md", ".sh", ".toml", ".go", ".java", ".rb", ".php", ".ts"}


def test_no_eight_characters_of_a_secret_are_left(repo):
    cases = [
        case
        for case in positives(1, seed=11)
        if case.suffix in SUFFIXES and not case.kind.startswith(NOT_PROMISED)
    ]
    for number, case in enumerate(cases):
        repo.write(f"files/a{number}{case.suffix}", case.text)
    report = repo.index()
    stored = b"".join(path.read_bytes() for path in sorted(repo.catalog.parent.rglob("*")) if path.is_file())
    dumped = repr(repo.dump())  # records are compressed in the file
    pieces = {
        case.secret[at : at + PIECE] for case in cases for at in range(0, len(case.secret) - PIECE + 1, 3)
    }
    held = (stored + dumped.encode()).decode("utf-8", "replace").lower()
    words = {held[at : at + PIECE] for at in range(len(held) - PIECE + 1)}
    public = f"{TEMPLATES} -----BEGIN PRIVATE KEY-----"  # prefixes, which events name too
    assert {piece for piece in pieces if piece.lower() in words and piece not in public} == set()
    assert sum(n for kind, n in report.events.items() if kind.startswith("secret:")) >= len(cases) * 0.8
    with sqlite3.connect(repo.catalog) as db:
        kinds = {row[0] for row in db.execute("SELECT DISTINCT kind FROM events")}
    assert len(kinds) > 100
