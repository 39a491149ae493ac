"""Where hosts look for their hooks."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from augmenter.app.installing.plans import CLAUDE_CODE, CODEX, GEMINI

Scope = Literal["project", "local", "user"]
FormName = Literal["json", "toml"]

_HOMES = {  # the folder in the user's home, and the variable that names another in its place
    CLAUDE_CODE: (".claude", "CLAUDE_CONFIG_DIR"),
    CODEX: (".codex", "CODEX_HOME"),
}
_GEMINI_HOME = "GEMINI_CLI_HOME"  # takes the place of the home itself


@dataclass(frozen=True, slots=True)
class Place:
    """A settings file of a host.

    Attributes:
        host: whose.
        scope: whether it is shared with the project, this user's alone in the project, or for all projects.
        path: of the file, which need not be there.
        form: in which it is written.
        root: of the project, for a file in it.
    """

    host: str
    scope: Scope
    path: Path
    form: FormName = "json"
    root: Path | None = None

    @property
    def shown(self) -> str:
        """The path, shorter where it lies in the project or in the home."""
        home = os.path.expanduser("~")  # noqa: PTH111 - Path.home raises where there is none
        if self.root and self.path.is_relative_to(self.root):
            return str(self.path.relative_to(self.root))
        text = str(self.path)
        return f"~{text[len(home) :]}" if text.startswith(f"{home}{os.sep}") else text


def places_of(host: str, root: Path, environment: Mapping[str, str] | None = None) -> tuple[Place, ...]:
    """Where a host looks when it works in a project, the first of each scope being where to write.

    Args:
        host: which.
        root: the root of the project's view.
        environment: of the host; None takes this process's.
    """
    environment = os.environ if environment is None else environment
    if host == CLAUDE_CODE:
        folder = root / ".claude"
        return (
            Place(host, "project", folder / "settings.json", root=root),
            Place(host, "local", folder / "settings.local.json", root=root),
            Place(host, "user", _home(host, environment) / "settings.json"),
        )
    if host == CODEX:
        folders: tuple[tuple[Scope, Path], ...] = (
            ("project", root / ".codex"),
            ("user", _home(host, environment)),
        )
        return tuple(
            Place(host, scope, folder / name, form, root if scope == "project" else None)
            for scope, folder in folders
            for name, form in _CODEX_FILES
        )
    if host == GEMINI:
        home = Path(environment.get(_GEMINI_HOME) or os.path.expanduser("~"))  # noqa: PTH111 - see above
        return (
            Place(host, "project", root / ".gemini" / "settings.json", root=root),
            Place(host, "user", home / ".gemini" / "settings.json"),
        )
    return ()


_CODEX_FILES: tuple[tuple[str, FormName], ...] = (("hooks.json", "json"), ("config.toml", "toml"))


def _home(host: str, environment: Mapping[str, str]) -> Path:
    name, variable = _HOMES[host]
    told = environment.get(variable)
    return Path(told) if told else Path(os.path.expanduser("~")) / name  # noqa: PTH111 - see above
