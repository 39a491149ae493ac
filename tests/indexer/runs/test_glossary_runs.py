"""The glossary in the knowledge folder, through whole runs."""

import pytest

from knowledge.types import Status

BOUNCER = "# The bouncer\nTurns requests away.\n- Also: doorman\n- Code: `RateLimiter`, src/limits/\n"


def glossary(repo):
    with repo.reader() as reader:
        return [(entry.term, entry.names, entry.path, entry.start) for entry in reader.glossary()]


def test_entries_come_from_the_files_of_the_folder_in_order(repo):
    repo.write("knowledge/glossary/b.md", "---\nstatus: superseded\n---\n" + BOUNCER)
    repo.write("knowledge/glossary/deeper/a.md", "# A\n## SSE\n- Code: EventStream\n## WS\n- Code: Socket\n")
    repo.write("knowledge/glossary/README.md", "# How to write entries\n")
    repo.write("docs/glossary/c.md", "# C\n- Code: X\n")
    assert not repo.index_and_compare().problems
    assert glossary(repo) == [
        ("The bouncer", ("RateLimiter",), "knowledge/glossary/b.md", 4),
        ("SSE", ("EventStream",), "knowledge/glossary/deeper/a.md", 2),
        ("WS", ("Socket",), "knowledge/glossary/deeper/a.md", 4),
    ]
    with repo.reader() as reader:
        entry = reader.glossary()[0]
    assert (entry.aliases, entry.paths, entry.meaning) == (
        ("doorman",),
        ("src/limits/",),
        "Turns requests away.",
    )
    assert entry.status is Status.SUPERSEDED
    assert "SSE" in " ".join(repo.names())  # it stays a document that can be found


def test_knowledge_folder_is_a_setting(repo):
    repo.set(knowledge_folder="docs/team")
    repo.write("docs/team/glossary/a.md", BOUNCER)
    repo.write("knowledge/glossary/b.md", "# SSE\n- Code: EventStream\n")
    repo.index_and_compare()
    assert [row[0] for row in glossary(repo)] == ["The bouncer"]


def test_edited_entry_says_the_new_and_a_deleted_one_nothing(repo):
    path = repo.write("knowledge/glossary/a.md", BOUNCER)
    repo.write("knowledge/glossary/b.md", "# SSE\n- Code: EventStream\n")
    repo.index()
    repo.write("knowledge/glossary/a.md", BOUNCER.replace("RateLimiter", "Limiter"))
    repo.index_and_compare()
    assert [row[1] for row in glossary(repo)] == [("Limiter",), ("EventStream",)]
    path.unlink()
    repo.index_and_compare()
    assert [row[0] for row in glossary(repo)] == ["SSE"]


def test_malformed_entry_costs_itself_and_is_reported_with_its_line(repo):
    repo.write("src/a.py")
    repo.write(
        "knowledge/glossary/a.md",
        f"{BOUNCER}# SSE\n- Cod: X\n# WS\n- Code: the socket\n# Line\n- Code: Queue\n",
    )
    report = repo.index_and_compare()
    assert [row[0] for row in glossary(repo)] == ["The bouncer", "Line"]
    assert report.skipped == {}
    first, second = report.problems
    assert first.startswith("knowledge/glossary/a.md:6: unknown label 'cod'; allowed: Also, Code")
    assert second.startswith("knowledge/glossary/a.md:8: 'the socket' is neither a name nor a path")


@pytest.mark.parametrize("full", [False, True])
def test_entries_and_problems_come_from_the_cache_too(repo, tmp_path, full):
    repo.write("knowledge/glossary/a.md", f"{BOUNCER}# SSE\n- Cod: X\n")
    cache = tmp_path / "cache"
    first = repo.index(cache=cache)
    there = glossary(repo)
    repo.catalog.unlink()
    assert repo.index(cache=cache, full=full).problems == first.problems != ()
    assert glossary(repo) == there


def test_secrets_and_hidden_characters_do_not_come_in(repo):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    repo.write(
        "knowledge/glossary/a.md",
        f"# The\u202e bouncer\n{secret}\n- Code: `RateLimiter`\n- Words: {secret}\n",
    )
    repo.index_and_compare()
    with repo.reader() as reader:
        told = repr(list(reader.dump())) + repr(reader.glossary())
    assert secret not in told
    assert "\u202e" not in told
    assert "RateLimiter" in told


def test_glossary_of_a_worktree_is_its_own(repo):
    repo.write("knowledge/glossary/a.md", BOUNCER)
    repo.commit()
    repo.index()
    repo.git("worktree", "add", "--quiet", "../other")
    other = type(repo)(repo.root.parent / "other", git=False)
    other.write("knowledge/glossary/a.md", BOUNCER.replace("bouncer", "doorkeeper"))
    other.index()
    assert glossary(other)[0][0] == "The doorkeeper"
    assert glossary(repo)[0][0] == "The bouncer"
