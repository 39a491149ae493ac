"""Whom a name means: from what a relation says to evidence of the catalog.

A parser sees one file, so a relation names its target as it is written there. Here the name is compared with
what the catalog knows, from the surest reading to the loosest; the first that finds something decides:

- what is called on ``self`` or ``this``: a method of the same class, then of one it is derived from;
- ``super``'s: of one it is derived from;
- a plain name: something within the same function, in the file, in what the file imports, in its package;
- ``Stream.close``: of a class of that name, ``net.close``: in an imported module of that name;
- ``stream.close``: of a class that is called like the value, ``x.close``: of a class in the same file or in
  what the file imports.

If nothing decides, the only class, function or method of the catalog with that name is meant; of methods only
where the name is of several words, since the world outside has methods, too. What stays ambiguous is left
unanswered: a wrong caller costs an agent more than a missing one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum

from knowledge.catalog.catalogued import Catalogued
from knowledge.relation_files import imported_files
from knowledge.relation_paths import import_distance, last_name
from knowledge.terms import split_identifier
from knowledge.types import Evidence, Kind, RelationKind, SourceKind

MAX_SEVERAL = 3  # equally likely targets; more are no answer
MAX_ANCESTORS = 12  # classes that one is derived from, over all generations
MAX_HANDS = 2  # files that a name passes through before it is imported
FAR = 99  # levels of folders
MIN_VALUE = 4  # letters of a value's name that can say its type

_SELF = frozenset({"self", "this", "cls", "Self", "static"})
_SUPER = frozenset({"super", "base", "parent"})
# Where a plain call may mean a method of the same class.
_IMPLICIT_THIS = frozenset({"java", "kotlin", "scala", "csharp", "cpp", "swift", "ruby"})
# Where files of one folder see each other's names without an import.
_FOLDER_IS_PACKAGE = frozenset({"go", "java", "kotlin", "scala", "csharp", "swift", "php", "c", "cpp"})
_HEADERS = (".h", ".hh", ".hpp", ".hxx")
_TREE = re.compile(r"(?:^|.*/)src/\w+/(?:java|kotlin|scala|groovy)/")
_FAMILIES = (
    frozenset({"javascript", "typescript", "tsx"}),
    frozenset({"c", "cpp"}),
    frozenset({"java", "kotlin", "scala"}),
)


# Nothing else calls these.
_ASIDE = (SourceKind.TEST, SourceKind.EXAMPLE)


class How(StrEnum):
    """How a target was found, surest first."""

    OWN = "own"  # in the same class, one it is derived from, or the same function
    FILE = "file"  # in the same file
    IMPORT = "import"  # in a file that the file imports
    NAMED = "named"  # by its qualified name
    PACKAGE = "package"  # in the same folder
    ONLY = "only"  # nothing else is called so


Found = tuple[How, list[int]]
_Step = Callable[[str, str], Found | None]
NOBODY: Found = (How.ONLY, [])


def speak_alike(one: Evidence, other: Evidence) -> bool:
    """Whether two languages can call each other by name."""
    if one.language == other.language:
        return True
    return any(one.language in family and other.language in family for family in _FAMILIES)


class Targets:
    """Resolves the names that one evidence says."""

    def __init__(self, catalog: Catalogued, source: Evidence) -> None:
        self._catalog = catalog
        self._source = source
        self._imports = catalog.imports(source.path)

    def of(self, kind: RelationKind, target: str) -> Found:
        """How a target was found, and row ids of what is meant; none if nobody knows."""
        name = last_name(target)
        receiver = target[: -len(name)].rstrip(".#") if name and target.endswith(name) else ""
        for step in self._steps(kind, receiver, is_plain=not receiver and not target.startswith(".")):
            found = step(receiver, name)
            if found is not None:
                return found
        return NOBODY

    def imported(self, target: str) -> Found:
        """What an import of a name means."""
        name = last_name(target)
        found = {one: of for one, of in self._things(name, name).items() if _is_open(of)}
        return self._nearest(found, [target]) or NOBODY

    def _steps(self, kind: RelationKind, receiver: str, *, is_plain: bool) -> tuple[_Step, ...]:
        if is_plain:
            return (self._plain,) if kind is RelationKind.INHERITS else (self._own, self._plain)
        if kind is RelationKind.INHERITS:
            return (self._qualified, self._in_module)
        if receiver in _SELF:
            return (self._method, self._inherited, self._lone)
        if receiver in _SUPER:
            return (self._inherited, self._lone)
        if not receiver:
            return (self._any_method, self._lone)
        return (self._qualified, self._in_module, self._like_value, self._any_method, self._lone)

    def _own(self, _: str, name: str) -> Found | None:
        """Something within the function itself or a function around it, or a method of its class."""
        implicit = self._source.language in _IMPLICIT_THIS
        for outer in (self._source.name, *_owners(self._source.name)):
            found = self._catalog.thing(self._source.path, f"{outer}.{name}")
            is_class = outer != self._source.name and self._is_class(outer)
            if found is not None and (implicit or not is_class):
                return How.OWN, [found]
        return self._inherited("", name) if implicit else None

    def _plain(self, _: str, name: str) -> Found | None:
        """Something that is defined at the top of a file, or a class."""
        found = {one: of for one, of in self._things(name, name).items() if _is_open(of)}
        here = [one for one, of in found.items() if of.path == self._source.path]
        if here:
            return _several(How.FILE, here)
        named = [target for target in self._imports if last_name(target) == name]
        if named:  # then it is that, even if the catalog doesn't know it
            return self._nearest(found, named) or self._handed_on(found, named, name) or NOBODY
        return self._narrow(found)

    def _handed_on(self, found: dict[int, Evidence], named: list[str], name: str) -> Found | None:
        """What a file that is imported from has itself from another one (``export * from './pool'``)."""
        importers = [(self._source, named)]
        for _ in range(MAX_HANDS):
            through: list[tuple[Evidence, list[str]]] = []
            for importer, imports in importers:
                through += self._through(importer, imports, name)
            for middle, imports in through:
                there = self._nearest(found, imports, importer=middle.path)
                if there is not None:
                    return there
            importers = through[:MAX_SEVERAL]
        return (How.ONLY, list(found)) if importers and len(found) == 1 else None

    def _through(self, importer: Evidence, imports: list[str], name: str) -> list[tuple[Evidence, list[str]]]:
        """Files of the catalog that imports mean, each with what it imports by that name or as a whole."""
        places = {target.removesuffix(name).rstrip(".#") for target in imports}
        cards = [card for place in sorted(places) for card in imported_files(self._catalog, importer, place)]
        files = self._catalog.evidence(dict.fromkeys(cards)).values()
        return [(of, [one for one in self._catalog.imports(of.path) if _hands(one, name)]) for of in files]

    def _method(self, _: str, name: str) -> Found | None:
        """A method of the class that the source belongs to."""
        for outer in _owners(self._source.name):
            found = self._catalog.thing(self._source.path, f"{outer}.{name}")
            if found is not None:
                return How.OWN, [found]
        return None

    def _inherited(self, _: str, name: str) -> Found | None:
        for ancestor in self._ancestors():
            found = self._catalog.thing(ancestor.path, f"{ancestor.name}.{name}")
            if found is not None:
                return How.OWN, [found]
        return None

    def _ancestors(self) -> list[Evidence]:
        """The classes that the source's class is derived from, the nearest first."""
        path, catalog = self._source.path, self._catalog
        found = [
            one
            for outer in _owners(f"{self._source.name}.")
            if (one := catalog.thing(path, outer)) is not None and self._is_class(outer)
        ][:1]
        for rowid in found:  # grows as it goes
            if len(found) > MAX_ANCESTORS:
                break
            targets = Targets(catalog, catalog.evidence([rowid])[rowid])
            for said in catalog.relations([rowid])[rowid]:
                if said.kind is RelationKind.INHERITS:
                    found += [base for base in targets.of(said.kind, said.target)[1] if base not in found]
        return list(catalog.evidence(found[1:]).values())

    def _qualified(self, receiver: str, name: str) -> Found | None:
        """Something in a class of the receiver's name."""
        wanted = f"{last_name(receiver)}.{name}"
        found = {
            one: of
            for one, of in self._things(wanted, name).items()
            if of.name == wanted or of.name.endswith(f".{wanted}")
        }
        return self._narrow(found, else_how=How.NAMED)

    def _in_module(self, receiver: str, name: str) -> Found | None:
        """Something in what is imported under the receiver's name."""
        first = receiver.partition(".")[0]
        named = [target for target in self._imports if last_name(target) in (first, last_name(receiver))]
        if not named:
            return None
        found = self._things(name, name)
        open_ones = {one: of for one, of in found.items() if _is_open(of)}
        there = self._nearest(open_ones, named) or self._at_root(open_ones, named)
        # Else a method of a value that the module defines; what is imported from elsewhere is nobody here.
        return there or self._nearest(found, named, within=0, of_values=True) or NOBODY

    def _at_root(self, found: dict[int, Evidence], named: list[str]) -> Found | None:
        """What Go's package in the repository's root has, whose name a file there tells: ``gin.go``."""
        named_so = self._source.language == "go" and [
            one for one in named if self._catalog.module(f"{last_name(one)}.go") is not None
        ]
        if not named_so:
            return None
        there = [one for one, of in found.items() if "/" not in of.path]
        return _several(How.IMPORT, there) if there else None

    def _like_value(self, receiver: str, name: str) -> Found | None:
        """A method of a class whose name the value's name says, or in Go of the source's own type."""
        value = last_name(receiver).lower().replace("_", "").lstrip("@$")
        if self._source.language == "go" and "." not in receiver:
            own = self._source.name.rpartition(".")[0]
            found = self._catalog.thing(self._source.path, f"{own}.{name}") if own else None
            if found is not None and len(value) < MIN_VALUE:  # as receivers are called
                return How.OWN, [found]
        methods = self._methods(name)
        for alike in (_is_equal, _is_abbreviated, _is_part):
            called = {rowid: of for rowid, of in methods.items() if alike(value, _owner(of))}
            if called:
                return self._close(called) if alike is _is_abbreviated else self._narrow(called, How.NAMED)
        return None

    def _any_method(self, _: str, name: str) -> Found | None:
        """A method of any class that lies close at hand: with a telling name, or in the same file."""
        found = self._methods(name)
        here = [one for one, of in found.items() if of.path == self._source.path]
        close = (How.FILE, here) if here else self._close(found, within=0) if _is_telling(name) else None
        if close is None or len(close[1]) == 1:
            return close
        return _several(*close) if here and _is_telling(name) else NOBODY

    def _lone(self, _: str, name: str) -> Found | None:
        """The only method of that name, if the name is telling."""
        found = self._methods(name) if _is_telling(name) else {}
        of_class = (self._is_class(of.name.rpartition(".")[0], of.path) for of in found.values())
        return (How.ONLY, list(found)) if len(found) == 1 and all(of_class) else None

    def _methods(self, name: str) -> dict[int, Evidence]:
        """Methods of that name, but for the source itself: what passes a call on, calls another's."""
        source = self._source
        return {
            one: of
            for one, of in self._things(name, name).items()
            if _owner(of) and of.kind is Kind.UNIT and (of.path, of.name) != (source.path, source.name)
        }

    def _things(self, alias: str, name: str) -> dict[int, Evidence]:
        """Functions and classes known by an alias that the source can mean, each once."""
        source = self._source
        return {
            one: of
            for one, of in self._catalog.things(alias, name).items()
            if speak_alike(source, of) and (source.source_kind in _ASIDE or of.source_kind not in _ASIDE)
        }

    def _narrow(self, found: dict[int, Evidence], else_how: How = How.ONLY) -> Found | None:
        """Of several namesakes those that lie closest; all, if there are few, for a qualified name."""
        close = self._close(found)
        if close is not None or not found:
            return _with_body(close, found)
        several = MAX_SEVERAL if else_how is How.NAMED else 1
        return (else_how, list(found)) if len(found) <= several else NOBODY

    def _close(self, found: dict[int, Evidence], within: int = FAR) -> Found | None:
        """Of several namesakes those in the same file, else imported, else in the same package."""
        here = [one for one, of in found.items() if of.path == self._source.path]
        if here:
            return _several(How.FILE, here)
        imported = self._nearest(found, self._imports, within)
        if imported is not None or self._source.language not in _FOLDER_IS_PACKAGE:
            return imported
        package = _package(self._source.path)
        beside = [one for one, of in found.items() if _package(of.path) == package]
        return _several(How.PACKAGE, beside) if beside else None

    def _nearest(
        self,
        found: dict[int, Evidence],
        imports: list[str],
        within: int = FAR,
        *,
        of_values: bool = False,
        importer: str = "",
    ) -> Found | None:
        """Those that lie the least below what is imported."""
        path = importer or self._source.path
        distances: dict[int, int] = {}
        for one, of in found.items():
            for target in imports:
                name = last_name(target) if of_values else of.name.partition(".")[0]
                distance = import_distance(target, path, of.path, name)
                if distance is not None and distance <= min(within, distances.get(one, within)):
                    distances[one] = distance
        if not distances:
            return None
        least = min(distances.values())
        return _several(How.IMPORT, [one for one, distance in distances.items() if distance == least])

    def _is_class(self, name: str, path: str = "") -> bool:
        found = self._catalog.thing(path or self._source.path, name)
        return found is not None and self._catalog.evidence([found])[found].kind is Kind.CLASS


