"""The commits that the index has are those of HEAD's first parents, whatever was done since the last run."""

import pytest

ONE, TWO = "def one():\n    return 1\n", "def two():\n    return 2\n"


@pytest.fixture
def started(repo):
    repo.commit("Open the archive", **{"a.py": ONE})
    repo.commit("Close the archive", **{"a.py": ONE.replace("1", "11")})
    repo.index_and_compare()
    return repo


def test_a_new_commit_is_added(started):
    started.commit("Compress the archive", **{"b.py": TWO})
    report = started.index_and_compare()
    assert started.past("compress") == [("Compress the archive", ["two"], ("b.py",))]
    assert report.history == {"commits": 3, "searched": 3}


def test_rewritten_history_leaves_nothing_of_what_it_replaced(started):
    started.commit("Forgotten wording", "--amend", **{"a.py": ONE.replace("1", "12"), "lost.py": TWO})
    started.index_and_compare()
    (started.root / "lost.py").unlink()
    started.commit("Better wording", "--amend", **{"a.py": ONE.replace("1", "13")})
    started.index_and_compare()
    assert started.subjects("archive forgotten better") == ["Better wording", "Open the archive"]
    assert not any("lost.py" in row for row in started.dump())


def test_only_head_and_its_ancestors_are_known(started, make_repo, tmp_path):
    started.git("checkout", "--quiet", "-b", "side")
    started.commit("Secret plans", **{"b.py": TWO})
    started.git("checkout", "--quiet", "main")
    started.index_and_compare()
    assert started.subjects("secret plans") == []
    started.git("worktree", "add", "--quiet", str(tmp_path / "linked"), "side")
    linked = make_repo(tmp_path / "linked", git=False)
    linked.index()
    assert linked.subjects("secret plans") == ["Secret plans"]
    assert started.subjects("secret plans") == []


def test_head_that_goes_back_and_forth(started):
    for number in range(4):
        started.commit(f"Step {'abcd'[number] * 3}", **{"a.py": ONE.replace("1", str(number + 100))})
    started.index_and_compare()
    for place in ("HEAD~3", "main~1", "main~5", "main"):
        started.git("checkout", "--quiet", place)
        started.index_and_compare()
    assert started.subjects("archive bbb") == ["Step bbb", "Close the archive", "Open the archive"]


def test_a_merge_stands_for_the_pull_request(started):
    started.git("checkout", "--quiet", "-b", "side")
    started.commit("Begin with encryption", **{"b.py": TWO})
    started.commit("Finish ciphers", **{"c.py": TWO.replace("two", "three")})
    started.git("checkout", "--quiet", "main")
    message = "Merge pull request #7 from ada/side\n\nKeep the archive private"
    started.git("merge", "--quiet", "--no-ff", "side", "-m", message)
    started.index_and_compare()
    (found,) = started.past("encryption")
    assert found == ("Keep the archive private", ["two", "three"], ("b.py", "c.py"))
    assert started.subjects("ciphers") == started.subjects("private") == ["Keep the archive private"]
    assert started.subjects("ada pull request merge") == []


def test_a_merge_that_says_nothing_is_known_by_what_it_merged(started):
    started.git("checkout", "--quiet", "-b", "side")
    started.commit("Begin with encryption", **{"b.py": TWO})
    started.git("checkout", "--quiet", "main")
    started.commit("Meanwhile", **{"d.py": TWO})
    started.git("merge", "--quiet", "--no-ff", "side", "-m", "Merge branch 'side'")
    started.index_and_compare()
    assert started.past("encryption") == [("Begin with encryption", ["two"], ("b.py",))]


def test_what_two_merges_bring_is_told_of_the_one_that_brought_it(started):
    started.git("checkout", "--quiet", "-b", "side")
    started.commit("Early work", **{"b.py": TWO})
    started.git("checkout", "--quiet", "main")
    started.git("merge", "--quiet", "--no-ff", "side", "-m", "Merge branch 'side'")
    started.index_and_compare()
    started.git("checkout", "--quiet", "side")
    started.commit("Late work", **{"c.py": TWO.replace("two", "three")})
    started.git("checkout", "--quiet", "main")
    started.git("merge", "--quiet", "--no-ff", "side", "-m", "Merge branch 'side'")
    started.index_and_compare()
    assert started.past("early") == [("Early work", ["two"], ("b.py",))]
    assert started.past("late") == [("Late work", ["three"], ("c.py",))]


def test_a_shallow_clone_ends_where_it_was_cut(started, make_repo, tmp_path):
    started.commit("Compress the archive", **{"b.py": TWO})
    started.git("clone", "--quiet", "--depth=2", f"file://{started.root}", str(tmp_path / "shallow"))
    shallow = make_repo(tmp_path / "shallow", git=False)
    shallow.index_and_compare()
    assert shallow.subjects("archive") == ["Compress the archive"]
    shallow.git("fetch", "--quiet", "--unshallow", "origin")
    shallow.index_and_compare()
    assert len(shallow.subjects("archive")) == 3
    shallow.git("fetch", "--quiet", "--depth=2", "origin", "main")
    shallow.index_and_compare()


def test_a_partial_clone_has_no_history_and_downloads_none(started, make_repo, tmp_path):
    started.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "partial"
    started.git("clone", "--quiet", "--filter=blob:none", f"file://{started.root}", str(clone))
    started.root.rename(tmp_path / "gone")
    partial = make_repo(clone, git=False)
    report = partial.index()
    assert report.history == {"commits": 0, "searched": 0}
    with partial.reader() as reader:
        assert "partial clone" in reader.meta()["past.note"]
    assert partial.index().changed == 0


def test_without_commits_and_without_git_there_is_none(make_repo, tmp_path):
    for number, git in enumerate((True, False)):
        repo = make_repo(tmp_path / str(number), git=git)
        repo.write("a.py", ONE)
        repo.index_and_compare()
        assert repo.past("one") == []
        assert repo.index().history == {"commits": 0, "searched": 0}


def test_the_window_moves_with_head(started):
    started.set(index={"history_commits": 3})
    started.index_and_compare()
    for number in range(4):
        started.commit(f"Step {'abcd'[number] * 3}", **{"a.py": ONE.replace("1", str(number + 100))})
        started.index_and_compare()
    assert started.subjects("archive step") == ["Step ddd", "Step ccc", "Step bbb"]
    started.git("reset", "--quiet", "--hard", "HEAD~2")
    started.index_and_compare()
    assert started.subjects("archive step") == ["Close the archive", "Step bbb", "Step aaa"]
    started.set(index={"history_commits": 0})
    started.index_and_compare()
    assert started.past("archive step") == []
    assert started.index().changed == 0


def test_nothing_is_written_when_nothing_has_changed(started):
    before = started.catalog.read_bytes()
    started.index()
    assert started.catalog.read_bytes() == before
