"""The order of the rooms: the contracts are kept, and would notice when they are not."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

LINT = [sys.executable, "-c", "import sys; from importlinter.cli import lint_imports_command as c; c()"]
HEAVY = ("lancedb", "torch", "sentence_transformers", "mcp", "starlette")
# What the path of a dispatch must not pay for: cold starts are counted in milliseconds there.
SLOW = ("git", "tree_sitter", "markdown_it", "yaml", "structlog", "apscheduler", "jinja2")
DISPATCH_ROOMS = ("knowledge", "receipts", "templates", "augmenter")
NOT_DISPATCH = ("augmenter.app", "augmenter.hosts")

MODULES = {
    "app": "augmenter.app.cli",
    "hosts": "augmenter.hosts.generic",
    "evals": "evals.run",
    "pipeline": "augmenter.channels.exact",
    "indexer": "indexer.build",
    "learning": "learning.nightly",
    "templates": "templates.render",
    "receipts": "receipts.ledger",
    "knowledge": "knowledge.types",
}
ORDER = (
    ("app",),
    ("hosts",),
    ("evals",),
    ("pipeline", "indexer", "learning"),
    ("templates", "receipts"),
    ("knowledge",),
)
RANKS = {room: -rank for rank, rooms in enumerate(ORDER) for room in rooms}
ALLOWED = [(a, b) for a in RANKS for b in RANKS if RANKS[a] > RANKS[b]]
FORBIDDEN = [(a, b) for a in RANKS for b in RANKS if a != b and RANKS[a] <= RANKS[b]]


@pytest.fixture
def house(root, tmp_path):
    """A house with the same rooms and contracts, one module in each, where imports can be tried."""
    shutil.copy(root / "pyproject.toml", tmp_path)
    for module in MODULES.values():
        path = tmp_path.joinpath(*module.split(".")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        for folder in list(path.relative_to(tmp_path).parents)[:-1]:
            (tmp_path / folder / "__init__.py").touch()

    def add(importer: str, line: str) -> None:
        with tmp_path.joinpath(*importer.split(".")).with_suffix(".py").open("a") as file:
            file.write(f"{line}\n")

    def broken() -> str:
        done = subprocess.run(
            [*LINT, "--no-cache", "--no-logo"], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert "Contracts: " in done.stdout, done.stdout + done.stderr
        return "" if done.returncode == 0 else done.stdout

    add.broken = broken
    return add


def test_every_downward_import_is_allowed(house):
    for importer, imported in ALLOWED:
        house(MODULES[importer], f"import {MODULES[imported]}")
    house("receipts.ledger", "import sqlite3")
    house("knowledge.types", "import sqlite3")
    assert house.broken() == ""


def test_every_upward_and_sideways_import_is_noticed(house):
    for importer, imported in FORBIDDEN:
        house(MODULES[importer], f"import {MODULES[imported]}")
    report = house.broken()
    for importer, imported in FORBIDDEN:
        assert f"{MODULES[importer]} -> {MODULES[imported]}" in report.replace(
            " is not allowed to import ", " -> "
        ), (importer, imported)


@pytest.mark.parametrize("room", ["app", "hosts", "evals", "pipeline", "indexer", "learning", "templates"])
def test_sql_outside_the_stores_is_noticed(house, room):
    house(MODULES[room], "import sqlite3")
    assert "sqlite3" in house.broken()


def test_augmenter_may_hand_the_application_on(house):
    house("augmenter.__init__", "import augmenter.app.cli")
    assert house.broken() == ""


def imported_by(root, rooms, skipped, watched):
    """Which of ``watched`` are loaded after importing every module of some rooms, in a fresh process."""
    script = f"""
import importlib, json, pkgutil, sys
for room in {list(rooms)!r}:
    package = importlib.import_module(room)
    for module in pkgutil.walk_packages(package.__path__, room + "."):
        if not module.name.startswith({tuple(skipped)!r}) and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
print(json.dumps([name for name in {list(watched)!r} if name in sys.modules]))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_importing_any_room_loads_nothing_heavy(root, rooms):
    assert imported_by(root, rooms, (), HEAVY) == []


def test_importing_the_path_of_a_dispatch_loads_nothing_slow(root):
    assert imported_by(root, DISPATCH_ROOMS, (*NOT_DISPATCH, "templates.environment"), SLOW) == []
