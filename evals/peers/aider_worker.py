"""Aider's repo map, asked in aider's own environment: a line of JSON in, a line of JSON out.

    python -P aider_worker.py ESTIMATOR SECONDS

Run by `evals.peers.aider` as a script: of this project it has nothing but the file of its token estimator. A
request is ``{"root", "text", "budgets"}``, an answer ``{"answer": {"views": …}}`` with the map at each budget
and the lines that it shows, or ``{"error": …}``.

The map is what aider itself would put into its prompt for this message in a chat without files: the files
and identifiers that the message mentions are found by aider's own code (`Coder`). Three things are ours, of
which none changes which tags come first: tokens are counted by this project's estimator, all of them and not
a sample; the ranking is made once for all budgets; a tree whose lines are too many for the budget whatever
they say is not rendered to learn that it is too long.
"""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

# Aider takes any map within 15 % of what it is allowed. Of these allowances, each a part of the budget, the
# one is taken whose map is the longest that fits.
ALLOWANCES = (1.15, 1.08, 1.0, 0.93, 0.87, 0.8, 0.7, 0.6, 0.5)
FULL = 0.95  # of the budget: no longer map is looked for
MARGIN = 1.15  # times the allowance: what aider still takes
TOKENS_OF_LINE = 3  # at least: the bar before it, something in it, and its end

_UNHINTED: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())

Estimate = Callable[[str], int]


class Tracked:
    """The files of a repository, as aider's own view of it lists them: those that git tracks."""

    def __init__(self, root: str) -> None:
        command = ["git", "-C", root, "ls-files", "-z"]
        listed = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
        self._files = [os.fsdecode(name) for name in listed.split(b"\0") if name]

    def get_tracked_files(self) -> list[str]:
        """Paths relative to the root."""
        return self._files


class Recorder:
    """Stands between a map's own steps, and remembers the lines that each map shows.

    Attributes:
        shown: files and lines, counted from 1, by the text of a map.
    """

    def __init__(self, repo_map: Any, estimate: Estimate) -> None:
        self.shown: dict[str, list[tuple[str, list[int]]]] = {}
        self._map = repo_map
        self._rendered: dict[tuple[str, tuple[int, ...]], tuple[str, list[int]]] = {}
        self._rendering: list[tuple[str, list[int]]] = []
        self._ranked: dict[tuple[frozenset[str], frozenset[str]], list[Any]] = {}
        self._own = {name: getattr(repo_map, name) for name in ("get_ranked_tags", "to_tree", "render_tree")}
        for name in self._own:
            setattr(repo_map, name, getattr(self, name))
        repo_map.token_count = estimate
        repo_map.get_rel_fname = cache(repo_map.get_rel_fname)

    def forget(self) -> None:
        """Let go of what the maps of one task showed, but not of the ranking that no task has a part in."""
        self.shown.clear()
        self._rendered.clear()
        self._ranked = {key: ranked for key, ranked in self._ranked.items() if key == _UNHINTED}

    def get_ranked_tags(
        self, chat: object, other: object, files: Iterable[str], names: Iterable[str], progress: object = None
    ) -> list[Any]:
        """The same ranking for all budgets of one task."""
        key = (frozenset(files), frozenset(names))
        if key not in self._ranked:
            self._ranked[key] = self._own["get_ranked_tags"](chat, other, files, names, progress)
        return self._ranked[key]

    def to_tree(self, tags: Sequence[Any], chat_files: object) -> str:
        """Render, unless it is certain to be too long."""
        distinct = {(tag[0], tag[2] if len(tag) > 1 else -1) for tag in tags}
        if len(distinct) * TOKENS_OF_LINE > MARGIN * self._map.max_map_tokens:
            return "---\n" * len(distinct)
        self._rendering = []
        text: str = self._own["to_tree"](tags, chat_files)
        self.shown[text] = self._rendering
        return text

    def render_tree(self, path: str, file: str, lines_of_interest: Sequence[int]) -> str:
        """Render one file, and keep which of its lines are shown."""
        key = (file, tuple(sorted(lines_of_interest)))
        if key not in self._rendered:
            text = self._own["render_tree"](path, file, lines_of_interest)
            shown = self._map.tree_context_cache[file]["context"].show_lines
            self._rendered[key] = (text, sorted(line + 1 for line in shown))
        text, lines = self._rendered[key]
        self._rendering.append((file, lines))
        return text


