"""An incremental run ends in the catalog that a full one would make, whatever happened in between."""

import os
import shutil

import pytest

PLAIN = "def plain():\n    return 1\n"
OTHER = "class Other:\n    def method(self):\n        return plain()\n"
RULE = "---\nid: {id}\nstatement: Close {id} in a finally block.\n---\nWhy.\n"


@pytest.fixture
def indexed(repo):
    """A repository with some history, indexed."""
    repo.commit(**{"a.py": PLAIN, "pkg/b.py": OTHER, "docs/x.md": "# Install\n\nText of it.\n"})
    repo.commit(**{"pkg/c.js": "export function third() { return 3 }\n"})
    repo.commit(**{"knowledge/rules/r.md": RULE.format(id="one")})
    repo.index_and_compare()
    return repo


def test_indexing_twice_gives_the_same_catalog_and_fingerprint(indexed):
    first, before = indexed.index(), indexed.dump()
    second = indexed.index()
    assert indexed.dump() == before
    assert second.fingerprint == first.fingerprint
    assert (second.changed, second.removed, second.unchanged) == (0, 0, 5)


def test_full_run_gives_the_same_catalog(indexed):
    before = indexed.dump()
    report = indexed.index(full=True)
    assert report.changed == 5
    assert indexed.dump() == before


def test_edited_file_is_parsed_alone(indexed):
    indexed.write("a.py", PLAIN.replace("plain", "renamed"))
    report = indexed.index_and_compare()
    assert report.changed == 1
    assert "renamed" in indexed.names()
    assert "plain" not in indexed.names()


def test_renamed_file_leaves_no_ghost(indexed):
    indexed.git("mv", "a.py", "z.py")
    report = indexed.index_and_compare()
    assert (report.changed, report.removed) == (1, 1)


def test_deleted_file_leaves_no_ghost(indexed):
    (indexed.root / "pkg/b.py").unlink()
    assert indexed.index_and_compare().removed == 1
    assert not [name for name in indexed.names() if "Other" in name]


def test_restored_file_gets_its_last_commit_back(indexed):
    (indexed.root / "a.py").unlink()
    indexed.index_and_compare()
    indexed.git("checkout", "a.py")
    indexed.index_and_compare()


def test_file_restored_after_other_commits_gets_its_last_commit_back(indexed):
    (indexed.root / "a.py").unlink()
    indexed.index_and_compare()
    indexed.write("pkg/b.py", PLAIN)
    indexed.git("commit", "--quiet", "--message=b", "pkg/b.py")
    indexed.git("checkout", "a.py")
    indexed.index_and_compare()


def test_added_file_has_no_commit_until_it_is_committed(indexed):
    indexed.write("new.py", PLAIN)
    indexed.index_and_compare()
    commit = indexed.commit()
    report = indexed.index_and_compare()
    assert report.changed == 0
    with indexed.reader() as reader:
        assert reader.files(["new.py"])["new.py"].last_commit == commit


def test_untracked_file_with_the_name_of_a_deleted_one_has_no_commit(indexed):
    indexed.git("rm", "--quiet", "a.py")
    indexed.commit()
    indexed.write("a.py", PLAIN)
    indexed.index_and_compare()
    with indexed.reader() as reader:
        assert reader.files(["a.py"])["a.py"].last_commit == ""


def test_branch_switch_and_back(indexed):
    main = indexed.dump()
    indexed.git("checkout", "--quiet", "-b", "side", "HEAD~2")
    indexed.commit(**{"a.py": OTHER, "side.py": PLAIN})
    indexed.index_and_compare()
    indexed.git("checkout", "--quiet", "main")
    indexed.index_and_compare()
    assert indexed.dump() == main


def test_stash_and_pop(indexed):
    indexed.write("a.py", OTHER)
    indexed.write("new.py", PLAIN)
    indexed.index_and_compare()
    edited = indexed.dump()
    indexed.git("stash", "--quiet", "--include-untracked")
    indexed.index_and_compare()
    indexed.git("stash", "pop", "--quiet")
    indexed.index_and_compare()
    assert indexed.dump() == edited


def test_amended_commit_changes_dates_and_parses_nothing(indexed):
    indexed.commit("change", "--amend")
    assert indexed.index_and_compare().changed == 0


def test_rebased_branch_changes_dates_and_parses_what_it_brings(indexed):
    indexed.git("checkout", "--quiet", "-b", "side", "HEAD~1")
    indexed.commit(**{"side.py": PLAIN})
    indexed.index_and_compare()
    indexed.git("rebase", "--quiet", "main")
    assert indexed.index_and_compare().changed == 1


def test_merge(indexed):
    indexed.git("checkout", "--quiet", "-b", "side", "HEAD~1")
    indexed.commit(**{"side.py": PLAIN, "a.py": OTHER})
    indexed.git("checkout", "--quiet", "main")
    indexed.commit(**{"pkg/b.py": PLAIN})
    indexed.index_and_compare()
    indexed.git("merge", "--quiet", "--no-edit", "side")
    indexed.index_and_compare()


def test_head_without_a_commit_takes_dates_away(indexed):
    indexed.git("checkout", "--quiet", "--orphan", "empty")
    indexed.index_and_compare()
    with indexed.reader() as reader:
        assert reader.files(["a.py"])["a.py"].last_commit == ""


