"""Where cases are asked: the project's index as it is, and indexes of other commits from whoever has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache

from evals.asking import open_tools
from evals.evaluation.identity import Tree
from evals.evaluation.judging import Place
from knowledge.clock import Clock
from knowledge.errors import TaskError
from knowledge.learned import past_dispatches, read_learned
from knowledge.project import Project
from knowledge.settings import Settings
from templates.render import Renderer

Provider = Callable[[str], Project]  # a commit's files, with an index of them; the last one it gave may go


def no_other_commits(commit: str) -> Project:
    """A provider that has none. Raises TaskError."""
    raise TaskError(
        "no other commit can be laid out here",
        where=commit,
        remedy="Leave 'commit' out to ask the index as it is",
    )


@contextmanager
def open_place(
    project: Project, commit: str, settings: Settings, provider: Provider, clock: Clock
) -> Iterator[Place]:
    """Open the index that the cases of a commit are asked of.

    The project's own (``commit`` is empty) is asked with what outcomes have taught; one of the past with
    nothing, for what was learned may have been learned from what came later.

    Raises:
        PrebriefError: there is no such index, or it cannot be read.
    """
    view = provider(commit) if commit else project
    folder = settings.brief.templates
    renderer = Renderer(settings.brief.format, project.view_root / folder if folder else None)
    with open_tools(view.catalog, settings, renderer, clock) as unlearned:
        tree = Tree(view)
        tools = (
            unlearned
            if commit
            else replace(
                unlearned,
                learned=lambda ids: read_learned(project.learned, ids),
                lessons=lambda terms, limit: past_dispatches(project.learned, terms, limit),
            )
        )

        @cache
        def unchanged(path: str) -> bool:
            row = tools.reader.files([path]).get(path)
            return row is not None and not tree.has_changed(row)

        tools.reader.begin()
        try:
            yield Place(tools, tools.reader.meta().get("fingerprint", ""), unchanged)
        finally:
            tools.reader.end()
