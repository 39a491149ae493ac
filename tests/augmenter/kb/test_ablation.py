"""``kb evaluate --without``: what a channel is worth is what goes with it."""

import pytest
from git_repository import GitRepository

from indexer.build import build_index
from knowledge.clock import Clock
from knowledge.project import locate
from knowledge.settings import Settings

MESSAGE = "Swallows and storks migrate in late autumn"
CASES = [
    {
        "id": "by-words",
        "task": "Split a header into its parameters at semicolons",
        "relevant": ["parse_header"],
    },
    {"id": "by-name", "task": "It is about `invoice_total`", "relevant": ["invoice_total"]},
    {"id": "by-history", "task": MESSAGE, "relevant": ["rotate_image"]},
]


@pytest.fixture
def ablated(evaluate, project):
    """Figures by configuration, of cases that words, a name and a past commit answer."""
    path = project.root / "src/image.py"
    project.commit(MESSAGE, **{"src/image.py": path.read_text().replace("return value", "return value or 1")})
    build_index(locate(project.root), Settings(), Clock())
    project.write_cases(
        {**case, "relevant": [{"path": f"src/{name.split('_')[1]}.py", "name": name}]}
        for case in CASES
        for name in case["relevant"]
    )

    def ablated(*words):
        done = evaluate(*words)
        assert done.code == 0, done.err
        return {one["name"]: one for one in done.json["configurations"]}

    return ablated


def found(configuration):
    return configuration["figures"]["fn_any@5"]["value"]


def test_what_only_history_finds_goes_with_history(ablated):
    told = ablated("--profile", "rrf", "--without", "history")
    assert list(told) == ["rrf", "rrf without history"]
    assert found(told["rrf"]) == 1
    assert found(told["rrf without history"]) == pytest.approx(2 / 3)
    assert told["rrf without history"]["differences"]["fn_any@5"]["change"] == pytest.approx(-1 / 3)


def test_each_channel_is_switched_off_alone(ablated):
    names = ("exact", "lexical", "history", "members", "relations", "glossary", "dispatches")
    told = ablated("--profile", "rrf", *(word for name in names for word in ("--without", name)))
    assert list(told) == ["rrf", *(f"rrf without {name}" for name in names)]
    assert [name for name in names if found(told[f"rrf without {name}"]) < 1] == ["lexical", "history"]


def test_without_every_channel_of_a_project_that_has_no_history(kb, tmp_path):
    repository = GitRepository(tmp_path / "plain", git=False)
    repository.write("src/a.py", "def parse_header(value):\n    return value\n")
    build_index(locate(repository.root), Settings(), Clock())
    cases = tmp_path / "cases.jsonl"
    cases.write_text('{"id": "a", "task": "parse header", "relevant": [{"path": "src/a.py"}]}\n')
    done = kb("evaluate", "--root", repository.root, "--cases", cases, "--json", "--without", "history")
    assert done.code == 0
    assert [one["figures"]["recall@5"]["value"] for one in done.json["configurations"]] == [1, 1]
