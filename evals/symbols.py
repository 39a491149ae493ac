# ruff: noqa: T201 - a command line
"""Recall of symbols, measured against universal-ctags on the same files.

    python -m evals.symbols --root CHECKOUT [--language NAME …] [--list]

Every file of the view that the indexer reads is read by ctags, too, as the language that the indexer takes it
for. A symbol of a kind that counts (`evals.symbol_kinds`) is found if the extractor has a unit or class of
that name there: each of ours stands for one of theirs. What ctags itself calls anonymous has no name to be
found by, and is not asked for. Differences are grouped by what the grammar sees where ctags sees a symbol;
groups that are none by the language's own definition are explained, and counted beside the raw recall.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import tree_sitter

from evals.command import carried_out
from evals.symbol_kinds import KINDS, MACRO, UNREAD, explanation
from indexer.code.grammar import grammar_of
from indexer.code.source import encode
from indexer.extract import extract_code
from indexer.languages import BY_NAME
from indexer.recipe import language_in
from indexer.sources.decode import SkippedSource, decode, read_source
from indexer.sources.limits import limit_of
from indexer.sources.walk import walk
from knowledge.errors import TaskError
from knowledge.project import locate
from knowledge.settings import IndexSettings
from knowledge.types import Draft, Kind

# Lines by which the two may differ on where a symbol stands: ctags counts from its keyword or its name.
WITHIN = 2
_LAST = re.compile(r"::|[.:#](?!:)")
_QUOTES = "\"'`"
_SEEN = 4  # types of nodes that tell what something is
_LAMBDA = "<lambda>"  # ctags' Kotlin does not mark it anonymous
_REMEDY = "Install it (apt-get install universal-ctags, brew install universal-ctags)"


@dataclass(frozen=True, slots=True)
class Symbol:
    """What ctags found.

    Attributes:
        path: relative to the root.
        line: from 1.
        kind: in ctags' words.
        name: as ctags has it.
    """

    path: str
    line: int
    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Miss:
    """A symbol that the extractor does not have.

    Attributes:
        symbol: of ctags.
        seen: what the grammar sees there, innermost first: ``name:identifier < enum_constant``.
        why: the explanation, or ``""``.
    """

    symbol: Symbol
    seen: str
    why: str


@dataclass(frozen=True, slots=True)
class Row:
    """One language's comparison."""

    language: str
    files: int
    symbols: int
    misses: tuple[Miss, ...]

    @property
    def found(self) -> int:
        """How many symbols the extractor has."""
        return self.symbols - len(self.misses)

    @property
    def explained(self) -> int:
        """How many of the others are none."""
        return sum(bool(miss.why) for miss in self.misses)


def require_ctags() -> None:
    """Check that universal-ctags is there and writes JSON.

    Raises:
        TaskError: it is not.
    """
    try:
        run = subprocess.run(["ctags", "--list-features"], check=False, capture_output=True, text=True)
    except OSError:
        raise TaskError("universal-ctags is not installed", where="ctags", remedy=_REMEDY) from None
    if "json" not in run.stdout.split():
        raise TaskError("this ctags cannot write JSON", where="ctags", remedy=_REMEDY)


def texts_of(root: Path, languages: Sequence[str]) -> dict[str, dict[str, str]]:
    """By language the texts of the files that the indexer reads, by path; the root alone is the view."""
    settings = IndexSettings()
    texts: dict[str, dict[str, str]] = defaultdict(dict)
    for file in walk(locate(root), settings).files:
        try:
            data = read_source(file.absolute, limit_of(file.path, settings))
            language = language_in(file.path, data)
            if language in KINDS and (not languages or language in languages):
                texts[language][file.path] = decode(data, file.path).text
        except (SkippedSource, FileNotFoundError):
            continue
    return texts


def ctags_symbols(root: Path, language: str, paths: Iterable[str]) -> dict[str, list[Symbol]]:
    """What ctags finds of the kinds that count, by path, in order of lines.

    Raises:
        TaskError: ctags fails.
    """
    kinds = KINDS[language]
    command = [
        *("ctags", "--options=NONE", "--quiet", "--sort=no", "--output-format=json", "--fields=NFnKl"),
        *(f"--language-force={kinds.parser}", f"--kinds-{kinds.parser}={kinds.counted}"),
        *("--extras=-{anonymous}", "-f", "-", "-L", "-"),
    ]
    # A path with a line end cannot be handed over.
    listed = "\n".join(path for path in paths if "\n" not in path)
    run = subprocess.run(command, cwd=root, input=listed.encode(), check=False, capture_output=True)
    if run.returncode != 0:
        said = run.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise TaskError(f"ctags fails: {said}", where=language, remedy="Run it by hand on these files")
    symbols: dict[str, list[Symbol]] = defaultdict(list)
    for line in run.stdout.decode(errors="replace").splitlines():
        tag = json.loads(line)
        if tag["_type"] == "tag" and tag["language"] == kinds.parser and tag["name"] != _LAMBDA:
            symbols[tag["path"]].append(Symbol(tag["path"], tag["line"], tag["kind"], tag["name"]))
    for found in symbols.values():
        found.sort(key=lambda symbol: (symbol.line, symbol.name))
    return symbols


def own_name(name: str) -> str:
    """The last part of a name, as far as both write it alike: without scope, quotes and blanks."""
    text = "".join(name.split())
    last = (_LAST.split(text)[-1] or text).strip(_QUOTES)
    return last[1:-1] if len(last) > 2 and last.startswith("[") and last.endswith("]") else last


