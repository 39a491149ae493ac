"""Changes of everything, large patches, missing objects, and messages that hold what must not be kept."""

import pytest

from indexer.history import recording

ONE, TWO = "def one():\n    return 1\n", "def two():\n    return 2\n"
KEY = "AKIA" + "QYLPMN5HHHFPZAM2"


@pytest.fixture
def started(repo):
    repo.commit("Open the archive", **{"a.py": ONE})
    return repo


def test_a_change_of_everything_says_nothing_and_is_followed(started):
    everything = {f"many/f{number}.py": TWO for number in range(recording.MASS_FILES)}
    started.commit("Format everything", **{"a.py": f"\n\n\n{ONE}", **everything})
    started.commit("Close the archive", **{"a.py": f"\n\n\n{ONE}\n{TWO}"})
    started.index_and_compare()
    assert started.past("format everything") == []
    assert started.past("open") == [("Open the archive", ["one"], ("a.py",))]


def test_a_commit_that_touches_very_many_functions_tells_of_its_files_only(repo):
    repo.commit(
        "Generate", **{"a.py": "\n".join(f"def f{number}():\n    return 1\n" for number in range(31))}
    )
    repo.commit("Test", **{"tests/test_a.py": ONE})
    repo.index_and_compare()
    assert repo.past("generate") == [("Generate", [], ("a.py",))]


def test_only_so_many_bytes_of_patches_are_read(started, monkeypatch):
    started.commit("Grow the archive", **{"big.py": "\n".join(f"x{number} = 1" for number in range(500))})
    started.commit("Close the archive", **{"a.py": ONE.replace("1", "2")})
    started.index_and_compare()
    monkeypatch.setattr(recording, "MAX_BYTES", 2_000)
    started.index(full=True)
    assert started.subjects("archive") == ["Close the archive"]
    for number in range(15):
        started.commit(
            f"Step {'abcdefghijklmno'[number] * 3}", **{"a.py": ONE.replace("1", str(number + 100))}
        )
        started.index_and_compare()
    assert 5 < len(started.subjects("step")) < 15
    started.git("reset", "--quiet", "--hard", "HEAD~10")
    started.index_and_compare()
    assert len(started.subjects("archive step")) == 6


def test_a_commit_too_large_is_not_read_again_and_again(started, monkeypatch):
    started.commit("Grow", **{"big.py": "\n".join(f"x{number} = 1" for number in range(500))})
    monkeypatch.setattr(recording, "MAX_BYTES", 2_000)
    started.commit("Close the archive", **{"a.py": ONE.replace("1", "2")})
    started.index_and_compare()
    asked = []
    real = recording.patches
    monkeypatch.setattr(recording, "patches", lambda *given: asked.append(given[1]) or real(*given))
    last = started.commit("Open it again", **{"a.py": ONE})
    started.index()
    assert [found for found in asked if found] == [[last]]


def test_where_the_content_of_a_file_is_missing_the_files_are_told(started):
    started.commit("Damage", **{"b.py": TWO, "a.py": ONE.replace("1", "77")})
    blob = started.git("rev-parse", "HEAD:a.py")
    started.commit("Repair", **{"a.py": ONE})
    (started.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    started.index_and_compare()
    assert started.past("damage") == [("Damage", [], ("a.py", "b.py"))]
    assert started.past("open") == [("Open the archive", [], ("a.py",))]
    started.commit("Close the archive", **{"a.py": ONE.replace("1", "2")})
    started.index_and_compare()
    assert started.touched("close") == ["one"]


def test_where_what_the_worktree_changed_cannot_be_compared_the_files_are_indexed_all_the_same(started):
    started.commit("Close the archive", **{"b.py": TWO, "c.py": TWO})
    blob = started.git("rev-parse", "HEAD:b.py")
    started.write("c.py", f"\n\n{TWO}")
    (started.root / "b.py").unlink()
    (started.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    started.index_and_compare()
    assert started.past("open") == [("Open the archive", ["one"], ("a.py",))]


def test_a_message_is_kept_without_secrets_and_hidden_characters(started):
    message = f"Use the \u202egateway\u202c\n\nThe key is {KEY}, by the way."
    started.commit(message, **{"b.py": TWO})
    started.index_and_compare()
    assert started.subjects("gateway") == ["Use the gateway"]
    assert started.past(KEY) == []
    assert KEY.lower() not in repr(started.dump()).lower()
    assert KEY.encode() not in started.catalog.read_bytes()


def test_a_huge_message_is_read_up_to_a_bound(started):
    body = "\n".join(f"word{number} {'x' * 60}" for number in range(20_000))
    started.git("config", "commit.cleanup", "verbatim")
    started.write("b.py", TWO)
    started.git("add", "--all")
    started.git("commit", "--quiet", "--file=-", stdin=f"Say very much\n\nbegin\n{body}\nend".encode())
    started.commit("Go on", **{"a.py": ONE.replace("1", "2")})
    started.index_and_compare()
    assert started.subjects("say much") == started.subjects("begin") == ["Say very much"]
    assert started.touched("go") == ["one"]


@pytest.mark.parametrize("message", [b"Caf\xe9 \xff\xfe opens", b"\x01\x01 opens", b"opens\n\n\0 more"])
def test_a_message_of_any_bytes_is_read(started, message):
    started.write("b.py", TWO)
    started.git("add", "--all")
    tree = started.git("write-tree")
    header = f"tree {tree}\nparent {started.git('rev-parse', 'HEAD')}\nauthor A <a@b> 1 +0000\n"
    raw = header.encode() + b"committer A <a@b> 1 +0000\n\n" + message
    commit = started.git("hash-object", "-t", "commit", "-w", "--literally", "--stdin", stdin=raw)
    started.git("update-ref", "refs/heads/main", commit)
    started.commit("Close the archive", **{"a.py": ONE.replace("1", "2")})
    started.index_and_compare()
    assert started.past("opens")[0][1] == ["two"]
