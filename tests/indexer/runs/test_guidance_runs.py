"""Rules, antipatterns and reports in the knowledge folder, through whole runs."""

import pytest

from knowledge.types import Authority, Kind

TEXT = "---\nid: {id}\nstatement: {statement}\nscope: [src/**]\nterms: [close]\nevidence: 2\n---\nWhy.\n"


def rule(name="one", statement="Close streams in a finally block."):
    return TEXT.format(id=name, statement=statement)


def guidance(repo):
    with repo.reader() as reader:
        return {evidence.id: guidance.statement for evidence, guidance in reader.guidance()}


def test_each_folder_gives_its_kind_of_guidance(repo):
    for folder in ("rules", "antipatterns", "reports"):
        repo.write(f"knowledge/{folder}/deeper/one.md", rule())
    repo.write("knowledge/rules/notes.txt", "no guidance")
    repo.write("knowledge/guide.md", "# An ordinary document\n")
    repo.index_and_compare()
    with repo.reader() as reader:
        found = {evidence.id: (evidence, guidance) for evidence, guidance in reader.guidance()}
    assert sorted(found) == ["antipattern:one", "report:one", "rule:one"]
    evidence, details = found["rule:one"]
    assert (evidence.kind, evidence.authority, evidence.path) == (
        Kind.RULE,
        Authority.POLICY,
        "knowledge/rules/deeper/one.md",
    )
    assert (details.scope, details.terms, details.evidence_count) == (("src/**",), ("close",), 2)


def test_knowledge_folder_is_a_setting(repo):
    repo.set(knowledge_folder="docs/team")
    repo.write("docs/team/rules/one.md", rule())
    repo.write("knowledge/rules/two.md", rule("two"))
    repo.index_and_compare()
    assert list(guidance(repo)) == ["rule:one"]


def test_edited_rule_says_the_new_and_a_deleted_one_nothing(repo):
    path = repo.write("knowledge/rules/one.md", rule())
    repo.index()
    repo.write("knowledge/rules/one.md", rule(statement="Close them at once."))
    repo.index_and_compare()
    assert guidance(repo) == {"rule:one": "Close them at once."}
    path.unlink()
    repo.index_and_compare()
    assert guidance(repo) == {}


@pytest.mark.parametrize(
    "text",
    [
        "no front matter\n",
        "---\nscop: [a]\nstatement: S.\n---\n",
        "---\n{\n---\n",
        "---\nstatement: S.\nevidence: 99999999999999999999\n---\n",
        "---\nstatement: S.\nseverity: [a]\n---\n",
    ],
)
def test_bad_rule_costs_itself_and_is_reported(repo, text):
    repo.write("knowledge/rules/bad.md", text)
    repo.write("knowledge/rules/good.md", rule())
    report = repo.index_and_compare()
    assert guidance(repo) == {"rule:one": "Close streams in a finally block."}
    assert report.skipped == {"parse-failure": 1}
    (problem,) = report.problems
    assert problem.startswith("knowledge/rules/bad.md: ")


def test_escapes_in_front_matter_bring_in_nothing_hidden(repo):
    hidden = r'"a\u202eb\ud800c\0d"'
    fields = ("title", "statement", "scope", "terms")
    repo.write(
        "knowledge/rules/one.md", "---\n" + "".join(f"{field}: {hidden}\n" for field in fields) + "---\n"
    )
    repo.write("docs/x.md", f"---\ntitle: {hidden}\n---\n# H\n\nText.\n")
    repo.index_and_compare()
    with repo.reader() as reader:
        ((evidence, details),) = reader.guidance()
    shown = (evidence.name, details.statement, *details.scope, *details.terms)
    assert not [text for text in shown if {"\u202e", "\ud800", "\0"} & set(text)]


def test_second_file_with_an_id_is_refused_whatever_the_order_of_runs(repo):
    repo.write("knowledge/rules/b.md", rule(statement="From b."))
    repo.index()
    repo.write("knowledge/rules/a.md", rule(statement="From a."))
    report = repo.index_and_compare()
    assert guidance(repo) == {"rule:one": "From a."}
    (problem,) = report.problems
    assert problem.startswith("knowledge/rules/b.md: the id 'rule:one' is taken by knowledge/rules/a.md")


def test_refused_namesake_comes_in_when_the_other_goes(repo):
    path = repo.write("knowledge/rules/a.md", rule(statement="From a."))
    repo.write("knowledge/rules/b.md", rule(statement="From b."))
    repo.write("knowledge/rules/c.md", rule(statement="From c."))
    assert len(repo.index_and_compare().problems) == 2
    path.write_text(rule("other", "From a."))
    repo.index_and_compare()
    assert guidance(repo) == {"rule:other": "From a.", "rule:one": "From b."}
    (repo.root / "knowledge/rules/b.md").unlink()
    assert not repo.index_and_compare().problems
    assert guidance(repo) == {"rule:other": "From a.", "rule:one": "From c."}


def test_namesakes_that_trade_ids_in_one_run(repo):
    repo.write("knowledge/rules/a.md", rule("one", "From a."))
    repo.write("knowledge/rules/b.md", rule("two", "From b."))
    repo.index()
    repo.write("knowledge/rules/a.md", rule("two", "From a."))
    repo.write("knowledge/rules/b.md", rule("one", "From b."))
    assert not repo.index_and_compare().problems
    assert guidance(repo) == {"rule:two": "From a.", "rule:one": "From b."}


def test_standing_conflict_of_ids_is_reported_in_every_run_and_writes_nothing(repo):
    repo.write("knowledge/rules/a.md", rule())
    repo.write("knowledge/rules/b.md", rule())
    first = repo.index()
    content = repo.catalog.read_bytes()
    assert repo.index().problems == first.problems
    assert repo.catalog.read_bytes() == content
