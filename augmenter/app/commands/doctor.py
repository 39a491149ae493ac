"""``prebrief doctor``."""

from __future__ import annotations

import argparse
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from augmenter.app.checkup import admit, examine
from augmenter.app.common import answer
from augmenter.app.findings import Finding, Level
from augmenter.app.index_checks import contents_of
from augmenter.app.options import HERE, add_json, add_root
from augmenter.app.wording import counted
from knowledge.project import locate

_COLUMN = 10  # the longest name of a check, and a space


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_root(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Examine the project; 1 when something does not work."""
    patient = admit(locate(Path(arguments.root)))
    findings = [_addressed(finding, arguments.root) for finding in examine(patient)]
    counts = patient.inspection.counts if patient.inspection else {}
    document = {
        "ok": is_well(findings),
        "findings": [asdict(finding) for finding in findings],
        "languages": contents_of(patient.inspection) if patient.inspection else {},
        "kinds": counts.get("kinds", {}),
        "skipped": counts.get("skipped", {}),
    }
    answer(arguments, document, describe(findings))
    return 0 if is_well(findings) else 1


def _addressed(finding: Finding, root: str) -> Finding:
    """The finding, with a remedy that works where it is typed: with the root that was given."""
    if root == HERE or not finding.remedy.startswith("prebrief "):
        return finding
    return replace(finding, remedy=f"{finding.remedy} --root {shlex.quote(root)}")


def is_well(findings: Sequence[Finding]) -> bool:
    """Whether everything works, however well."""
    return all(finding.level is not Level.PROBLEM for finding in findings)


def describe(findings: Sequence[Finding]) -> str:
    """The findings, for people."""
    lines: list[str] = []
    for finding in findings:
        lines.append(f"{finding.level:<8} {finding.check:<{_COLUMN}} {finding.what}")
        if finding.remedy:
            lines.append(f"{'':<8} {'':<{_COLUMN}} → {finding.remedy}")
    counts = Counter(finding.level for finding in findings)
    told = [counted(counts[level], level) for level in (Level.PROBLEM, Level.WARNING) if counts[level]]
    return "\n".join([*lines, f"{', '.join(told)}." if told else "All is well."])
