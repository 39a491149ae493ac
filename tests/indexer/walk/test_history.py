"""Who touched a file last, compared with what git says file by file."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexer.sources import history as module
from indexer.sources.git import Repository
from indexer.sources.history import Touch, commits, last_touched
from knowledge.errors import GitError


def git_says(repo, path):
    commit, _, time = repo.git("log", "-1", "--format=%H %ct", "HEAD", "--", path).partition(" ")
    return Touch(commit, int(time))


def test_each_file_has_the_last_commit_that_touched_it(repo):
    repository = Repository(repo.root)
    first = repo.commit(time=1_600_000_000, **{"a.py": "1\n", "b.py": "1\n", "dir/c.py": "1\n"})
    second = repo.commit(time=1_600_000_100, **{"b.py": "2\n"})
    repo.commit("empty")
    found = last_touched(repository, ["a.py", "b.py", "dir/c.py", "untracked.py"])
    assert found.touches == {
        "a.py": Touch(first, 1_600_000_000),
        "b.py": Touch(second, 1_600_000_100),
        "dir/c.py": Touch(first, 1_600_000_000),
    }
    assert not found.incremental


def test_a_renamed_file_has_the_commit_that_gave_it_its_name(repo):
    repo.commit(**{"old.py": "content\n" * 50})
    repo.git("mv", "old.py", "new.py")
    moved = repo.commit("move")
    assert last_touched(Repository(repo.root), ["new.py"]).touches["new.py"].commit == moved


def test_names_of_all_kinds_are_found(repo):
    names = ["a b.py", "new\nline.py", 'q"uote.py', "größe.py", "\x01" + "a" * 40, ":100644 100644.py"]
    commit = repo.commit(**dict.fromkeys(names, "1\n"))
    found = last_touched(Repository(repo.root), names).touches
    assert {path: touch.commit for path, touch in found.items()} == dict.fromkeys(names, commit)


def test_a_change_of_mode_is_a_touch(repo):
    repo.commit(**{"a.sh": "1\n"})
    repo.git("update-index", "--chmod=+x", "a.sh")
    (repo.root / "a.sh").chmod(0o755)
    changed = repo.commit("chmod")
    assert last_touched(Repository(repo.root), ["a.sh"]).touches["a.sh"].commit == changed


def test_merged_work_is_credited_to_its_own_commits_and_a_resolved_conflict_to_the_merge(repo):
    base = repo.commit(**{"a.py": "0\n", "b.py": "0\n", "c.py": "0\n"})
    repo.git("checkout", "--quiet", "-b", "side")
    side = repo.commit("side", **{"a.py": "side\n", "b.py": "side\n"})
    repo.git("checkout", "--quiet", "main")
    repo.commit("main", **{"b.py": "main\n"})
    repo.git("merge", "side", check=False)
    merge = repo.commit("merge", **{"b.py": "both\n"})
    found = last_touched(Repository(repo.root), ["a.py", "b.py", "c.py"]).touches
    assert {path: touch.commit for path, touch in found.items()} == {
        "a.py": side,
        "b.py": merge,
        "c.py": base,
    }


def test_a_side_branch_that_adds_again_what_is_there_takes_no_credit(repo):
    first = repo.commit(**{"a.py": "1\n"})
    repo.git("checkout", "--quiet", "--orphan", "side")
    repo.commit("again", **{"b.py": "2\n"})
    repo.git("checkout", "--quiet", "main")
    repo.git("merge", "--quiet", "--allow-unrelated-histories", "--no-edit", "side")
    assert last_touched(Repository(repo.root), ["a.py"]).touches["a.py"].commit == first


def test_a_subtree_that_only_the_merge_brought_here_is_credited_to_the_merge(repo, make_repo, tmp_path):
    repo.commit(**{"a.py": "1\n"})
    library = make_repo(tmp_path / "library")
    library.commit(**{"lib.py": "1\n"})
    repo.git("fetch", "--quiet", str(library.root), "main")
    repo.git("merge", "--quiet", "-s", "ours", "--no-commit", "--allow-unrelated-histories", "FETCH_HEAD")
    repo.git("read-tree", "--prefix=lib/", "-u", "FETCH_HEAD")
    merge = repo.commit("subtree")
    assert last_touched(Repository(repo.root), ["lib/lib.py"]).touches["lib/lib.py"].commit == merge


def test_no_commits_means_nothing_is_known(repo):
    repo.write("a.py")
    assert last_touched(Repository(repo.root), ["a.py"]).touches == {}
    assert list(commits(Repository(repo.root))) == []


def test_in_a_shallow_clone_only_what_follows_the_cut_is_known(repo, make_repo, tmp_path):
    repo.commit(**{"a.py": "1\n", "b.py": "1\n"})
    repo.commit(**{"b.py": "2\n"})
    last = repo.commit(**{"c.py": "1\n"})
    repo.git("clone", "--quiet", "--depth=2", f"file://{repo.root}", str(tmp_path / "shallow"))
    shallow = Repository(tmp_path / "shallow")
    found = last_touched(shallow, ["a.py", "b.py", "c.py"])
    assert {path: touch.commit for path, touch in found.touches.items()} == {"c.py": last}
    assert [commit.commit for commit in commits(shallow)] == [last]


def test_a_clone_without_trees_knows_nothing_and_fetches_nothing(repo, tmp_path):
    repo.commit(**{"a.py": "1\n"})
    repo.commit(**{"a.py": "2\n"})
    repo.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "treeless"
    repo.git("clone", "--quiet", "--filter=tree:0", f"file://{repo.root}", str(clone))
    repo.root.rename(tmp_path / "unreachable")
    assert last_touched(Repository(clone), ["a.py"]).touches == {}


def test_what_nobody_touched_for_too_many_commits_is_unknown(repo, monkeypatch):
    monkeypatch.setattr(module, "MAX_COMMITS", 2)
    repo.commit(**{"a.py": "1\n"})
    for number in range(2):
        last = repo.commit(**{"b.py": f"{number}\n"})
    found = last_touched(Repository(repo.root), ["a.py", "b.py"]).touches
    assert {path: touch.commit for path, touch in found.items()} == {"b.py": last}


def test_a_log_that_breaks_off_is_an_error_and_no_short_history(repo):
    first = repo.commit(**{"a.py": "1\n"})
    repo.commit(**{"b.py": "1\n"})
    (repo.root / ".git" / "objects" / first[:2] / first[2:]).unlink()
    with pytest.raises(GitError):
        last_touched(Repository(repo.root), ["a.py"])


def test_since_walks_only_what_follows(repo):
    repository = Repository(repo.root)
    first = repo.commit(**{"a.py": "1\n", "b.py": "1\n"})
    second = repo.commit(**{"b.py": "2\n"})
    found = last_touched(repository, ["a.py", "b.py"], since=first)
    assert found.incremental
    assert {path: touch.commit for path, touch in found.touches.items()} == {"b.py": second}
    assert last_touched(repository, ["a.py", "b.py"], since=second) == module.History({}, incremental=True)


@pytest.mark.parametrize("since", ["0" * 40, "not-a-commit"])
def test_since_an_unknown_commit_walks_all(repo, since):
    commit = repo.commit(**{"a.py": "1\n"})
    found = last_touched(Repository(repo.root), ["a.py"], since=since)
    assert not found.incremental
    assert found.touches["a.py"].commit == commit


def test_since_a_commit_of_another_branch_walks_all(repo):
    base = repo.commit(**{"a.py": "1\n"})
    elsewhere = repo.commit(**{"a.py": "2\n"})
    repo.git("checkout", "--quiet", "-b", "side", base)
    repo.commit(**{"b.py": "1\n"})
    found = last_touched(Repository(repo.root), ["a.py", "b.py"], since=elsewhere)
    assert not found.incremental
    assert found.touches["a.py"].commit == base


def test_commits_come_newest_first_with_message_parents_and_paths(repo):
    first = repo.commit("Add größe\n\nWith a reason.", time=1_600_000_000, **{"a.py": "1\n", "b.py": "1\n"})
    second = repo.commit("Change b", time=1_600_000_100, **{"b.py": "2\n"})
    newest, oldest = commits(Repository(repo.root))
    assert (newest.commit, newest.parents, newest.paths) == (second, (first,), ("b.py",))
    assert (oldest.message, oldest.time, oldest.paths) == (
        "Add größe\n\nWith a reason.",
        1_600_000_000,
        ("a.py", "b.py"),
    )
    assert [commit.commit for commit in commits(Repository(repo.root), since=first)] == [second]
    assert [commit.commit for commit in commits(Repository(repo.root), limit=1)] == [second]


def test_the_users_configuration_does_not_change_what_is_read(repo):
    commit = repo.commit(**{"a/größe.py": "1\n"})
    for key, value in {
        "log.showRoot": "false",
        "log.showSignature": "true",
        "log.follow": "true",
        "log.diffMerges": "off",
        "color.ui": "always",
        "core.quotePath": "true",
        "core.abbrev": "4",
        "diff.renames": "copies",
        "format.pretty": "oneline",
        "i18n.logOutputEncoding": "latin-1",
    }.items():
        repo.git("config", key, value)
    assert last_touched(Repository(repo.root), ["a/größe.py"]).touches["a/größe.py"].commit == commit


# A commit: how far back its parent is and those it merges are, what it writes, its time's offset.
_COMMITS = st.lists(
    st.tuples(
        st.integers(1, 3),
        st.lists(st.integers(1, 6), max_size=1),
        st.dictionaries(st.sampled_from(["a", "b", "c/d"]), st.sampled_from(["0", "1", "2", ""]), max_size=2),
        st.integers(-200, 200),
    ),
    min_size=1,
    max_size=14,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(log=_COMMITS, data=st.data())
def test_any_history_gives_what_git_says_at_once_and_step_by_step(make_repo, tmp_path_factory, log, data):
    repo = make_repo(tmp_path_factory.mktemp("dag"))
    repo.git("fast-import", "--quiet", "--force", stdin=_fast_import(log))
    paths = repo.git("ls-tree", "-r", "--name-only", "main").splitlines()
    truth = {path: git_says(repo, path) for path in paths}
    repository = Repository(repo.root)
    assert last_touched(repository, paths).touches == truth

    since = data.draw(st.sampled_from(repo.git("rev-list", "main").splitlines()))
    head = repo.git("rev-parse", "main")
    repo.git("update-ref", "refs/heads/main", since)
    before = last_touched(repository, paths).touches
    repo.git("update-ref", "refs/heads/main", head)
    after = last_touched(repository, paths, since=since)
    assert (before | after.touches if after.incremental else after.touches) == truth


def _fast_import(log):
    """A stream for git fast-import; a merge starts from its first parent's files, whatever it merges has."""
    lines = []
    for number, (back, merged, files, offset) in enumerate(log, 1):
        stamp = 1_600_000_000 + 60 * number + offset
        lines += ["commit refs/heads/main", f"mark :{number}", f"committer A <a@b.c> {stamp} +0000", "data 0"]
        if number > back:
            lines.append(f"from :{number - back}")
            lines += [f"merge :{number - far}" for far in merged if number > far and far != back]
        elif number > 1:
            lines.append("from :1")
        for path, content in files.items():
            lines += (
                [f"M 100644 inline {path}", f"data {len(content)}", content] if content else [f"D {path}"]
            )
        lines.append("")
    return "\n".join(lines).encode()