class Chat:
    """A chat without files in a repository, with nothing in it but what the map needs."""

    def __init__(self, root: str, estimate: Estimate) -> None:
        repo_map = import_module("aider.repomap").RepoMap
        coder_class = import_module("aider.coders.base_coder").Coder
        io = import_module("aider.io").InputOutput(pretty=False, yes=True, fancy_input=False)
        with tempfile.TemporaryDirectory() as elsewhere:
            repo_map.TAGS_CACHE_DIR = elsewhere  # a checkout is not to be written into
            self._map = repo_map(root=root, io=io, refresh="always")
        self._map.TAGS_CACHE = {}
        self._estimate = estimate
        self._recorder = Recorder(self._map, estimate)
        self._coder = coder_class.__new__(coder_class)
        self._coder.io, self._coder.root, self._coder.repo = io, root, Tracked(root)
        self._coder.abs_fnames, self._coder.abs_read_only_fnames = set(), set()
        self._coder.abs_root_path_cache = {}
        self._files = set(self._coder.get_all_abs_files())
        # What aider does once for a repository stands outside the bound on time.
        for path in sorted(self._files):
            if Path(path).is_file():
                self._map.get_tags(path, self._map.get_rel_fname(path))

    def views(self, text: str, budgets: Sequence[int]) -> dict[int, dict[str, Any]]:
        """The map at each budget: its text, and file by file the lines that it shows."""
        self._recorder.forget()
        names = self._coder.get_ident_mentions(text)
        files = self._coder.get_file_mentions(text) | self._coder.get_ident_filename_matches(names)
        return {budget: self._view(budget, files, names) for budget in budgets}

    def _view(self, budget: int, files: set[str], names: set[str]) -> dict[str, Any]:
        best, most = "", 0
        for part in ALLOWANCES:
            self._map.max_map_tokens = int(budget * part)
            # As `Coder.get_repo_map`: when the map with hints comes out empty, the one without.
            found = self._map.get_repo_map(set(), self._files, files, names)
            found = found or self._map.get_repo_map(set(), self._files) or ""
            tokens = self._estimate(found)
            if most < tokens <= budget:
                best, most = found, tokens
            if most >= FULL * budget:
                break
        return {"text": best, "lines": self._recorder.shown.get(best, [])}


def answers(requests: Iterable[str], estimate: Estimate, seconds: int) -> Iterator[dict[str, Any]]:
    """One answer a request."""
    root, chat = None, None
    for line in requests:
        request = json.loads(line)
        if chat is None or request["root"] != root:
            root = request["root"]
            chat = Chat(root, estimate)
        signal.alarm(seconds)
        try:
            yield {"answer": {"views": chat.views(request["text"], request["budgets"])}}
        except TimeoutError:
            yield {"error": f"took more than {seconds} seconds"}
        finally:
            signal.alarm(0)


def _out_of_time(*_: object) -> None:
    raise TimeoutError


def _estimator(path: str) -> Estimate:
    spec = importlib.util.spec_from_file_location("estimator", path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    estimate: Estimate = module.estimate_tokens
    return estimate


def main(arguments: Sequence[str]) -> None:
    """Answer until there is no more to answer."""
    out, sys.stdout = sys.stdout, sys.stderr  # aider prints what it does
    signal.signal(signal.SIGALRM, _out_of_time)
    for answer in answers(sys.stdin, _estimator(arguments[0]), int(arguments[1])):
        out.write(json.dumps(answer) + "\n")
        out.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