def missing(symbols: Iterable[Symbol], drafts: Iterable[Draft]) -> list[Symbol]:
    """Those symbols of a file that no draft of its own stands for."""
    by_name: dict[str, list[Draft]] = defaultdict(list)
    for draft in drafts:
        if draft.kind in (Kind.UNIT, Kind.CLASS) and not draft.part:
            by_name[own_name(draft.name)].append(draft)
    return [symbol for symbol in symbols if not _taken(symbol, by_name[own_name(symbol.name)])]


def _taken(symbol: Symbol, drafts: list[Draft]) -> bool:
    """Whether a draft stands for a symbol, which it then does for no other."""
    near = [one for one in drafts if one.start - WITHIN <= symbol.line <= one.end + WITHIN]
    if not near:
        return False
    drafts.remove(max(near, key=lambda one: (one.start <= symbol.line <= one.end, one.start, -one.end)))
    return True


def seen_at(root: tree_sitter.Node | None, lines: Sequence[bytes], symbol: Symbol) -> str:
    """What the grammar sees where ctags sees a symbol: types of nodes, innermost first."""
    if root is None or symbol.line > len(lines):
        return ""
    line = lines[symbol.line - 1]
    column = max(line.find(symbol.name.encode()), len(line) - len(line.lstrip()))
    point = tree_sitter.Point(symbol.line - 1, column)
    node = root.named_descendant_for_point_range(point, point)
    types: list[str] = []
    while node is not None and len(types) < _SEEN:
        types.append(node.type if types else f"{_field_of(node)}{node.type}")
        node = node.parent
    return " < ".join(types)


def _field_of(node: tree_sitter.Node) -> str:
    """``name:`` of a node that is its parent's name."""
    parent = node.parent
    if parent is None:
        return ""
    at = next((i for i, child in enumerate(parent.children) if child.id == node.id), None)
    field = None if at is None else parent.field_name_for_child(at)
    return f"{field}:" if field else ""


def compare(root: Path, language: str, texts: Mapping[str, str]) -> Row:
    """Compare one language's files."""
    symbols = ctags_symbols(root, language, texts)
    misses: list[Miss] = []
    for path in sorted(symbols):
        drafts = extract_code(language, texts[path])
        lost = missing(symbols[path], drafts)
        if lost:
            misses += _explained(language, texts[path], lost, drafts)
    return Row(language, len(texts), sum(map(len, symbols.values())), tuple(misses))


def _explained(language: str, text: str, lost: Iterable[Symbol], drafts: Sequence[Draft]) -> Iterator[Miss]:
    data = encode(text)
    tree = grammar_of(language).parse(data) if BY_NAME[language].grammar else None
    lines = data.split(b"\n")
    for symbol in lost:
        seen = seen_at(tree, lines, symbol)
        why = MACRO if _names_by_argument(symbol, drafts) else explanation(language, symbol.kind, seen)
        yield Miss(symbol, seen, why)


def _names_by_argument(symbol: Symbol, drafts: Iterable[Draft]) -> bool:
    """Whether a unit is there whose declaration is a macro's call (``TEST(Suite, name) {``)."""
    call = f"{symbol.name}("
    return any(
        draft.start == symbol.line and draft.kind is Kind.UNIT and draft.signature.startswith(call)
        for draft in drafts
    )


def table(rows: Sequence[Row]) -> str:
    """Recall by language and overall: raw, and of what is a symbol."""
    lines = [
        "| language | files | symbols | found | recall | explained | recall of the rest |",
        "|---|" + "---|" * 6,
    ]
    total = Row("all", sum(row.files for row in rows), sum(row.symbols for row in rows), _all_misses(rows))
    for row in (*rows, *([total] if len(rows) > 1 else [])):
        counts = (
            f"{row.language} | {row.files} | {row.symbols} | {row.found} | {_percent(row.found, row.symbols)}"
        )
        rest = _percent(row.found, row.symbols - row.explained)
        lines.append(f"| {counts} | {row.explained} | {rest} |")
    return "\n".join(lines)


def differences(rows: Sequence[Row], listed: int) -> str:
    """The misses by explanation, or by what the grammar sees, the most frequent first, with examples."""
    groups: dict[tuple[str, str], list[Symbol]] = defaultdict(list)
    for row in rows:
        for miss in row.misses:
            groups[row.language, miss.why or f"unexplained: {miss.seen or 'no grammar'}"].append(miss.symbol)
    lines = []
    for (language, why), symbols in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        kinds = Counter(symbol.kind for symbol in symbols)
        counted = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        lines.append(f"{len(symbols)} {language}: {why} ({counted})")
        lines += [f"    {one.path}:{one.line}: {one.kind} {one.name}" for one in symbols[:listed]]
    return "\n".join(lines)


def _all_misses(rows: Sequence[Row]) -> tuple[Miss, ...]:
    return tuple(miss for row in rows for miss in row.misses)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f} %" if whole else "–"


def main(argv: Sequence[str] | None = None) -> int:
    """Compare and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m evals.symbols", description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help="a checkout, or a folder without git")
    parser.add_argument(
        "--language",
        action="append",
        default=[],
        choices=sorted(KINDS),
        help="only this one; may be repeated",
    )
    parser.add_argument("--list", action="store_true", help="list every difference, not three of each group")
    arguments = parser.parse_args(argv)
    return carried_out(lambda: _print_all(arguments))


def _print_all(arguments: argparse.Namespace) -> None:
    require_ctags()
    texts = texts_of(arguments.root, arguments.language)
    rows = [compare(arguments.root, language, texts[language]) for language in sorted(texts)]
    print(table(rows))
    print(f"\nctags has no parser of {' and '.join(UNREAD)}.\n")
    print(differences(rows, sys.maxsize if arguments.list else 3))


if __name__ == "__main__":
    sys.exit(main())
