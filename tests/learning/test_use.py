"""The detector of use: what a change took up of what was offered."""

from __future__ import annotations

import subprocess

import pytest

from knowledge.errors import GitError, LedgerError
from learning.diff import parse_diff
from learning.gitdiff import diff_between, resolve_commit
from learning.use import detect_use, stated_use


def change(*lines: str, path: str = "src/client.py", start: int = 100) -> str:
    """A diff of one hunk."""
    old = sum(line[0] != "+" for line in lines)
    new = sum(line[0] != "-" for line in lines)
    first = start if old else start - 1
    body = "".join(f"{line}\n" for line in lines)
    return f"--- a/{path}\n+++ b/{path}\n@@ -{first},{old} +{start},{new} @@\n{body}"


def found(item, *diffs: str, task: str = "Fix it", before=None):
    return [(u.how, u.where) for u in detect_use([item], parse_diff("".join(diffs)), task, before)]


def test_identifier_that_is_new_in_added_lines_is_use(make_item):
    item = make_item("retry_policy")
    assert found(item, change(" x = 1", "+retry_policy(x)")) == [("identifier", ("src/client.py:101",))]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("EventStream.reconnect", "+    stream.reconnect()"),
        ("EventStream::reconnect", "+    stream->reconnect();"),
        ("Outer.Inner.reconnect", "+reconnect"),
        ("größe", "+    größe = 1"),
        ("$watch", "+    scope.$watch(x)"),
        ("EventStream.__init__", "+    EventStream.__init__(self)"),
        ("EventStream.run", "+    EventStream::run(x)"),
        ("fs.cp", "+fs . cp(a, b)"),
    ],
)
def test_names_are_found_as_languages_write_them(make_item, name, line):
    assert [how for how, _ in found(make_item(name), change(line))] == ["identifier"]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("retry_policy", "+retry_policy_of(x)"),
        ("retry_policy", "+my_retry_policy(x)"),
        ("retry_policy", "+    pass"),
        ("EventStream.__init__", "+    def __init__(self):"),
        ("EventStream.run", "+    run()"),
        ("EventStream.run", "+    MyEventStream.run()"),
        ("EventStream.run", "+    EventStream.runner()"),
        ("main", "+main()"),
        ("cp", "+cp(a, b)"),
    ],
)
def test_parts_of_names_and_generic_names_are_no_use(make_item, name, line):
    assert found(make_item(name), change(line)) == []


@pytest.mark.parametrize("kind", ["section", "module", "document", "rule"])
def test_headings_and_paths_are_no_identifiers(make_item, kind):
    item = make_item("Installation", kind=kind, path="docs/a.md")
    assert found(item, change("+Installation")) == []


def test_name_that_the_task_gave_is_no_use(make_item):
    diff = change("+retry_policy(x)")
    assert found(make_item("retry_policy"), diff, task="Call `retry_policy` here") == []
    assert found(make_item("Net.run"), change("+Net.run(x)"), task="Use Net.run()") == []
    assert len(found(make_item("retry_policy"), diff, task="Set the retry_policy_name")) == 1


def test_name_that_was_there_before_is_no_use(make_item):
    item = make_item("retry_policy")
    assert found(item, change(" retry_policy(a)", "+retry_policy(b)")) == []
    assert found(item, change("-retry_policy(a)", "+retry_policy(b)")) == []
    assert found(item, change("+retry_policy(b)"), before={"src/client.py": "retry_policy(a)\n"}) == []
    assert len(found(item, change("+retry_policy(b)"), before={"src/other.py": "retry_policy(a)\n"})) == 1


def test_code_that_only_moved_to_another_file_is_no_use(make_item):
    moved = [change("-retry_policy(a)"), change("+retry_policy(a)", path="src/new.py")]
    assert found(make_item("retry_policy"), *moved) == []


def test_name_known_in_one_file_is_use_where_it_is_new(make_item):
    diffs = [change(" retry_policy(a)", "+x"), change("+retry_policy(a)", path="src/new.py")]
    assert found(make_item("retry_policy"), *diffs) == [("identifier", ("src/new.py:100",))]


def test_not_more_than_five_places_are_named(make_item):
    diff = change(*["+retry_policy(a)"] * 9)
    ((_, where),) = found(make_item("retry_policy"), diff)
    assert len(where) == 5


@pytest.mark.parametrize(
    ("start", "lines", "expected"),
    [
        (10, ["-x"], 10),  # first line
        (20, ["-x", "+y"], 20),  # last line
        (9, ["-x", "+y"], None),
        (21, ["-x", "+y"], None),
        (8, [" a", " b", " c", "+y", " d"], 10),  # after the first line
        (19, [" a", "+y", " b"], 19),  # before the last line
        (9, [" a", "+y", " b"], None),  # before the first line
        (20, [" a", "+y", " b"], None),  # after the last line
        (10, [" a", " b", " c"], None),  # context alone
    ],
)
def test_changed_lines_of_an_item_are_use(make_item, start, lines, expected):
    item = make_item("close_it")  # lines 10 to 20
    diff = change(*lines, path="src/stream.py", start=start)
    assert found(item, diff) == ([("location", (f"src/stream.py:{expected}",))] if expected else [])


