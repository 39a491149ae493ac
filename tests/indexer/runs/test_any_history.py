"""Whatever is done to a tree between two runs, the second run ends in the catalog made from nothing."""

import itertools
import os
import shutil

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

PATHS = (
    *("a.py", "b.py", "pkg/c.js", "pkg/d.go", "pkg", "docs/e.md", "tool", "data.txt"),
    *("knowledge/rules/r.md", "knowledge/rules/s.md", "knowledge/reports/t.md"),
)
CONTENTS = (
    b"",
    b"def one():\n    return 1\n",
    b"def two():\n    return 2\n",
    b"class C:\n    def m(self):\n        pass\n    def m(self):\n        pass\n",
    b"function three() {}\n",
    b"package p\n\nfunc Four() {}\n",
    b"# Title\n\nText.\n\n## Part\n\nMore text.\n",
    b"#!/usr/bin/env python3\ndef five():\n    pass\n",
    b"password = 'AKIAIOSFODNN7EXAMPLE'\n",
    b"---\nid: one\nstatement: Do this.\n---\nWhy.\n",
    b"---\nid: two\nstatement: Do that.\n---\nWhy.\n",
    b"---\nid: [no]\n---\n",
    b"\0binary",
    b"x = 1\n" * 400,
)
TABLES = (
    {},
    {"index": {"exclude": ["pkg/"]}},
    {"index": {"max_file_bytes": 1024}},
    {"taxonomy": {"component": {"ones": ["one", "title"]}}},
)
path = st.sampled_from(PATHS)
step = st.one_of(
    st.tuples(st.just("write"), path, st.sampled_from(CONTENTS)),
    st.tuples(st.just("write"), path, st.sampled_from(CONTENTS)),
    st.tuples(st.just("delete"), path),
    st.tuples(st.just("move"), path, path),
    st.tuples(st.just("link"), path, path),
    st.tuples(st.just("set"), st.sampled_from(TABLES)),
    st.tuples(st.just("commit"), st.sampled_from([(), ("--amend",)])),
    st.tuples(
        st.just("git"),
        st.sampled_from(
            [
                ("checkout", "--force", "main"),
                ("checkout", "--force", "-B", "side"),
                ("checkout", "--force", "side"),
                ("checkout", "--", "."),
                ("add", "--all"),
                ("rm", "--cached", "-r", "--quiet", "pkg"),
                ("stash", "--include-untracked"),
                ("stash", "pop"),
                ("reset", "--hard", "HEAD~1"),
                ("merge", "-X", "ours", "side"),
                ("rebase", "-X", "ours", "side"),
                ("pack-refs", "--all"),
            ]
        ),
    ),
)
between_runs = st.lists(step, min_size=1, max_size=4)


class Doing:
    """Does steps in a repository; one that cannot be done is passed over."""

    def __init__(self, repo):
        self.repo = repo

    def __call__(self, name, *arguments):
        getattr(self, name)(*arguments)

    def write(self, path, content):
        self.delete(path)
        for parent in reversed((self.repo.root / path).relative_to(self.repo.root).parents):
            if str(parent) != ".":
                self._make_folder(self.repo.root / parent)
        self.repo.write(path, content)

    def _make_folder(self, folder):
        if folder.is_symlink() or folder.is_file():
            folder.unlink()

    def delete(self, path):
        target = self.repo.root / path
        if target.is_symlink() or target.is_file():
            target.unlink()
        elif target.is_dir():
            shutil.rmtree(target)

    def move(self, old, new):
        source, target = self.repo.root / old, self.repo.root / new
        if source != target and source.is_file() and not target.is_dir() and target.parent.is_dir():
            source.rename(target)

    def link(self, old, new):
        target = self.repo.root / new
        if target.parent.is_dir() and not os.path.lexists(target):
            target.symlink_to(old)

    def set(self, table):
        self.repo.set(**table)

    def commit(self, arguments):
        self.repo.commit("change", *arguments, check=False)

    def git(self, arguments):
        self.repo.git(*arguments, check=False)
        if arguments[0] in ("merge", "rebase"):
            self.repo.git(arguments[0], "--abort", check=False)


@pytest.mark.slow
@settings(
    max_examples=12,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(script=st.lists(between_runs, min_size=1, max_size=5))
def test_incremental_index_equals_a_rebuild(make_repo, tmp_path, script):
    number = next(_numbers)
    repo = make_repo(tmp_path / str(number))
    repo.commit(**{"a.py": CONTENTS[1], "pkg/c.js": CONTENTS[4], "knowledge/rules/r.md": CONTENTS[9]})
    repo.index()
    do = Doing(repo)
    for steps in script:
        for one in steps:
            do(*one)
        repo.index_and_compare()
    again = repo.dump()
    assert repo.index().changed == 0
    assert repo.dump() == again


_numbers = itertools.count()
