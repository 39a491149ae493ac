"""Roles: what the settings have for some agents in place of what holds for all."""

import json

import pytest

from augmenter import Ask, Augmenter, Filters, Sender
from augmenter.app.replaying import replay
from indexer.build import build_index
from knowledge.clock import Clock
from knowledge.project import locate
from knowledge.settings_file import read_settings
from knowledge.types import Kind

TASK = "Fix the timeout in `EventStream.close`"
ROLES = """
[roles.reviewer]
agents = ["review-*", "critic"]
patterns = 1
format = "xml"

[roles.silent]
agents = ["quiet*"]
off = true

[roles.writer]
kinds = ["section", "document"]

[roles.backend]
tags = ["component:database"]
paths = ["src/*"]
budget = 120

[roles.plain]
templates = "own"
"""


@pytest.fixture
def roles(project):
    """Opens the project with roles in its settings, indexed with them or not."""
    path = project.root / "prebrief.toml"
    path.write_text(ROLES)
    build_index(locate(project.root), read_settings(path), Clock())
    with Augmenter.open(project.root) as augmenter:
        yield augmenter


def told(augmenter, **sender):
    return augmenter.augment(TASK, ask=Ask(sender=Sender(**sender)))


def test_a_role_that_is_told_has_its_own_limits_and_format(roles):
    brief = told(roles, role="reviewer")
    assert len(brief.offered) == 1
    assert brief.context.startswith("<context")
    assert len(told(roles).offered) > 1
    assert told(roles).context.startswith("## Context")


@pytest.mark.parametrize(
    ("agent", "role"),
    [("review-api", "reviewer"), ("critic", "reviewer"), ("coder", ""), ("quieter", "silent")],
)
def test_an_agents_name_tells_its_role_where_none_is_told(roles, agent, role):
    receipt = roles.history(told(roles, agent=agent).dispatch_id).receipt
    assert (receipt.agent, receipt.role) == (agent, role)


def test_a_role_that_is_told_goes_before_what_the_agents_name_says(roles):
    assert told(roles, agent="review-api", role="writer").context.startswith("##")
    assert told(roles, agent="quieter", role="reviewer").context.startswith("<context")


def test_an_unknown_role_takes_what_holds_for_all(roles):
    assert told(roles, role="nobody").context == told(roles).context


def test_a_role_that_is_off_leaves_the_task_as_it_is_and_says_so(roles):
    brief = told(roles, agent="quiet-one")
    assert (brief.prompt, brief.context, brief.offered) == (TASK, "", ())
    assert (brief.degraded, brief.abstained) == (None, True)
    receipt = roles.history(brief.dispatch_id).receipt
    assert (receipt.role, receipt.options.off, receipt.rendered) == ("silent", True, False)
    assert not replay(roles, receipt).possible


def test_what_is_off_without_a_record_leaves_none(roles):
    brief = roles.augment(TASK, ask=Ask(sender=Sender(role="silent"), record=False))
    assert (brief.prompt, brief.dispatch_id) == (TASK, "")


def test_a_role_may_see_some_kinds_and_paths_alone(roles):
    writer = Ask(sender=Sender(role="writer"))
    kinds = {
        item.kind for item in roles.augment("Reconnect after a timeout with backoff", ask=writer).offered
    }
    assert kinds
    assert kinds <= {"section", "document"}
    assert {item.path.partition("/")[0] for item in told(roles, role="backend").offered} == {"src"}
    assert told(roles, role="backend").tokens <= 120


def test_what_a_dispatch_says_itself_goes_before_its_role(roles):
    sender = Sender(role="reviewer")
    brief = roles.augment(TASK, ask=Ask(sender=sender, patterns=2, format="plain"))
    assert len(brief.offered) == 2
    assert brief.context.startswith("CONTEXT")
    filters = Filters(kinds=frozenset({Kind.UNIT}))
    units = roles.augment(TASK, ask=Ask(sender=Sender(role="writer"), filters=filters))
    assert {item.kind for item in units.offered} == {"unit"}


def test_a_roles_tags_count_as_the_tasks_own(roles):
    receipt = roles.history(told(roles, role="backend").dispatch_id).receipt
    assert "component:database" in receipt.query.tags
    assert "component:database" not in roles.history(told(roles).dispatch_id).receipt.query.tags
    assert receipt.options.tags == ("component:database",)


def test_a_role_may_have_templates_of_its_own(roles):
    folder = roles.project.root / "own"
    folder.mkdir()
    (folder / "brief.markdown.j2").write_text("{% for item in patterns %}* {{ item.name }}\n{% endfor %}")
    assert told(roles, role="plain").context.startswith("* ")
    assert told(roles).context.startswith("## Context")
    (folder / "brief.markdown.j2").write_text("{% for item in patterns %}+ {{ item.name }}\n{% endfor %}")
    with Augmenter.open(roles.project.root) as again:
        assert told(again, role="plain").context.startswith("+ ")


@pytest.mark.parametrize("role", ["reviewer", "writer", "backend", ""])
def test_receipts_of_roles_replay(roles, role):
    brief = told(roles, role=role)
    assert replay(roles, roles.history(brief.dispatch_id).receipt).identical


def test_the_command_and_the_generic_hook_know_roles(roles, run):
    root = roles.project.root
    by_role = json.loads(run("augment", "--json", "--role", "reviewer", TASK, root=root).text)
    by_agent = json.loads(run("augment", "--json", "--agent", "review-1", TASK, root=root).text)
    assert by_role["prompt"] == by_agent["prompt"]
    assert len(by_role["offered"]) == 1
    run("augment", "--role", "silent", TASK, root=root)
    assert "off for role silent" in run("receipts", "list", root=root).text


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[roles.x]\npattern = 1", "did you mean 'patterns'"),
        ("[roles.x]\npatterns = 99", "too large; allowed: 0 to 50"),
        ('[roles.x]\nkinds = ["function"]', "not one of the allowed values"),
        ("[roles]\nx = 1", "must be a table"),
    ],
)
def test_a_wrong_role_is_told_with_its_key(roles, run, text, what):
    (roles.project.root / "prebrief.toml").write_text(text)
    done = run("doctor", "--json", root=roles.project.root)
    (finding,) = [one for one in json.loads(done.text)["findings"] if one["check"] == "settings"]
    assert what in finding["what"]
    assert "roles.x" in finding["what"]