def test_deepened_clone_gets_the_dates_that_were_cut_off(indexed, make_repo, tmp_path):
    clone = make_repo(tmp_path / "clone")
    clone.git("remote", "add", "origin", indexed.root.as_uri())
    clone.git("fetch", "--quiet", "--depth=1", "origin", "main")
    clone.git("checkout", "--quiet", "main")
    clone.index_and_compare()
    clone.git("fetch", "--quiet", "--unshallow", "origin")
    clone.index_and_compare()
    with clone.reader() as reader:
        assert reader.files(["a.py"])["a.py"].last_commit


def test_file_becomes_a_folder_and_back(indexed):
    (indexed.root / "a.py").unlink()
    indexed.write("a.py/inner.py", OTHER)
    indexed.index_and_compare()
    shutil.rmtree(indexed.root / "a.py")
    indexed.write("a.py", PLAIN)
    indexed.index_and_compare()


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"\0\1\2 binary", "binary"), (b"x = 1\n" * 400, "too-large"), (b"\xff\xfe\x00\xd8x", "encoding")],
)
def test_file_that_can_no_longer_be_indexed_leaves_no_ghost(indexed, content, reason):
    indexed.set(index={"max_file_bytes": 2048})
    indexed.index_and_compare()
    indexed.write("a.py", content)
    report = indexed.index_and_compare()
    assert report.skipped == {reason: 1}
    assert "plain" not in indexed.names()
    assert indexed.index_and_compare().skipped == {reason: 1}
    indexed.git("checkout", "a.py")
    indexed.index_and_compare()
    assert "plain" in indexed.names()


def test_file_replaced_by_a_link(indexed):
    (indexed.root / "a.py").unlink()
    (indexed.root / "a.py").symlink_to("pkg/b.py")
    assert indexed.index_and_compare().skipped == {"symlink": 1}


@pytest.mark.parametrize(
    "table",
    [
        {"index": {"exclude": ["pkg/**"]}},
        {"index": {"include": ["*.py"]}},
        {"index": {"tests": ["a.py"]}},
        {"knowledge_folder": "docs"},
        {"taxonomy": {"component": {"plains": ["plain"]}}},
    ],
)
def test_changed_settings_rebuild(indexed, table):
    default = indexed.dump()
    indexed.set(**table)
    indexed.index_and_compare()
    assert indexed.dump() != default
    indexed.set()
    indexed.index_and_compare()
    assert indexed.dump() == default


def test_settings_that_do_not_matter_to_the_index_parse_nothing(indexed):
    indexed.set(brief={"budget": 100})
    assert indexed.index_and_compare().changed == 0


def test_files_of_one_size_and_time_that_trade_places_are_noticed(indexed):
    for path, name in (("one.py", "aa"), ("two.py", "bb")):
        os.utime(indexed.write(path, f"def {name}():\n    pass\n"), (1, 1))
    indexed.index_and_compare()
    one, two, third = (indexed.root / name for name in ("one.py", "two.py", "third"))
    one.rename(third)
    two.rename(one)
    third.rename(two)
    assert indexed.index_and_compare().changed == 2


def test_empty_file_of_the_epoch_in_place_of_a_skipped_one_is_indexed(indexed):
    path = indexed.root / "empty.py"
    path.symlink_to("a.py")
    indexed.index_and_compare()
    path.unlink()
    os.utime(indexed.write("empty.py", ""), (0, 0))
    indexed.index_and_compare()


def test_script_without_suffix_is_known_by_its_first_line(indexed):
    indexed.write("tool", "#!/usr/bin/env python3\ndef from_tool():\n    pass\n")
    indexed.write("LICENSE", "Do as you like.\n")
    report = indexed.index_and_compare()
    assert report.skipped == {"unsupported": 1}
    assert "from_tool" in indexed.names()
    indexed.write("tool", "just text\n")
    assert indexed.index_and_compare().skipped == {"unsupported": 2}
    assert "from_tool" not in indexed.names()


def test_folder_without_git(folder):
    folder.write("a.py", PLAIN)
    folder.write("docs/x.md", "# Title\n\nText.\n")
    folder.index_and_compare()
    (folder.root / "a.py").rename(folder.root / "b.py")
    folder.index_and_compare()


def test_folder_that_becomes_a_repository(folder, make_repo):
    folder.write("a.py", PLAIN)
    folder.index_and_compare()
    repo = make_repo(folder.root)
    repo.commit()
    repo.rebuilds = 10
    assert repo.index_and_compare().changed == 0


def test_linked_worktree_has_a_catalog_of_its_own(indexed, make_repo, tmp_path):
    main = indexed.dump()
    indexed.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    side = make_repo(tmp_path / "side", git=False)
    side.write("side.py", OTHER)
    side.index_and_compare()
    assert side.catalog != indexed.catalog
    assert indexed.dump() == main


def test_namesakes_in_one_file_have_ids_of_their_own(indexed):
    indexed.write("n.js", "class C { f() {} f() {} 'f~2'() {} f() {} }\n")
    indexed.index_and_compare()
    with indexed.reader() as reader:
        ids = [row[0] for row in reader.dump() if str(row[0]).startswith("symbol:n.js::C.")]
    assert len(ids) == len(set(ids)) == 4