def test_location_is_of_the_path_before_a_rename(make_item):
    diff = (
        "diff --git a/src/stream.py b/src/new.py\nrename from src/stream.py\nrename to src/new.py\n"
        "--- a/src/stream.py\n+++ b/src/new.py\n@@ -12 +12 @@\n-a\n+b\n"
    )
    assert found(make_item("close_it"), diff) == [("location", ("src/stream.py:12",))]
    assert found(make_item("close_it", path="src/new.py"), diff) == []


def test_section_that_was_edited_is_used(make_item):
    item = make_item("Retry", kind="section", path="docs/a.md")
    assert [how for how, _ in found(item, change("-x", "+y", path="docs/a.md", start=15))] == ["location"]


def test_edit_of_a_rule_is_no_use_of_it(make_item):
    item = make_item("Close streams", kind="rule", path="knowledge/rules/a.md")
    assert found(item, change("-x", "+y", path="knowledge/rules/a.md", start=15)) == []


def test_items_come_in_the_order_in_which_they_were_offered(make_item):
    items = [make_item(name, path="a.py") for name in ("zeta_fn", "alpha_fn")]
    used = detect_use(items, parse_diff(change("+alpha_fn(zeta_fn)")), "")
    assert [use.id for use in used] == [item.id for item in items]


def test_stated_use_takes_hashes_and_their_beginnings(make_item, make_dispatch):
    items = [make_item("a_name"), make_item("b_name"), make_item(kind="rule")]
    (receipt,) = make_dispatch(*items)
    hashes = [items[2].pattern_hash, items[0].pattern_hash.removeprefix("blake2b:")[:12]]
    used = stated_use(receipt, hashes)
    assert [(use.id, use.how) for use in used] == [(items[0].id, "stated"), (items[2].id, "stated")]


@pytest.mark.parametrize("text", ["", "blake2b:", "f" * 32, "nonsense"])
def test_stated_use_of_what_was_not_offered_is_an_error(make_item, make_dispatch, text):
    (receipt,) = make_dispatch(make_item("a_name"), make_item("b_name"))
    with pytest.raises(LedgerError, match="names none of the items"):
        stated_use(receipt, [text])


@pytest.fixture
def repository(tmp_path):
    """A repository whose second commit uses an identifier, and whose user has odd settings."""

    def git(*arguments):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *identity, *arguments], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q")
    git("config", "diff.noprefix", "true")
    git("config", "color.ui", "always")
    git("config", "diff.external", "false")
    (tmp_path / "a.py").write_text("".join(f"line{n}\n" for n in range(200)) + "retry_policy\n")
    (tmp_path / "ü b.py").write_text("x\n")
    git("add", ".")
    git("commit", "-qm", "one")
    (tmp_path / "a.py").write_text("retry_policy\n" + (tmp_path / "a.py").read_text())
    (tmp_path / "ü b.py").write_text("x\nretry_policy()\n")
    git("commit", "-qam", "two")
    return tmp_path


def test_git_shows_the_whole_of_changed_files(repository, make_item):
    diff = diff_between(repository, "HEAD~1", "HEAD")
    assert [file.new_path for file in diff.files] == ["a.py", "ü b.py"]
    used = detect_use([make_item("retry_policy")], diff, "")
    assert [use.where for use in used] == [("ü b.py:2",)]  # in a.py it was there, far from the change


def test_git_compares_with_the_work_tree(repository):
    (repository / "a.py").write_text("new\n")
    (repository / "sub").mkdir()
    diff = diff_between(repository / "sub", "HEAD")
    assert [file.new_path for file in diff.files] == ["a.py"]


def test_git_resolves_names_of_commits(repository):
    head = resolve_commit(repository, "HEAD")
    assert len(head) == 40
    assert resolve_commit(repository, head[:10]) == head
    assert resolve_commit(repository, "HEAD~1") != head


@pytest.mark.parametrize("name", ["no-such-branch", "--output=stolen", "-h", "", "HEAD:a.py"])
def test_git_refuses_what_is_no_commit(repository, name):
    with pytest.raises(GitError, match="git knows no commit"):
        diff_between(repository, "HEAD", name)
    with pytest.raises(GitError):
        diff_between(repository, name, "HEAD")
    assert not (repository / "stolen").exists()


def test_folder_without_git_is_an_error(tmp_path):
    with pytest.raises(GitError, match="no git repository"):
        diff_between(tmp_path, "HEAD")
    with pytest.raises(GitError):
        diff_between(tmp_path / "missing", "HEAD")
