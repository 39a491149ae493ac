"""The files of a folder without git."""

import errno
import os
import subprocess

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from indexer.sources.folder import list_folder
from indexer.sources.walk import SkipReason, walk
from knowledge.errors import ProjectError
from knowledge.project import Project, locate
from knowledge.settings import IndexSettings


def write(folder, **files):
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content)


def paths(folder):
    project = Project(root=folder, view_root=folder)
    return [file.path for file in walk(project, IndexSettings()).files]


def test_ignore_files_hold_for_their_folder_and_below(tmp_path):
    write(
        tmp_path,
        **{
            ".gitignore": "*.log\n/build\n",
            "a.py": "",
            "x.log": "",
            "build/b.py": "",
            "src/build/c.py": "",
            "src/.gitignore": "gen/\n",
            "src/gen/d.py": "",
            "gen/e.py": "",
        },
    )
    assert paths(tmp_path) == [".gitignore", "a.py", "gen/e.py", "src/.gitignore", "src/build/c.py"]


def test_a_deeper_ignore_file_can_take_a_file_back(tmp_path):
    write(
        tmp_path, **{".gitignore": "*.log\n", "a/.gitignore": "!keep.log\n", "a/keep.log": "", "a/x.log": ""}
    )
    assert paths(tmp_path) == [".gitignore", "a/.gitignore", "a/keep.log"]


def test_nothing_can_be_taken_back_from_an_ignored_folder(tmp_path):
    write(tmp_path, **{".gitignore": "a/\n!a/keep.py\n", "a/keep.py": ""})
    assert paths(tmp_path) == [".gitignore"]


def test_a_line_that_is_no_pattern_costs_only_itself(tmp_path):
    write(tmp_path, **{".gitignore": "!\n*.log\n", "a.py": "", "x.log": ""})
    assert paths(tmp_path) == [".gitignore", "a.py"]


def test_state_dependencies_environments_and_caches_are_left_out(tmp_path):
    kept = {"a.py": "", "src/venvs.py": ""}
    clutter = (".knowledge", "node_modules", "venv", ".venv", "__pycache__", ".mypy_cache", "x/node_modules")
    write(tmp_path, **kept, **{f"{name}/b.py": "" for name in clutter})
    write(tmp_path, **{"my-env/pyvenv.cfg": "", "my-env/lib/c.py": ""})
    assert paths(tmp_path) == sorted(kept)


def test_links_that_loop_or_lead_outside_are_counted_and_not_followed(tmp_path):
    inside, outside = tmp_path / "in", tmp_path / "out"
    write(inside, **{"a/b.py": ""})
    write(outside, **{"c.py": ""})
    (inside / "a" / "up").symlink_to(inside)
    (inside / "out").symlink_to(outside)
    (inside / "self").symlink_to("self")
    found = walk(Project(root=inside, view_root=inside), IndexSettings())
    assert [file.path for file in found.files] == ["a/b.py"]
    assert {skip.path for skip in found.skipped} == {"a/up", "out", "self"}
    assert {skip.reason for skip in found.skipped} == {SkipReason.SYMLINK}


def test_a_very_deep_folder_is_walked(tmp_path):
    deep = "/".join(["d"] * 1200)
    folder = tmp_path
    descriptor = os.open(tmp_path, os.O_RDONLY)
    for _ in range(1200):
        os.mkdir("d", dir_fd=descriptor)
        inner = os.open("d", os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = inner
    os.close(os.open("a.py", os.O_CREAT | os.O_WRONLY, dir_fd=descriptor))
    os.close(descriptor)
    try:
        assert paths(folder) == [f"{deep}/a.py"]
    finally:
        subprocess.run(["rm", "-r", str(folder / "d")], check=True)  # too deep for pytest's own cleaning


def test_a_root_that_is_missing_is_an_error_and_no_empty_view(tmp_path):
    gone = tmp_path / "gone"
    with pytest.raises(ProjectError, match=os.strerror(errno.ENOENT)):
        walk(Project(root=gone, view_root=gone), IndexSettings())


def test_an_unreadable_root_is_an_error_and_an_unreadable_folder_is_counted(tmp_path, unprivileged):
    folder = tmp_path / "folder"
    write(folder, **{"a.py": "", "closed/b.py": ""})

    def attempt():
        (folder / "closed").chmod(0o000)
        found = walk(locate(folder), IndexSettings())
        folder.chmod(0o300)
        try:
            walk(locate(folder), IndexSettings())
        except ProjectError as error:
            return [file.path for file in found.files], [*found.skipped], str(error)
        finally:
            folder.chmod(0o700)
            (folder / "closed").chmod(0o700)

    files, skipped, error = unprivileged(attempt, owns=[folder])
    assert files == ["a.py"]
    assert [(skip.path, skip.reason) for skip in skipped] == [("closed", SkipReason.UNREADABLE)]
    assert "cannot be read" in error


_NAMES = st.sampled_from(["a", "b", "c.x", "d.y", "build"])
_TREES = st.lists(st.lists(_NAMES, min_size=1, max_size=3).map("/".join), min_size=1, max_size=8)
_PATTERNS = st.one_of(
    st.sampled_from(["a", "/a", "a/", "/a/", "b", "*.x", "/*.x", "!*.x", "!a", "!/a", "a/b", "!a/b", "a/*"]),
    st.sampled_from(
        ["**/b", "a/**", "a/**/b", "build/", "/*", "!/build", "*", "!*/", "?.y", "[ab]", "!a/c.x"]
    ),
    st.sampled_from(["# note", "", "c.x  "]),
)
_IGNORES = st.dictionaries(
    st.sampled_from(["", "a/", "b/", "a/b/"]), st.lists(_PATTERNS, max_size=4), max_size=3
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tree=_TREES, ignores=_IGNORES)
@example(tree=["a/a"], ignores={"": ["a/b", "!a"], "a/b/": []})
@example(tree=["a/b/c.x"], ignores={"": ["c.x", "!/a", "!a/b/"]})
@example(tree=["a/b/c.x"], ignores={"": ["c.x", "!**/b"]})
@example(tree=["a/a"], ignores={"": ["a", "!a"]})
@example(tree=["a/b/c.x", "b/c.x"], ignores={"": ["*", "!a/**", "!*/"]})
def test_ignore_files_mean_what_git_means_by_them(tmp_path_factory, tree, ignores):
    folder = tmp_path_factory.mktemp("tree")
    for path in (*tree, *(f"{prefix}.gitignore" for prefix in ignores)):
        _write_if_possible(folder / path, "\n".join(ignores.get(path.removesuffix(".gitignore"), [])))
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    done = subprocess.run(
        ["git", "-C", str(folder), "ls-files", "--others", "--exclude-standard", "-z"],
        capture_output=True,
        check=True,
    )
    assert sorted(list_folder(folder).paths) == sorted(done.stdout.decode().split("\0")[:-1])


def _write_if_possible(target, content):
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content)
    except OSError:
        return  # a file lies where a folder is wanted, or the other way round
