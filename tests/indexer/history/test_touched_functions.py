"""Which functions of today a past commit touched, wherever their lines have gone since."""

import pytest

A = ("a = 1", "b = 2", "return a + b")
B = ("c = 3", "d = 4", "return c * d")
LONG = tuple(f"step({number})" for number in range(30))


@pytest.fixture
def started(repo, module):
    """A repository with the functions `alpha` and `beta`."""
    repo.commit("Add the first ones", **{"m.py": module(alpha=A, beta=B)})
    return repo


def test_lines_that_moved_since_are_followed(started, module):
    started.commit("Double the product", **{"m.py": module(alpha=A, beta=(*B[:2], "return 2 * c * d"))})
    started.commit(
        "Put much above", **{"m.py": module(first=LONG, alpha=A, beta=(*B[:2], "return 2 * c * d"))}
    )
    started.index_and_compare()
    assert started.touched("double product") == ["beta"]
    assert started.touched("much above") == ["first"]
    assert started.touched("first ones") == ["alpha", "beta"]


def test_a_function_written_anew_keeps_its_past(started, module):
    started.commit("Correct the sum", **{"m.py": module(alpha=("a = 10", *A[1:]), beta=B)})
    started.commit("Rewrite", **{"m.py": module(alpha=("total = sum(range(9))", "return total"), beta=B)})
    started.index_and_compare()
    assert started.touched("correct sum") == ["alpha"]


def test_a_renamed_function_keeps_its_past(started, module):
    started.commit("Correct the sum", **{"m.py": module(alpha=("a = 10", *A[1:]), beta=B)})
    started.commit("Call it otherwise", **{"m.py": module(gamma=("a = 10", *A[1:]), beta=B)})
    started.index_and_compare()
    assert started.touched("correct sum") == ["gamma"]


def test_lines_that_were_only_deleted_count_for_the_function_around_them(started, module):
    started.commit("Drop what is not needed", **{"m.py": module(alpha=A, beta=(B[0], B[2]))})
    started.index_and_compare()
    assert started.touched("drop needed") == ["beta"]


def test_what_is_gone_is_not_told(started, module):
    started.commit("Correct the sum", **{"m.py": module(alpha=("a = 10", *A[1:]), beta=B)})
    started.commit("Shrink", **{"m.py": module(beta=B)})
    started.index_and_compare()
    assert started.past("correct sum")[0] == ("Correct the sum", [], ("m.py",))
    (started.root / "m.py").unlink()
    started.commit("Remove", **{"other.py": module(alpha=LONG)})
    started.index_and_compare()
    assert started.past("correct sum")[0] == ("Correct the sum", [], ())


def test_of_nested_functions_the_inner_one_is_touched(started, module):
    nested = ("def inner():", "    return 5", "return inner")
    started.commit("Nest", **{"m.py": module(alpha=nested, beta=B)})
    started.commit("Return six", **{"m.py": module(alpha=(nested[0], "    return 6", nested[2]), beta=B)})
    started.index_and_compare()
    assert started.touched("return six") == ["alpha.inner"]


def test_a_renamed_file_keeps_its_past(started, module):
    started.commit("Correct the sum", **{"m.py": module(alpha=("a = 10", *A[1:]), beta=B)})
    started.git("mv", "m.py", "moved.py")
    started.index_and_compare()
    assert started.past("correct sum")[0] == ("Correct the sum", ["alpha"], ("moved.py",))
    started.commit("Move it")
    started.write("m.py", module(delta=LONG))
    started.commit("Put another there")
    started.index_and_compare()
    assert started.past("correct sum")[0] == ("Correct the sum", ["alpha"], ("moved.py",))
    assert started.past("put another")[0] == ("Put another there", ["delta"], ("m.py",))
    assert sorted(started.past("move")[0][2]) == ["moved.py"]


def test_a_file_made_anew_has_not_the_past_of_the_one_before(started, module):
    (started.root / "m.py").unlink()
    started.commit("Remove")
    started.write("m.py", module(alpha=A, beta=B))
    started.index_and_compare()
    assert started.past("first ones")[0] == ("Add the first ones", [], ())
    started.commit("Bring it back")
    started.index_and_compare()
    assert started.past("first ones")[0] == ("Add the first ones", [], ())
    assert started.touched("bring back") == ["alpha", "beta"]


def test_what_is_not_committed_moves_lines_and_touches_nothing(started, module):
    started.commit("Double the product", **{"m.py": module(alpha=A, beta=(*B[:2], "return 2 * c * d"))})
    started.index_and_compare()
    started.write("m.py", module(first=LONG, alpha=A, beta=(*B[:2], "return 2 * c * d")))
    started.index_and_compare()
    assert started.touched("double product") == ["beta"]
    started.git("add", "--all")
    started.index_and_compare()
    started.git("checkout", "--quiet", "HEAD", "--", "m.py")
    started.index_and_compare()
    assert started.touched("double product") == ["beta"]


def test_a_file_that_git_no_longer_tracks_has_no_past(started):
    started.index_and_compare()
    started.git("rm", "--cached", "--quiet", "m.py")
    started.index_and_compare()
    assert started.past("first ones")[0] == ("Add the first ones", [], ())


def test_what_a_commit_did_does_not_depend_on_what_todays_tree_says_of_its_files(started, module):
    started.commit("Correct the sum", **{"m.py": module(alpha=("a = 10", *A[1:]), beta=B)})
    started.index()
    started.commit("Hide", **{".gitattributes": "*.py -diff\n"})
    started.index_and_compare()
    assert started.touched("correct sum") == ["alpha"]


@pytest.mark.parametrize(
    "name", ["größe.py", "with space.py", 'quo"te.py', "back\\slash.py", "--- a.py", "tab\t.py"]
)
def test_a_file_of_any_name_is_followed(repo, module, name):
    repo.commit("Add the first ones", **{name: module(alpha=A, beta=B), "other.py": module(other=LONG)})
    repo.commit("Double the product", **{name: module(alpha=A, beta=(*B[:2], "return 2 * c * d"))})
    repo.index_and_compare()
    assert repo.past("double product")[0] == ("Double the product", ["beta"], (name,))


def test_content_that_looks_like_a_patch_is_content(repo):
    disguised = "--- a/m.py\n+++ b/m.py\n@@ -1 +1,9 @@\ndiff --git a/m.py b/m.py\n\x01{}\0\0\0\0\0"
    text = 'def alpha():\n    """{}"""\n\n\ndef beta():\n    return 1\n'
    # A removed "-- x" and an added "++ y" read, with their marks, like the names at the top of a patch.
    repo.commit("Begin", **{"m.py": text.format("-- a/n.py\nx"), "n.py": "def n():\n    return 1\n"})
    repo.commit("Disguise", **{"m.py": text.format("++ b/n.py\nx\n" + disguised.replace("\0", ""))})
    repo.commit("Afterwards", **{"n.py": "def n():\n    return 2\n"})
    repo.index_and_compare()
    assert repo.past("disguise")[0] == ("Disguise", ["alpha"], ("m.py",))
    assert repo.touched("afterwards") == ["n"]
