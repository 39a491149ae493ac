"""Repositories whose past is asked for."""

import pytest
from indexed_repository import Repo

from knowledge.terms import terms


class PastRepo(Repo):
    """A repository that is asked for its past, as its index has it."""

    def past(self, text, limit=20):
        """Past commits like a text: subject, names of the functions touched, paths."""
        with self.reader() as reader:
            found = reader.past(terms(text), limit)
            evidence = reader.evidence({row for one in found for row in one.touched})
            return [(one.subject, [evidence[row].name for row in one.touched], one.paths) for one in found]

    def touched(self, text):
        """The functions that the commit touched which is most like a text, sorted."""
        ((_, names, _), *_) = self.past(text)
        return sorted(names)

    def subjects(self, text):
        """What the commits say that are like a text."""
        return [subject for subject, _, _ in self.past(text)]


def functions(**bodies):
    """A module with functions of these bodies, one statement to a line."""
    lines = ['"""A module."""', ""]
    for name, body in bodies.items():
        lines += ["", f"def {name}():", *(f"    {statement}" for statement in body), ""]
    return "\n".join(lines)


@pytest.fixture
def repo(tmp_path):
    return PastRepo(tmp_path / "repo")


@pytest.fixture(scope="session")
def make_repo():
    return PastRepo


@pytest.fixture(scope="session")
def module():
    """Makes the text of a module."""
    return functions
