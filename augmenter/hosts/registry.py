"""The hosts by name; a host's module is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from augmenter.hosts.events import Host

_MODULES = {
    "claude-code": "claude_code",
    "codex": "codex",
    "gemini": "gemini",
    "generic": "generic",
}
NAMES = tuple(sorted(_MODULES))


def host(name: str) -> Host:
    """A host by its name. Raises KeyError for another than those in `NAMES`."""
    found: Host = import_module(f"augmenter.hosts.{_MODULES[name]}").HOST
    return found
