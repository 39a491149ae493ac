"""Which weights cases are judged by, where a project has weights of its own."""

import pytest

from augmenter.weights import weights_text
from knowledge.project import locate

BACKWARDS = weights_text({"bm25f": -5.0, "prose_body": -5.0}, {})
REMARK = "the project's own have seen them"


@pytest.fixture
def weighed(project):
    path = locate(project.root).weights
    path.parent.mkdir(exist_ok=True)
    path.write_text(BACKWARDS, encoding="utf-8")
    return project


def mrr(done):
    return done.json["configurations"][0]["figures"]["mrr"]["value"]


def test_cases_about_the_present_are_judged_by_the_weights_that_dispatches_use(kb, project, weighed):
    own = kb("evaluate", "--root", project.root, "--cases", project.cases, "--json")
    locate(project.root).weights.unlink()
    shipped = kb("evaluate", "--root", project.root, "--cases", project.cases, "--json")
    assert (own.code, shipped.code, REMARK in own.err) == (0, 0, False)
    assert mrr(own) < mrr(shipped)
    assert own.json["runId"] != shipped.json["runId"]


def test_cases_of_past_commits_are_not_judged_by_weights_that_were_fitted_to_them(kb, weighed, case_rows):
    head = weighed.git("rev-parse", "HEAD")
    weighed.write_cases([{**row, "commit": head} for row in case_rows()])
    words = ("evaluate", "--root", weighed.root, "--cases", weighed.cases, "--json")
    own = kb(*words)
    locate(weighed.root).weights.unlink()
    shipped = kb(*words)
    assert REMARK in own.err
    assert REMARK not in shipped.err
    assert (own.json["runId"], mrr(own)) == (shipped.json["runId"], mrr(shipped))
