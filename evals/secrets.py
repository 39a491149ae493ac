# ruff: noqa: T201 - a command line
"""Secrets: what is found, and what is taken for one.

    python -m evals.secrets [--per-place 2] [--seed 1]
    python -m evals.secrets --repositories DIR … [--list]

The first form runs on a labelled set (`evals.secret_cases`), beside detect-secrets where it is installed (the
extra ``bench``): both see the same files in the same run. A secret counts as found by ours when no eight
characters of it are left; by detect-secrets when it reports anything in its file. The second form counts
redactions in repositories per 10,000 lines and, with ``--list``, shows each with its value masked, for people
to judge. Verdicts are kept in ``secrets_judged.tsv`` (repository, path, kind, verdict, reason): ``real`` is
key material or a token that somebody issued, be it for tests; ``made-up`` has the form of a secret and guards
nothing; ``false`` is no secret at all. The rate counts all but the real ones, and what nobody has judged.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from evals.secret_cases import Case, harmless, positives
from knowledge.hygiene import clean_text
from knowledge.secrets import redact

PIECE = 8  # characters of a secret that must not be left
MAX_BYTES = 2 * 1024 * 1024  # as index.max_file_bytes
JUDGED = Path(__file__).parent / "secrets_judged.tsv"
VERDICTS = ("real", "made-up", "false")
SHOWN = 4  # characters of a value that are shown, of each end

_MARK = re.compile(r"\[redacted:[\w-]+\]")

Detector = Callable[[Case, Path], bool]


@dataclass(frozen=True, slots=True)
class Redaction:
    """One redaction in a repository."""

    repository: str
    path: str
    line: int
    kind: str
    masked: str


def ours(case: Case, _file: Path) -> bool:
    """Whether redaction removes a case's secret; of a harmless one, whether it removes anything."""
    result = redact(clean_text(case.text).text)
    return not leftovers(case.secret, result.text) if case.secret else bool(result.events)


def leftovers(secret: str, text: str) -> list[str]:
    """The parts of a secret that a text still holds, outside of the marks of redaction."""
    text = _MARK.sub("", text)
    pieces = (secret[at : at + PIECE] for at in range(max(1, len(secret) - PIECE + 1)))
    return [piece for piece in pieces if piece in text]


def detect_secrets_or_none() -> Detector | None:
    """detect-secrets with its plugins and filters as shipped; None where it is not installed."""
    try:
        scan = import_module("detect_secrets.core.scan")
        settings = import_module("detect_secrets.settings")
    except ImportError:
        return None

    def detect(_case: Case, file: Path) -> bool:
        with settings.default_settings():
            return any(True for _ in scan.scan_file(str(file)))

    return detect


def measure(cases: Sequence[Case], detectors: dict[str, Detector]) -> dict[tuple[str, str], Counter[str]]:
    """By group and kind: how many cases there are (under ``""``), and how many each detector reports."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as folder:
        for number, case in enumerate(cases):
            file = Path(folder) / f"case{number}{case.suffix}"
            file.write_text(case.text, encoding="utf-8")
            row = counts[case.group, case.kind]
            row[""] += 1
            row.update({name: detect(case, file) for name, detect in detectors.items()})
    return counts


def table(counts: dict[tuple[str, str], Counter[str]], group: str, names: Sequence[str]) -> str:
    """Shares of the cases of a group that each detector reports, by kind, and together."""
    rows = {kind: row for (of, kind), row in counts.items() if of == group}
    rows["together"] = sum(rows.values(), Counter())
    lines = [f"| {group} | n | {' | '.join(names)} |", f"|---|---|{'---|' * len(names)}"]
    for kind, row in rows.items():
        lines.append(f"| {kind} | {row['']} | {' | '.join(_share(row[name], row['']) for name in names)} |")
    return "\n".join(lines)


def _share(count: int, total: int) -> str:
    return f"{100 * count / total:.1f}" if total else "–"


def redactions(root: Path) -> tuple[list[Redaction], int]:
    """Every redaction in a folder's files of text, and how many lines those have."""
    found: list[Redaction] = []
    lines = 0
    for path, text in _texts(root):
        lines += text.count("\n") + 1
        before = text.split("\n")
        result = redact(text)
        after = result.text.split("\n")
        for event in result.events:
            masked = mask(before[event.line - 1], after[event.line - 1])
            kind = event.kind.removeprefix("secret:")
            found += [Redaction(root.name, path, event.line, kind, masked)] * event.count
    return found, lines


