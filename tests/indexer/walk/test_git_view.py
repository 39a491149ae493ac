"""The files of a view as git sees them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import git  # noqa: F401 (imported here, where the machine's git is found for sure)
import pytest

from indexer.sources.git import Repository
from indexer.sources.history import last_touched
from indexer.sources.walk import SkipReason, walk
from knowledge.errors import GitError, ProjectError
from knowledge.project import ensure_state, locate
from knowledge.settings import IndexSettings


def paths(project, **settings):
    return [file.path for file in walk(project, IndexSettings(**settings)).files]


def skips(project, **settings):
    return {skip.path: skip.reason for skip in walk(project, IndexSettings(**settings)).skipped}


def test_tracked_and_untracked_files_are_seen_and_ignored_ones_are_not(repo):
    repo.commit(**{"src/a.py": "1\n", ".gitignore": "*.log\nbuild/\n"})
    repo.write("src/new.py")
    repo.write("debug.log")
    repo.write("build/out.py")
    assert paths(locate(repo.root)) == [".gitignore", "src/a.py", "src/new.py"]
    assert skips(locate(repo.root)) == {}


def test_a_tracked_file_that_is_ignored_is_seen(repo):
    repo.commit(**{"kept.log": "x\n", ".gitignore": "*.log\n"})
    assert "kept.log" in paths(locate(repo.root))


def test_a_sub_folder_as_working_directory_gives_the_whole_view(repo, monkeypatch):
    repo.commit(**{"a.py": "1\n", "deep/er/b.py": "2\n"})
    repo.write("c.py")
    monkeypatch.chdir(repo.root / "deep" / "er")
    assert paths(locate(Path())) == ["a.py", "c.py", "deep/er/b.py"]


def test_files_come_sorted_with_what_a_stat_tells(repo):
    repo.commit(**{"b.py": "12345\n", "a.py": "1\n", "B.py": "1\n", "a/z.py": "1\n"})
    files = walk(locate(repo.root), IndexSettings()).files
    assert [file.path for file in files] == ["B.py", "a.py", "a/z.py", "b.py"]
    stat = (repo.root / "b.py").stat()
    last = files[-1]
    assert (last.size, last.mtime_ns, last.inode) == (6, stat.st_mtime_ns, stat.st_ino)
    assert last.absolute == str(repo.root / "b.py")


def test_a_repository_without_commits_has_its_untracked_files(repo):
    repo.write("a.py")
    assert paths(locate(repo.root)) == ["a.py"]
    assert Repository(repo.root).head() is None


def test_head_is_the_commit_that_is_checked_out_and_its_committer_time(repo):
    commit = repo.commit(time=1_650_000_000, **{"a.py": "1\n"})
    head = Repository(repo.root).head()
    assert (head.commit, head.time) == (commit, 1_650_000_000)


def test_the_state_folder_is_never_walked_even_if_tracked(repo):
    ensure_state(locate(repo.root))
    repo.write(".knowledge/receipts/r.md")
    repo.commit(**{"a.py": "1\n"})
    assert "knowledge/receipts/r.md" in repo.git("ls-files")
    assert paths(locate(repo.root)) == ["a.py"]


def test_names_with_spaces_quotes_newlines_and_letters_of_all_scripts_work(repo):
    names = [
        "a b.py",
        'q"uote.py',
        "it's.py",
        "new\nline.py",
        "tab\t.py",
        "größe.py",
        "数据.py",
        "back\\slash.py",
    ]
    tracked, fresh = names[:4], names[4:]
    repo.commit(**dict.fromkeys(tracked, "1\n"))
    for name in fresh:
        repo.write(name)
    assert paths(locate(repo.root)) == sorted(names)


def test_a_name_that_is_no_utf8_is_skipped_and_named_readably(repo):
    repo.commit(**{"a.py": "1\n"})
    Path(os.fsdecode(os.fsencode(repo.root) + b"/caf\xe9.py")).write_text("1\n")
    assert paths(locate(repo.root)) == ["a.py"]
    assert skips(locate(repo.root)) == {"caf\\xe9.py": SkipReason.ENCODING}


def test_symbolic_links_are_counted_and_never_followed(repo, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.py").write_text("1\n")
    repo.write("a.py")
    (repo.root / "loop").symlink_to(repo.root)
    (repo.root / "out").symlink_to(outside)
    (repo.root / "link.py").symlink_to("a.py")
    repo.commit()
    (repo.root / "fresh").symlink_to(outside)
    project = locate(repo.root)
    assert paths(project) == ["a.py"]
    assert skips(project) == dict.fromkeys(["fresh", "link.py", "loop", "out"], SkipReason.SYMLINK)


def test_a_tracked_folder_replaced_by_a_link_to_outside_is_not_followed(repo, tmp_path):
    repo.commit(**{"src/deep/a.py": "1\n", "b.py": "1\n"})
    outside = tmp_path / "outside"
    shutil.move(repo.root / "src", outside)
    (repo.root / "src").symlink_to(outside)
    assert paths(locate(repo.root)) == ["b.py"]
    assert skips(locate(repo.root)) == {"src": SkipReason.SYMLINK}


def test_submodules_and_nested_repositories_are_counted_and_not_entered(repo, make_repo, tmp_path):
    library = make_repo(tmp_path / "library")
    library.commit(**{"lib.py": "1\n"})
    repo.commit(**{"a.py": "1\n"})
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library.root), "lib")
    make_repo(repo.root / "nested").commit(**{"n.py": "1\n"})
    project = locate(repo.root)
    assert paths(project) == [".gitmodules", "a.py"]
    assert skips(project) == {"lib": SkipReason.SUBMODULE, "nested": SkipReason.NESTED_REPOSITORY}
    assert paths(locate(repo.root / "lib")) == ["lib.py"]


def test_sparse_checkout_entries_that_are_absent_are_absent(repo):
    repo.commit(**{"in/a.py": "1\n", "out/b.py": "1\n"})
    repo.git("sparse-checkout", "set", "in")
    assert paths(locate(repo.root)) == ["in/a.py"]


def test_a_file_deleted_from_disk_is_dropped_without_a_word(repo):
    repo.commit(**{"a.py": "1\n", "b.py": "1\n", "c/d.py": "1\n"})
    (repo.root / "b.py").unlink()
    shutil.rmtree(repo.root / "c")
    assert paths(locate(repo.root)) == ["a.py"]
    assert skips(locate(repo.root)) == {}


def test_a_file_in_conflict_is_seen_once(repo):
    base = repo.commit(**{"a.py": "1\n"})
    repo.commit(**{"a.py": "2\n"})
    repo.git("checkout", "--quiet", "-b", "side", base)
    repo.commit(**{"a.py": "3\n"})
    repo.git("merge", "main", check=False)
    assert paths(locate(repo.root)) == ["a.py"]


def test_a_linked_worktree_has_its_own_files(repo, tmp_path):
    repo.commit(**{"a.py": "1\n"})
    repo.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    (tmp_path / "side" / "b.py").write_text("1\n")
    assert paths(locate(tmp_path / "side")) == ["a.py", "b.py"]
    assert paths(locate(repo.root)) == ["a.py"]


def test_dependencies_environments_and_caches_are_left_out_unless_tracked(repo):
    repo.commit(**{"web/node_modules/kept/index.js": "1\n", "a.py": "1\n"})
    repo.write("node_modules/dropped/index.js")
    repo.write("__pycache__/a.cpython-311.pyc")
    repo.write("my-env/pyvenv.cfg")
    repo.write("my-env/lib/site.py")
    assert paths(locate(repo.root)) == ["a.py", "web/node_modules/kept/index.js"]


def test_a_larger_file_is_counted_and_the_limit_itself_is_allowed(repo):
    repo.write("fits.py", b"#" * 2048)
    repo.write("large.py", b"#" * 2049)
    project = locate(repo.root)
    assert paths(project, max_file_bytes=2048) == ["fits.py"]
    assert skips(project, max_file_bytes=2048) == {"large.py": SkipReason.TOO_LARGE}


def test_a_pipe_in_the_place_of_a_file_is_counted_and_does_not_block(repo):
    repo.commit(**{"a.py": "1\n"})
    (repo.root / "a.py").unlink()
    os.mkfifo(repo.root / "a.py")
    assert skips(locate(repo.root)) == {"a.py": SkipReason.UNREADABLE}


@pytest.mark.parametrize("name", ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"])
def test_a_hooks_environment_does_not_lead_to_another_repository(
    repo, make_repo, tmp_path, monkeypatch, name
):
    commit = repo.commit(**{"a.py": "1\n"})
    other = make_repo(tmp_path / "other")
    other.commit(**{"wrong.py": "1\n"})
    targets = {"GIT_WORK_TREE": "", "GIT_INDEX_FILE": ".git/index", "GIT_OBJECT_DIRECTORY": ".git/objects"}
    monkeypatch.setenv(name, str(other.root / targets.get(name, ".git")))
    assert paths(locate(repo.root)) == ["a.py"]
    assert Repository(repo.root).head().commit == commit


def test_gits_index_is_never_written(repo):
    repo.commit(**{"a.py": "1\n"})
    os.utime(repo.root / "a.py", (1, 1))  # stale: git status would refresh the index
    index = repo.root / ".git" / "index"
    before = (index.read_bytes(), index.stat().st_mtime_ns)
    walk(locate(repo.root), IndexSettings())
    assert (index.read_bytes(), index.stat().st_mtime_ns) == before


def test_the_repositorys_configuration_starts_no_program(repo, tmp_path):
    repo.commit(**{"a.py": "1\n"})
    script = tmp_path / "spy"
    script.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    script.chmod(0o755)
    repo.git("config", "core.fsmonitor", str(script))
    walk(locate(repo.root), IndexSettings())
    assert not (tmp_path / "ran").exists()


def test_a_damaged_index_is_an_error_and_no_empty_view(repo):
    repo.commit(**{"a.py": "1\n"})
    (repo.root / ".git" / "index").write_bytes(b"garbage")
    with pytest.raises(GitError, match="git refused"):
        walk(locate(repo.root), IndexSettings())


def test_a_damaged_repository_does_not_answer_for_the_one_above(repo):
    repo.commit(**{"a.py": "1\n"})
    repo.write("inner/.git/HEAD", "garbage")
    repo.write("inner/b.py")
    with pytest.raises(GitError, match="not a git repository"):
        walk(locate(repo.root / "inner"), IndexSettings())


def test_a_head_that_cannot_be_read_is_an_error_and_not_no_commits(repo):
    repo.commit(**{"a.py": "1\n"})
    commit = repo.git("rev-parse", "HEAD")
    (repo.root / ".git" / "objects" / commit[:2] / commit[2:]).unlink()
    with pytest.raises(GitError):
        Repository(repo.root).head()


def test_dubious_ownership_says_how_to_trust_the_folder(repo, monkeypatch):
    repo.commit(**{"a.py": "1\n"})
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(GitError) as caught:
        walk(locate(repo.root), IndexSettings())
    assert f"git config --global --add safe.directory {repo.root}" in caught.value.remedy


def test_a_missing_git_is_an_error_that_says_so(repo, monkeypatch, tmp_path):
    repo.commit(**{"a.py": "1\n"})
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError, match="git cannot be run"):
        walk(locate(repo.root), IndexSettings())


def test_a_git_that_was_never_there_is_the_same_error(repo, tmp_path):
    code = (
        "import sys; from pathlib import Path\n"
        "from indexer.sources.git import Repository; from knowledge.errors import GitError\n"
        "try: Repository(Path(sys.argv[1])).head()\n"
        "except GitError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(repo.root)],
        env={"PATH": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("git cannot be run. Install git")


def test_an_unreadable_root_is_an_error_and_no_empty_view(repo, unprivileged):
    repo.commit(**{"a.py": "1\n"})
    project = locate(repo.root)

    def attempt():
        repo.root.chmod(0o300)
        try:
            walk(project, IndexSettings())
        except ProjectError as error:
            return str(error)
        finally:
            repo.root.chmod(0o700)

    assert "cannot be read" in unprivileged(attempt, owns=[repo.root])


def test_an_unreadable_folder_is_counted_and_costs_only_itself(repo, unprivileged):
    repo.commit(**{"a.py": "1\n", "tracked/b.py": "1\n"})
    repo.write("fresh/c.py")
    project = locate(repo.root)

    def attempt():
        for name in ("tracked", "fresh"):
            (repo.root / name).chmod(0o000)
        try:
            return paths(project), skips(project)
        finally:
            for name in ("tracked", "fresh"):
                (repo.root / name).chmod(0o700)

    seen, skipped = unprivileged(attempt, owns=[repo.root])
    assert seen == ["a.py"]
    assert skipped["fresh"] == SkipReason.UNREADABLE
    assert skipped["tracked/b.py"] == SkipReason.UNREADABLE


def test_files_named_like_revisions_confuse_nothing(repo):
    commit = repo.commit(HEAD="1\n", main="1\n")
    assert Repository(repo.root).head().commit == commit
    assert paths(locate(repo.root)) == ["HEAD", "main"]
    touches = last_touched(Repository(repo.root), ["HEAD", "main"], since=commit)
    assert touches.incremental
    assert last_touched(Repository(repo.root), ["HEAD"]).touches["HEAD"].commit == commit