def _hands(target: str, name: str) -> bool:
    """Whether a file that imports this may hand on something of that name."""
    _, mark, member = target.partition("#")
    return member == name if mark else True


def _package(path: str) -> str:
    """A file's folder; of Java's trees of tests and sources what they have in common."""
    return _TREE.split(path.rpartition("/")[0])[-1]


def _owners(name: str) -> list[str]:
    """Of ``a.b.c``: ``a.b``, ``a``."""
    parts = name.split(".")
    return [".".join(parts[:size]) for size in range(len(parts) - 1, 0, -1)]


def _owner(of: Evidence) -> str:
    """The last name of the class that something belongs to, or ``""``."""
    return last_name(of.name.rpartition(".")[0]) if "." in of.name else ""


def _is_equal(value: str, owner: str) -> bool:
    """Whether a value is called like its class."""
    return value == owner.lower()


def _is_abbreviated(value: str, owner: str) -> bool:
    """Whether a value is called by its class's initials: ``c`` of ``Context``, ``rg`` of ``RouterGroup``."""
    return bool(value) and len(value) < MIN_VALUE and value == "".join(p[0] for p in split_identifier(owner))


def _is_part(value: str, owner: str) -> bool:
    """Whether a value's name is a part of that of its class: ``writer`` of ``JsonWriter``."""
    return len(value) >= MIN_VALUE and (owner.lower().startswith(value) or owner.lower().endswith(value))


def _is_telling(name: str) -> bool:
    """Whether a name is of several words, so that hardly anything else in the world is called so."""
    return len(split_identifier(name)) > 1


def _is_open(of: Evidence) -> bool:
    """Whether a plain name may mean something from outside of what encloses it."""
    return "." not in of.name or of.kind is Kind.CLASS


def _with_body(close: Found | None, found: dict[int, Evidence]) -> Found | None:
    """Instead of what C's headers declare the one definition of it, wherever that is."""
    if close is None or not all(found[one].path.endswith(_HEADERS) for one in close[1]):
        return close
    bodies = [one for one, of in found.items() if not of.path.endswith(_HEADERS)]
    return (close[0], bodies) if len(bodies) == 1 else close


def _several(how: How, rowids: list[int]) -> Found:
    return (how, rowids) if len(rowids) <= MAX_SEVERAL else NOBODY
