"""Agent roles: what a project's settings have for the agents of a kind, in place of what holds for all."""

from __future__ import annotations

from dataclasses import replace
from fnmatch import fnmatchcase

from augmenter.app.ask import Ask
from augmenter.candidates import Filters
from augmenter.record import Sender
from knowledge.settings import RoleSettings, Settings
from knowledge.types import Kind, SourceKind


def role_of(sender: Sender, settings: Settings) -> str:
    """The role of whoever will get a brief: the one that is told, else the first whose agents fit its name.

    Roles are tried by name. ``""`` when there is none.
    """
    if sender.role or not sender.agent:
        return sender.role
    fitting = (
        name
        for name, role in sorted(settings.roles.items())
        if any(fnmatchcase(sender.agent, glob) for glob in role.agents)
    )
    return next(fitting, "")


def in_role(ask: Ask, settings: Settings) -> Ask:
    """What a dispatch asks for, with what its role has where it does not say itself.

    Args:
        ask: as it was asked.
        settings: the project's; a role that they do not know has nothing of its own.
    """
    if not settings.roles:
        return ask
    name = role_of(ask.sender, settings)
    role = settings.roles.get(name)
    if role is None:
        return ask
    return replace(
        ask,
        sender=replace(ask.sender, role=name),
        patterns=role.patterns if ask.patterns is None else ask.patterns,
        rules=role.rules if ask.rules is None else ask.rules,
        budget=role.budget if ask.budget is None else ask.budget,
        format=ask.format or role.format,
        templates=ask.templates or role.templates,
        tags=(*ask.tags, *role.tags),
        filters=_filters(ask.filters, role),
        off=ask.off or role.off,
    )


def _filters(filters: Filters, role: RoleSettings) -> Filters:
    return replace(
        filters,
        paths=filters.paths or tuple(role.paths),
        kinds=filters.kinds or frozenset(map(Kind, role.kinds)),
        source_kinds=filters.source_kinds or frozenset(map(SourceKind, role.source_kinds)),
    )
