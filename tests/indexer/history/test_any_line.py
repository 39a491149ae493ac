"""Whatever becomes of HEAD between two runs, the past that is then known is the one found from nothing."""

import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

FILES = ("a.py", "b.py", "tests/test_c.py", "d.txt")
WORDS = ("archive", "order", "stream", "pool")
file = st.sampled_from(FILES)
step = st.one_of(
    st.tuples(st.just("edit"), file, st.integers(0, 9), st.integers(1, 5)),
    st.tuples(st.just("edit"), file, st.integers(0, 9), st.integers(1, 5)),
    st.tuples(st.just("commit"), st.sampled_from(WORDS), st.sampled_from([(), (), ("--amend",)])),
    st.tuples(st.just("commit"), st.sampled_from(WORDS), st.just(())),
    st.tuples(st.just("git"), st.just(("mv", "-f", "a.py", "moved.py"))),
    st.tuples(st.just("git"), st.just(("mv", "-f", "moved.py", "b.py"))),
    st.tuples(st.just("git"), st.just(("rm", "-f", "--quiet", "b.py"))),
    st.tuples(st.just("git"), st.just(("checkout", "--force", "-B", "side"))),
    st.tuples(st.just("git"), st.just(("checkout", "--force", "main"))),
    st.tuples(
        st.just("git"), st.just(("merge", "--no-ff", "-X", "ours", "-m", "Merge branch 'side'", "side"))
    ),
    st.tuples(
        st.just("git"), st.sampled_from([("reset", "--hard", "HEAD~1"), ("reset", "--soft", "HEAD~2")])
    ),
    st.tuples(st.just("index")),
)
_numbers = itertools.count()


def do(repo, name, *arguments):
    """One step; what cannot be done is passed over."""
    if name == "index":
        repo.index_and_compare()
    elif name == "commit":
        repo.commit(f"Change the {arguments[0]} again", *arguments[1], check=False)
    elif name == "git":
        repo.git(*arguments[0], check=False)
        repo.git("merge", "--abort", check=False)
    else:
        path, function, line = arguments
        target = repo.root / path
        text = target.read_text() if target.is_file() else "\n".join(map(block, range(10)))
        lines = text.split("\n")
        lines.insert(min(len(lines), 6 * function + line), f"    value = {next(_numbers)}")
        repo.write(path, "\n".join(lines))


def block(number):
    return f"def f{number}():\n    one = {number}\n    two = {number}\n    return one\n\n"


@pytest.mark.slow
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(script=st.lists(step, min_size=4, max_size=25), limit=st.sampled_from([2, 5, 100]))
def test_any_history_is_known_as_if_from_nothing(make_repo, tmp_path, script, limit):
    repo = make_repo(tmp_path / str(next(_numbers)))
    repo.set(index={"history_commits": limit})
    repo.commit("Begin", **{path: "\n".join(map(block, range(10))) for path in FILES})
    repo.index()
    for one in script:
        do(repo, *one)
    repo.index_and_compare()
