"""Peers in environments of their own, with stand-ins that do what our workers rest on."""

import re
import sys
from pathlib import Path

import pytest
from git_repository import GitRepository

from evals.peers import aider_worker
from evals.peers.aider import Aider
from evals.peers.semble import Semble

AIDER = {
    "aider/__init__.py": "",
    "aider/coders/__init__.py": "",
    "aider/io.py": "class InputOutput:\n    def __init__(self, **options):\n        print('noise')\n",
    "aider/coders/base_coder.py": """\
import os, time

class Coder:
    def get_all_abs_files(self):
        return [os.path.join(self.root, file) for file in self.repo.get_tracked_files()]

    def get_ident_mentions(self, text):
        if "slow" in text:
            time.sleep(30)
        return set(text.split())

    def get_file_mentions(self, text):
        return set()

    def get_ident_filename_matches(self, names):
        return {file for file in self.repo.get_tracked_files() if file.removesuffix(".py") in names}
""",
    "aider/repomap.py": """\
import os
from pathlib import Path

class Context:
    show_lines = ()

class RepoMap:
    TAGS_CACHE_DIR = ".cache"
    rankings = 0

    def __init__(self, root, io, refresh):
        self.root, self.max_map_tokens, self.tree_context_cache = root, 0, {}
        (Path(root) / self.TAGS_CACHE_DIR).mkdir(exist_ok=True)

    def get_rel_fname(self, path):
        return os.path.relpath(path, self.root)

    def get_tags(self, path, file):
        lines = Path(path).read_text().split("\\n")
        return [(file, path, n, line, "def") for n, line in enumerate(lines) if line.startswith("def")]

    def get_ranked_tags(self, chat, other, files, names, progress=None):
        RepoMap.rankings += 1
        assert RepoMap.rankings < 3, "the ranking is made once for all budgets"
        tags = [tag for path in sorted(other) for tag in self.get_tags(path, self.get_rel_fname(path))]
        return sorted(tags, key=lambda tag: tag[0] not in files)

    def get_repo_map(self, chat, other, files=frozenset(), names=frozenset()):
        tags, best = self.get_ranked_tags(chat, other, files, names), ""
        for count in range(1, len(tags) + 1):
            tree = self.to_tree(tags[:count], set())
            if self.token_count(tree) <= self.max_map_tokens:
                best = tree
        return best

    def to_tree(self, tags, chat):
        files = {tag[0]: [] for tag in tags}
        for tag in tags:
            files[tag[0]].append(tag[2])
        return "".join(f"{file}:\\n{self.render_tree('', file, lines)}" for file, lines in files.items())

    def render_tree(self, path, file, lines):
        self.tree_context_cache[file] = {"context": Context()}
        self.tree_context_cache[file]["context"].show_lines = set(lines)
        return "".join(f"|line {line}\\n" for line in lines)
""",
}
SEMBLE = {
    "wordllama/__init__.py": "",
    "safetensors/__init__.py": "",
    "safetensors/numpy.py": """\
class Tensor(str):
    def astype(self, kind):
        return self + kind

def load_file(path):
    return {"embedding.weight": Tensor(path.name)}
""",
    "tokenizers/__init__.py": """\
class Tokenizer:
    from_file = staticmethod(lambda path: path.rpartition("/")[2])
""",
    "model2vec/__init__.py": """\
from pathlib import Path

class StaticModel:
    def __init__(self, vectors, tokenizer, normalize):
        self.text = f"{vectors} {tokenizer}"

    def save_pretrained(self, folder):
        Path(folder).mkdir()
        (Path(folder) / "model").write_text(self.text)
""",
    "semble/__init__.py": "",
    "semble/index.py": """\
from pathlib import Path
from types import SimpleNamespace as Some

class SembleIndex:
    @classmethod
    def from_path(cls, root, model_path):
        print("noise")
        assert "float32" in (Path(model_path) / "model").read_text()
        return cls()

    def search(self, text, top_k, max_snippet_lines):
        chunk = Some(file_path="src/stream.py", start_line=1, end_line=8, content=text)
        return [Some(chunk=chunk)] if text.strip() else []
""",
}


@pytest.fixture
def repository(tmp_path):
    made = GitRepository(tmp_path / "app")
    made.commit("First.", **{"one.py": "def a():\n    pass\n", "two.py": "x = 1\n\n\ndef b():\n    pass\n"})
    return made.root


@pytest.fixture
def ask_aider(environment, repository):
    with Aider(environment(("aider-chat==0.0",), AIDER), (1, 10, 1_000)).open(repository) as ask:
        yield ask


def test_aider_maps_fit_their_budgets_and_tell_which_lines_they_show(ask_aider, repository):
    views = ask_aider("anything").views
    assert {budget: view.text for budget, view in views.items()} == {
        1: "",
        10: "one.py:\n|line 0\n",
        1_000: "one.py:\n|line 0\ntwo.py:\n|line 3\n",
    }
    assert [(piece.file, piece.start, piece.end) for piece in views[1_000].shown] == [
        ("one.py", 1, 1),
        ("two.py", 4, 4),
    ]
    assert not (repository / ".cache").exists()


def test_aider_is_told_which_files_a_task_names(ask_aider):
    assert ask_aider("look at two").views[10].text == "two.py:\n|line 3\n"


def test_aider_that_takes_too_long_has_failed_and_goes_on(environment, repository, monkeypatch):
    monkeypatch.setattr("evals.peers.aider.SECONDS", 1)
    with Aider(environment(("aider-chat==0.0",), AIDER), (1_000,)).open(repository) as ask:
        assert ask("slow").failure == "took more than 1 seconds"
        assert ask("quick").views[1_000].text


def test_a_map_that_is_certain_to_be_too_long_is_not_drawn():
    class Map:
        max_map_tokens = 10

        def get_ranked_tags(self, *_):
            return []

        def get_rel_fname(self, path):
            return path

        def render_tree(self, *_):
            return ""

        def to_tree(self, tags, chat):
            assert len(tags) < 4
            return "short"

    made = Map()
    recorder = aider_worker.Recorder(made, len)
    assert made.to_tree([("a.py", "", line) for line in range(3)], set()) == "short"
    assert len(made.to_tree([("a.py", "", line) for line in range(4)], set())) > 11
    assert list(recorder.shown) == ["short"]


def test_semble_gives_its_chunks_and_the_functions_in_them(environment, checkout):
    made = environment(("semble==0.0",), SEMBLE)
    with Semble(made).open(checkout) as ask:
        answer = ask("zebra")
        assert ask(" ").passages == ()
    assert [(chunk.start, chunk.end, chunk.text) for chunk in answer.passages] == [(1, 8, "zebra")]
    assert [piece.name for piece in answer.functions] == ["Stream.close", "Stream.open"]
    assert Semble(made).version() == "semble 0.0"
    assert "l2_supercat" in (made.work / "semble-model" / "model").read_text()


def test_workers_stand_alone():
    """They run in environments where nothing of this project is installed."""
    for name in ("aider_worker.py", "semble_worker.py"):
        source = Path(aider_worker.__file__).with_name(name).read_text()
        imported = {match[1] for match in re.finditer(r"^(?:from|import) (\w+)", source, re.MULTILINE)}
        assert imported <= {*sys.stdlib_module_names}
