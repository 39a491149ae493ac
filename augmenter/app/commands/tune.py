"""``prebrief tune``."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from augmenter.app.cache import cache_folder
from augmenter.app.commands.index import show_progress
from augmenter.app.common import answer
from augmenter.app.options import add_json, add_root, count
from augmenter.app.streams import tell
from augmenter.profiles import LEARNED
from evals.evaluation.table import columned
from evals.evaluation.wording import shown, shown_p
from evals.tuning.project import (
    LIMIT,
    MIN_CASES,
    MIN_TO_FIT,
    MIN_TO_PROVE,
    Proof,
    Tuned,
    Verdict,
    adopt,
    figures_row,
    reset,
    tune,
)
from evals.tuning.proof import Comparison, Figures
from knowledge.clock import Clock
from knowledge.project import Project, locate
from knowledge.settings import Settings
from knowledge.settings_loading import load_settings

SHOWN_CHANGES = 10

_Item = TypeVar("_Item")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_root(parser)
    add_json(parser)
    parser.add_argument(
        "--limit",
        type=count,
        default=LIMIT,
        metavar="N",
        help=f"at most so many of the newest cases, {MIN_CASES} or more (default: {LIMIT})",
    )
    parser.add_argument("--dry-run", action="store_true", help="only say what would be done")
    parser.add_argument(
        "--reset", action="store_true", help="remove the project's own weights: the shipped ones hold again"
    )


def run(arguments: argparse.Namespace) -> int:
    """Tune, and adopt what is proved to be better."""
    if arguments.limit < MIN_CASES:
        arguments.wrong_usage(f"argument --limit: must be {MIN_CASES} or more")
    project = locate(Path(arguments.root))
    if arguments.reset:
        removed = reset(project, dry_run=arguments.dry_run)
        document = {"dry_run": arguments.dry_run, "reset": True, "removed": removed and not arguments.dry_run}
        answer(arguments, document, _describe_reset(project, removed, dry_run=arguments.dry_run))
        return 0
    settings = load_settings(project.view_root)
    tuned = tune(project, settings, arguments.limit, Clock(), _progress, cache=cache_folder())
    if tuned.present.error:
        tell(f"prebrief: {tuned.present.error}; here they count as none")
    adopted = tuned.verdict is Verdict.BETTER and not arguments.dry_run
    if adopted:
        adopt(project, tuned)
    answer(arguments, as_json(tuned, adopted), describe(tuned, project, settings, adopted))
    return 0


def _progress(items: Iterable[_Item], total: int, label: str) -> Iterable[_Item]:
    return show_progress(items, total, label, "cases")


def _describe_reset(project: Project, removed: bool, *, dry_run: bool) -> str:
    if not removed:
        return "This project has no weights of its own; the shipped ones hold."
    what = "would be removed; the shipped ones would hold" if dry_run else "removed; the shipped ones hold"
    return f"{project.weights}: this project's own weights {what}."


def as_json(tuned: Tuned, adopted: bool) -> dict[str, Any]:
    """The document that ``prebrief tune --json`` prints."""
    proof = tuned.proof
    return {
        "verdict": tuned.verdict,
        "adopted": adopted,
        "head": tuned.head,
        "cases": {"fitted_on": tuned.older, "proved_on": tuned.newer},
        "notes": list(tuned.mined.explained()),
        "own_weights_error": str(tuned.present.error) if tuned.present.error else None,
        "penalty": proof.penalty if proof else None,
        "against_shipped": _compared(proof.against_shipped if proof else None),
        "against_own": _compared(proof.against_own if proof else None),
        "weights": dict(_by_change(proof)) if proof else {},
    }


def _compared(found: Comparison | None) -> dict[str, Any] | None:
    if found is None:
        return None
    p_values = {"mrr": found.p_mrr, "fn_any@5": found.p_fn_any}
    return {"fitted": figures_row(found.ours), "other": figures_row(found.theirs), "p": p_values}


def _by_change(proof: Proof) -> list[tuple[str, dict[str, float]]]:
    """The weights, those first that have moved most."""
    pairs = {name: (proof.shipped.get(name, 0.0), weight) for name, weight in proof.weights.items()}
    ordered = sorted(pairs.items(), key=lambda item: (-abs(item[1][1] - item[1][0]), item[0]))
    return [(name, {"shipped": before, "fitted": after}) for name, (before, after) in ordered]


def describe(tuned: Tuned, project: Project, settings: Settings, adopted: bool) -> str:
    """What came of it, for people."""
    lines = list(tuned.mined.explained())
    if tuned.proof is None:
        lines.append(
            f"Too few cases to tune by: {tuned.older} to fit on and {tuned.newer} to prove it, where"
            f" {MIN_TO_FIT} and {MIN_TO_PROVE} are needed. All weights stay as they are."
        )
        return "\n".join(lines)
    lines += [
        f"{tuned.older} older cases to fit on, {tuned.newer} newer ones to prove it;"
        f" penalty {tuned.proof.penalty:g}.",
        "",
        *_table(tuned.proof),
        "",
        _verdict(tuned, tuned.proof, project, adopted),
        *_notes(tuned, tuned.proof, settings),
        "",
        *_changes(tuned.proof),
    ]
    return "\n".join(lines)


def _table(proof: Proof) -> Iterator[str]:
    """The figures on the newer cases: a row for each set of weights."""
    found, own = proof.against_shipped, proof.against_own
    rows = [("on the newer cases", "mrr", "p", "fn_any@5", "p"), ("fitted", *_cells(found.ours))]
    rows.append(("shipped", *_cells(found.theirs, found)))
    if own:
        rows.append(("own until now", *_cells(own.theirs, own)))
    yield from columned(rows)


def _cells(figures: Figures, found: Comparison | None = None) -> tuple[str, ...]:
    p_mrr, p_any = (shown_p(found.p_mrr), shown_p(found.p_fn_any)) if found else ("", "")
    return shown(figures.mrr, "number"), p_mrr, shown(figures.fn_any, "percent"), p_any


def _verdict(tuned: Tuned, proof: Proof, project: Project, adopted: bool) -> str:
    if tuned.verdict is Verdict.BETTER:
        end = f"Adopted: {project.weights}." if adopted else "They would be adopted."
        return f"The fitted weights rank better than what there was, beyond chance. {end}"
    if tuned.verdict is Verdict.NO_BETTER_THAN_OWN:
        same = proof.weights == tuned.present.weights
        why = "are the fitted ones already" if same else "are not beaten beyond chance"
        return f"This project's own weights {why}; they stay."
    kept = "this project's own ones stay" if tuned.present.weights is not None else "these stay"
    return f"The fitted weights do not rank better than the shipped ones beyond chance; {kept}."


def _notes(tuned: Tuned, proof: Proof, settings: Settings) -> Iterator[str]:
    own = proof.own_against_shipped
    if tuned.verdict is not Verdict.BETTER and (tuned.present.error or (own and own.is_worse)):
        what = "cannot be used" if tuned.present.error else "rank worse than the shipped ones"
        yield f"This project's own weights {what}: 'prebrief tune --reset' removes them."
    profile = settings.ranking.profile
    if profile != LEARNED:
        yield f"Weights count for the profile '{LEARNED}' alone; this project ranks by '{profile}'."


def _changes(proof: Proof) -> Iterator[str]:
    """The weights that have moved most."""
    moved = [(name, pair) for name, pair in _by_change(proof) if pair["shipped"] != pair["fitted"]]
    if not moved:
        yield "No weight has moved."
        return
    rows = [("largest changes", "shipped", "fitted")]
    rows += [
        (name, shown(pair["shipped"], "number"), shown(pair["fitted"], "number"))
        for name, pair in moved[:SHOWN_CHANGES]
    ]
    yield from columned(rows)
