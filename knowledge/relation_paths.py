"""Whether an import means a file: compared by the names of folders, since nobody tells the roots.

``acme.net.stream`` means ``src/acme/net/stream.py`` and ``acme/net/stream/__init__.py``, and as the name of
something also what ``acme/net.py`` defines. ``./pool`` in ``web/app.ts`` means ``web/pool.ts`` and
``web/pool/index.ts``. An import of a package reaches what lies below its folder, too, as packages hand on
what their modules define; the deeper, the less likely.
"""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache

# Files that stand for their folder.
_FOLDER_FILES = frozenset({"__init__", "index", "mod", "lib", "init"})
# Folders that imports don't name.
_ROOTS = frozenset({"src", "lib", "python", "app", "source", "include"})
_PROJECTS = frozenset({"packages", "libs", "apps", "modules", "crates", "plugins"})
_OWN_CRATE = frozenset({"crate", "self", "super"})  # Rust's: the rest of the path tells
_SUFFIX = re.compile(r"(?:\.d)?\.\w{1,8}$")
_CACHED = 65_536


@lru_cache(maxsize=_CACHED)
def import_distance(target: str, importer: str, path: str, name: str) -> int | None:
    """How far below what an import names a file lies: 0 for the very file, None if it doesn't.

    Args:
        target: the import's, as `knowledge.types.Relation` has it.
        importer: path of the file that imports.
        path: path of the file in question.
        name: what that file defines at its top, and is looked for.
    """
    place, _, member = target.partition("#")
    if member and member != name:
        return None
    parts = _parts_of(path)
    is_path = "/" in place or place in (".", "..")
    module, is_rooted = _path_module(place, importer) if is_path else _dotted_module(place, importer)
    distance = _distance(parts, module, is_rooted)
    if distance is None and not is_path and module[-1:] == (name,):
        distance = _distance(parts, module[:-1], is_rooted)
    return distance


@lru_cache(maxsize=_CACHED)
def last_name(target: str) -> str:
    """What a target itself is called, as it is written: ``close`` of ``self.stream.close``."""
    place, mark, member = target.partition("#")
    if mark and place.endswith(("/", ".")):  # JavaScript's private names: this.#close
        return member
    if member:
        return member.rpartition(".")[2]
    return _SUFFIX.sub("", place).rpartition("/")[2] if "/" in place else place.rpartition(".")[2]


def _path_module(place: str, importer: str) -> tuple[tuple[str, ...], bool]:
    is_relative = place.startswith(".")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(importer), place)) if is_relative else place
    return tuple(part for part in _SUFFIX.sub("", path).split("/") if part not in ("", ".")), is_relative


def _dotted_module(place: str, importer: str) -> tuple[tuple[str, ...], bool]:
    names = tuple(part for part in place.split(".") if part and part not in _OWN_CRATE)
    dots = len(place) - len(place.lstrip("."))
    if not dots:
        return names, False
    folders = posixpath.dirname(importer).split("/") if "/" in importer else []
    return (*folders[: len(folders) - dots + 1], *names), True


@lru_cache(maxsize=_CACHED)
def _parts_of(path: str) -> tuple[str, ...]:
    """A file's folders and name without suffix; of a file that stands for its folder the folders."""
    parts = _SUFFIX.sub("", path).split("/")
    return tuple(parts[:-1] if parts[-1].lower() in _FOLDER_FILES and len(parts) > 1 else parts)


def _distance(parts: tuple[str, ...], module: tuple[str, ...], is_rooted: bool) -> int | None:
    """How many of a file's parts stand behind those of a module, or None if it has these nowhere."""
    if not module:
        return len(parts) if is_rooted else None
    if is_rooted:
        return len(parts) - len(module) if parts[: len(module)] == module else None
    if module[0].startswith("@") and len(module) > 1:  # @scope/package, in the repository of many packages
        module = module[1:]
    size = len(module)
    for at in range(len(parts) - size + 1):
        if parts[at : at + size] == module and (size > 1 or _is_near_root(parts[:at])):
            return len(parts) - at - size
    return _distance_by_end(parts, module)


def _distance_by_end(parts: tuple[str, ...], module: tuple[str, ...]) -> int | None:
    """The same for a module whose path begins outside of the repository: ``github.com/acme/stream/pool``."""
    if len(module) < 3:
        return None
    for size in range(min(len(module) - 1, len(parts)), 0, -1):
        if parts[:size] == module[-size:]:
            return len(parts) - size
    return None


def _is_near_root(before: tuple[str, ...]) -> bool:
    """Whether a single name may stand behind these folders: ``os`` is no ``acme/os.py``."""
    return not before or before[-1] in _PROJECTS or (len(before) == 1 and before[0] in _ROOTS)