def mask(before: str, after: str) -> str:
    """What a redaction took from a line: its ends, and its length."""
    head, _, rest = after.partition("[redacted:")
    tail = rest.partition("]")[2].partition("[redacted:")[0]
    value = before[len(head) :]
    end = value.rfind(tail) if tail else -1
    value = value[:end] if end > 0 else value
    shown = f"{value[:SHOWN]}…{value[-SHOWN:]}" if len(value) > 3 * SHOWN else f"{value[:1]}…"
    return f"{shown} ({len(value)})"


def _texts(root: Path) -> Iterator[tuple[str, str]]:
    for file in sorted(root.rglob("*")):
        parts = file.relative_to(root).parts
        if ".git" in parts or ".knowledge" in parts or not file.is_file() or file.is_symlink():
            continue
        if file.stat().st_size > MAX_BYTES:
            continue
        try:
            yield "/".join(parts), clean_text(file.read_text(encoding="utf-8")).text
        except UnicodeDecodeError:
            continue


def verdicts(path: Path) -> dict[tuple[str, str, str], tuple[str, str]]:
    """Judgements by repository, path and kind; empty where there is no file."""
    if not path.is_file():
        return {}
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
    return {(row[0], row[1], row[2]): (row[3], row[4]) for row in rows if not row[0].startswith("#")}


def repository_table(roots: Iterable[Path], judged: Path, *, listed: bool) -> str:
    """Redactions by repository, judged ones told apart; each on its own row after that, if asked."""
    known = verdicts(judged)
    judgements = " | ".join((*VERDICTS, "not judged"))
    rows = [f"| repository | lines | redactions | {judgements} | not real per 10,000 lines |"]
    rows.append(f"|---|---|---|{'---|' * (len(VERDICTS) + 2)}")
    every: list[str] = []
    total: Counter[str] = Counter()
    for root in roots:
        found, lines = redactions(root)
        count = Counter(known.get((item.repository, item.path, item.kind), ("", ""))[0] for item in found)
        count.update(lines=lines, redactions=len(found))
        rows.append(_repository_row(root.name, count))
        total.update(count)
        every += [_redaction_row(item, known) for item in found]
    rows.append(_repository_row("together", total))
    if listed:
        rows += ["", "| repository | file | kind | value | verdict |", "|---|---|---|---|---|", *every]
    return "\n".join(rows)


def _repository_row(name: str, count: Counter[str]) -> str:
    rate = 10_000 * (count["redactions"] - count["real"]) / max(1, count["lines"])
    cells = (count["lines"], count["redactions"], *(count[verdict] for verdict in VERDICTS), count[""])
    return f"| {name} | {' | '.join(map(str, cells))} | {rate:.2f} |"


def _redaction_row(item: Redaction, known: dict[tuple[str, str, str], tuple[str, str]]) -> str:
    verdict, reason = known.get((item.repository, item.path, item.kind), ("not judged", ""))
    told = f"{verdict}: {reason}" if reason else verdict
    value = item.masked.replace("|", "\\|").replace("`", "'")
    return f"| {item.repository} | {item.path}:{item.line} | {item.kind} | `{value}` | {told} |"


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m evals.secrets", description=__doc__)
    parser.add_argument("--per-place", type=int, default=2, help="cases of each kind in each place (2)")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other values")
    parser.add_argument("--repositories", type=Path, nargs="+", default=[], metavar="DIR")
    parser.add_argument("--list", action="store_true", help="show each redaction, its value masked")
    parser.add_argument("--judged", type=Path, default=JUDGED, metavar="FILE", help="verdicts on redactions")
    arguments = parser.parse_args(argv)
    if arguments.repositories:
        print(repository_table(arguments.repositories, arguments.judged, listed=arguments.list))
        return 0
    detectors: dict[str, Detector] = {"Prebrief": ours}
    other = detect_secrets_or_none()
    if other is None:
        print("detect-secrets is not installed (the extra 'bench'): Prebrief alone.", file=sys.stderr)
    else:
        detectors["detect-secrets"] = other
    cases = [
        *positives(arguments.per_place, arguments.seed),
        *harmless(arguments.per_place, arguments.seed),
    ]
    counts = measure(cases, detectors)
    print("\n\n".join(table(counts, group, list(detectors)) for group in ("context", "format", "harmless")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
