"""A small indexed project, cases about it, and the command ``kb``."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from git_repository import GitRepository

from augmenter.app.kb import main
from indexer.build import build_index
from knowledge.clock import Clock
from knowledge.project import locate
from knowledge.settings import Settings

SOURCES = Path(__file__).parents[3]
TOPICS = {
    "close_stream": "Wake the readers that wait for a stream when it is closed",
    "take_connection": "Take an idle connection from the pool, oldest first",
    "exponential_backoff": "Wait longer before another attempt after each failure",
    "parse_header": "Split a header into its parameters at semicolons",
    "invoice_total": "Add the tax of an invoice to its net amount in cents",
    "rotate_image": "Turn a picture by a quarter clockwise",
    "compress_archive": "Pack a folder into a zipped archive without symlinks",
    "expire_session": "Forget a visitor whose cookie is older than a week",
    "merge_intervals": "Join overlapping ranges of a calendar into one",
    "escape_html": "Replace angle brackets and ampersands in markup",
    "schedule_backup": "Plan the nightly copy of the database",
    "translate_message": "Look up a sentence in the catalogue of a language",
}


def files():
    """A file for each topic, and a document."""
    found = {
        f"src/{name.split('_')[1]}.py": f'def {name}(value):\n    """{text}."""\n    return value\n'
        for name, text in TOPICS.items()
    }
    return {**found, "docs/guide.md": "# Guide\n\n## Retention\n\nBackups are kept for ninety days.\n"}


def rows():
    """A case for each topic, one for the document, and three that nothing answers."""
    found = [
        {
            "id": name,
            "task": text,
            "relevant": [{"path": f"src/{name.split('_')[1]}.py", "name": name}],
        }
        for name, text in TOPICS.items()
    ]
    found.append(
        {"id": "guide", "task": "How many days are backups kept?", "relevant": [{"path": "docs/guide.md"}]}
    )
    away = ("Bake sourdough bread", "Tune the carburettor", "Prune the apple trees in winter")
    return found + [{"id": f"away-{n}", "task": task, "abstain": True} for n, task in enumerate(away)]


@dataclass(frozen=True)
class Done:
    """A command that has ended."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


class Evaluated(GitRepository):
    """An indexed project with a file of cases beside it."""

    @property
    def cases(self):
        return self.root.parent / "cases.jsonl"

    @property
    def evaluations(self):
        return self.root / ".knowledge" / "evaluations"

    def write_cases(self, found):
        lines = [row if isinstance(row, str) else json.dumps(row) for row in found]
        self.cases.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def folder(self, done):
        """The folder of the run that a command's JSON is about."""
        return self.evaluations / done.json["runId"]


@pytest.fixture(scope="session")
def _indexed(_git_of_nobody, tmp_path_factory):
    project = Evaluated(tmp_path_factory.mktemp("kb") / "project")
    project.commit("Begin", **files())
    build_index(locate(project.root), Settings(), Clock())
    return project


@pytest.fixture
def project(_indexed, tmp_path):
    copy = Evaluated(Path(shutil.copytree(_indexed.root, tmp_path / "project")), git=False)
    copy.write_cases(rows())
    return copy


@pytest.fixture
def case_rows():
    return rows


@pytest.fixture
def kb(capsysbinary):
    """Runs ``kb`` in this process."""

    def kb(*words):
        capsysbinary.readouterr()
        try:
            code = main([str(word) for word in words])
        except SystemExit as stop:
            code = stop.code
        out, err = capsysbinary.readouterr()
        return Done(code, out.decode(), err.decode())

    return kb


@pytest.fixture
def evaluate(kb, project):
    """Runs ``kb evaluate --json`` on the project and its cases."""
    return lambda *words: kb("evaluate", "--root", project.root, "--cases", project.cases, "--json", *words)


@pytest.fixture
def spawn():
    """Starts ``kb`` in a process of its own."""

    def spawn(*words, **environment):
        return subprocess.Popen(
            [sys.executable, "-c", "import sys; from augmenter.app.kb import main; sys.exit(main())", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(SOURCES), **environment},
        )

    return spawn
