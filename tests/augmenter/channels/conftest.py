"""A project with a past, a glossary and lessons, whose ranking shows every signal."""

from __future__ import annotations

import shutil
from dataclasses import fields
from pathlib import Path

import pytest
from git_repository import GitRepository

from augmenter import Augmenter
from augmenter.app.cli import main
from augmenter.signals.signals import FITTED
from augmenter.weights import weights_text
from knowledge.project import locate
from knowledge.settings import ChannelSettings

# The docs of these functions share no word with what commits, dispatches and nicknames below say of them.
FILES = {
    "src/ledger.py": '''"""Accounts."""


def post_entry(account, amount):
    """Append a row."""
    account.rows.append(amount)


def balance(account):
    """Sum of an account."""
    return sum(account.rows)
''',
    "src/limits.py": '''class RateLimiter:
    """Counts calls per second."""

    def check(self, caller):
        """Whether a caller may go on."""
        return self.counts[caller] < 9

    def reset(self):
        """Forget all counts."""
        self.counts = {}
''',
    "src/render.py": '''from src.fonts import load_glyphs


def draw_invoice(invoice):
    """Draw an invoice on a page with its letterhead."""
    glyphs = load_glyphs(invoice.font)
    return [glyphs[letter] for letter in invoice.title]
''',
    "src/fonts.py": '''"""Fonts."""


def load_glyphs(font):
    """Read outlines of a typeface."""
    return font.outlines


def kerning(font):
    """Distances between pairs."""
    return font.pairs
''',
    "src/mail.py": '''class Postman:
    """Sends messages."""

    def send_letter(self, letter):
        """Hand over to the relay."""
        return self.relay.take(letter)

    def retry_later(self, letter):
        """Put in a queue."""
        self.queue.append(letter)
''',
    "src/pool.py": '''"""Workers that wait."""


class Pool:
    """Idle workers."""

    def __init__(self, worker):
        """Start idle."""
        self.idle = [worker]

    def __enter__(self):
        """Wake one worker."""
        return self._wake(self.idle)

    def _wake(self, worker):
        """Wake an idle worker."""
        return worker.pop()


def _wake(pool):
    """Wake a pool."""
    return pool._wake(pool.idle)
''',
    "docs/pool.md": "# Workers\n\nA pool of idle workers.\n\n## Waking\n\nAn idle worker wakes.\n",
    "knowledge/glossary/terms.md": "# The bouncer\nTurns callers away.\n- Code: `RateLimiter.check`\n",
}
CHANNELS = tuple(field.name for field in fields(ChannelSettings))
ON_COMMIT = "An interrupted transfer must not be booked twice"
ON_DISPATCH = "Customers complain that newsletters arrive at midnight"


class Project(GitRepository):
    """A project that is asked for its ranking, with channels switched off at will."""

    def rank(self, task, *off, profile="learned", **options):
        """Ranked items by name, with every channel switched on but those that are named."""
        switches = "".join(f"{channel} = {str(channel not in off).lower()}\n" for channel in CHANNELS)
        self.write("prebrief.toml", f'[ranking]\nprofile = "{profile}"\n\n[channels]\n{switches}')
        with Augmenter.open(self.root) as augmenter:
            ranked = augmenter.rank(task, limit=200, **options)
        return {item.name or item.path: item for item in ranked}

    def weigh(self, weights):
        """Gives the project weights of its own."""
        path = locate(self.root).weights
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(weights if isinstance(weights, str) else weights_text(weights, {}), encoding="utf-8")


def run(root: Path, *words: str) -> None:
    assert main([*words, "--root", str(root)]) == 0


@pytest.fixture(scope="session")
def _taught(_git_of_nobody, tmp_path_factory):
    """Indexed after a commit that says what its diff does not, and taught by a dispatch that went well."""
    project = Project(tmp_path_factory.mktemp("taught") / "project")
    project.commit("Begin", **FILES)
    ledger = FILES["src/ledger.py"].replace("append(amount)", "append(int(amount))")
    project.commit(ON_COMMIT, **{"src/ledger.py": ledger})
    run(project.root, "index")
    with Augmenter.open(project.root) as augmenter:
        brief = augmenter.augment(f"{ON_DISPATCH}: `Postman.send_letter`")
        mail = FILES["src/mail.py"].replace("take(letter)", "take(letter, now=True)")
        project.commit("Work", **{"src/mail.py": mail})
        augmenter.complete(brief.dispatch_id, status="success", base="HEAD~1", head="HEAD")
    run(project.root, "learn")
    project.weigh(dict.fromkeys(FITTED, 1.0))
    run(project.root, "index")
    return project


@pytest.fixture
def project(_taught, tmp_path):
    return Project(Path(shutil.copytree(_taught.root, tmp_path / "project")), git=False)


@pytest.fixture
def tasks():
    """Tasks that only the past can answer."""
    return {"history": ON_COMMIT, "dispatches": ON_DISPATCH}
