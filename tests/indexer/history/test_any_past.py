"""Whatever is done to a file's functions: each commit is told with those that it changed, and no others."""

import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

NAMES = ("alpha", "beta", "gamma", "delta")
edit = st.tuples(
    st.sampled_from(NAMES),
    st.sampled_from(["insert", "delete", "replace"]),
    st.integers(1, 60),
    st.integers(1, 4),
)
commits = st.lists(st.tuples(st.lists(edit, max_size=3), st.permutations(NAMES)), min_size=1, max_size=6)
_numbers = itertools.count()


def changed(body, how, at, count, fresh):
    """A body with lines inserted, deleted or replaced; the first and last line stay."""
    at = 1 + at % (len(body) - 1)
    count = min(count, len(body) - 1 - at)
    new = [f"use({next(fresh)})" for _ in range(count or 1)]
    if how == "insert":
        return [*body[:at], *new, *body[at:]]
    if count < 1:
        return body
    return [*body[:at], *(new if how == "replace" else []), *body[at + count :]]


@pytest.mark.slow
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(script=commits)
def test_each_commit_touched_what_it_changed(make_repo, module, tmp_path, script):
    repo, fresh = make_repo(tmp_path / str(next(_numbers))), itertools.count()
    bodies = {name: [f"use({next(fresh)})" for _ in range(8)] for name in NAMES}
    repo.commit("origin", **{"m.py": module(**bodies)})
    expected = {}
    for number, (edits, _) in enumerate(script):
        before = {name: list(body) for name, body in bodies.items()}
        for name, how, at, count in edits:
            bodies[name] = changed(bodies[name], how, at, count, fresh)
        expected[f"step{'abcdefgh'[number]}"] = sorted(n for n in NAMES if bodies[n] != before[n])
        repo.commit(f"step{'abcdefgh'[number]}", **{"m.py": module(**bodies)})
        if number % 2:
            repo.index_and_compare()
    repo.write("m.py", module(new=[f"use({next(fresh)})" for _ in range(5)], **bodies))
    repo.index_and_compare()
    for step, names in expected.items():
        if names:
            assert repo.touched(step) == names
        else:
            assert repo.past(step) == []
