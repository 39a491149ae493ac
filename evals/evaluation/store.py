"""The files of runs, and the baseline.

A run's folder is named by its id. ``run.json`` (versions and figures) and ``results.jsonl`` (a line for each
case and configuration) are the same bytes whenever the run is repeated; all that varies is in
``timings.json``. ``report.md`` and ``report.html`` show both.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.evaluation.figures import VARYING, Value, Values, summarise
from evals.evaluation.identity import Identity
from evals.evaluation.outcomes import DIGITS, Timed
from evals.evaluation.running import LOCK, PARTIAL
from evals.rows import row_line
from knowledge.errors import TaskError
from knowledge.jsonable import to_json

SCHEMA_VERSION = 1
RUN, RESULTS, TIMINGS = "run.json", "results.jsonl", "timings.json"
REPORTS = {"markdown": "report.md", "html": "report.html"}
BASELINE = "baseline.json"


@dataclass(frozen=True, slots=True)
class Baseline:
    """A run that was kept to compare with, under its main configuration.

    Attributes:
        run_id: of it.
        configuration: name of its main configuration.
        date: when it ended.
        cases: hash of each case by its id.
        values: what figures are made of, by case.
    """

    run_id: str
    configuration: str
    date: str
    cases: Mapping[str, str]
    values: Values

    def same_cases(self, cases: Mapping[str, str]) -> Values:
        """The values of those cases that are the same now, not by their id alone."""
        return {
            case: values for case, values in self.values.items() if cases.get(case) == self.cases.get(case)
        }


def values_of(timed: Sequence[Timed], configuration: str) -> dict[str, dict[str, float]]:
    """What figures are made of, by case, under one configuration."""
    chosen = (one for one in timed if one.outcome.configuration == configuration)
    return {one.outcome.case: one.values for one in chosen}


def finish(folder: Path, identity: Identity, timed: Sequence[Timed], date: str, seconds: float) -> None:
    """Write the files of a run that has ended, each at once, and forget what was kept of it meanwhile.

    Raises:
        TaskError: a file cannot be written.
    """
    summaries = {name: summarise(values_of(timed, name)) for name in identity.configurations}
    write_file(folder / RESULTS, "".join(row_line(to_json(one.outcome)) for one in timed))
    write_json(folder / RUN, _run_row(identity, summaries))
    write_json(folder / TIMINGS, _timings_row(identity, timed, summaries, date, seconds))
    for name in (PARTIAL, LOCK):
        (folder / name).unlink(missing_ok=True)


def _run_row(identity: Identity, summaries: Mapping[str, Mapping[str, Value]]) -> dict[str, Any]:
    configurations = [
        {"name": name, "settings": settings, "weights": weights}
        for name, (settings, weights) in identity.configurations.items()
    ]
    versions = to_json(identity.versions)
    versions["asOf"] = versions.pop("as_of")
    return {
        "schemaVersion": SCHEMA_VERSION,
        "runId": identity.run_id,
        "versions": versions,
        "cases": {"hash": identity.cases_hash, "count": len(identity.cases)},
        "configurations": configurations,
        "figures": {
            name: {key: value_row(one) for key, one in summary.items() if key not in VARYING}
            for name, summary in summaries.items()
        },
    }


def _timings_row(
    identity: Identity,
    timed: Sequence[Timed],
    summaries: Mapping[str, Mapping[str, Value]],
    date: str,
    seconds: float,
) -> dict[str, Any]:
    return {
        "schemaVersion": SCHEMA_VERSION,
        "runId": identity.run_id,
        "date": date,
        "seconds": round(seconds, 3),
        "milliseconds": {
            name: {one.outcome.case: one.milliseconds for one in timed if one.outcome.configuration == name}
            for name in identity.configurations
        },
        "figures": {
            name: {key: value_row(one) for key, one in summary.items() if key in VARYING}
            for name, summary in summaries.items()
        },
    }


def value_row(value: Value) -> dict[str, Any]:
    """A figure's value as JSON has it."""
    return {
        "value": round(value.value, DIGITS),
        "low": round(value.interval.low, DIGITS),
        "high": round(value.interval.high, DIGITS),
        "cases": value.cases,
    }


def read_baseline(path: Path) -> Baseline | None:
    """The baseline in a file; None when there is none.

    Raises:
        TaskError: the file cannot be read, or holds something else.
    """
    try:
        text = path.read_text(encoding="utf-8")
        return _baseline_of(json.loads(text))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise TaskError.of_system(
            "the baseline cannot be read", error, path, "Give another --baseline"
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise TaskError(
            "it holds no baseline", where=str(path), remedy="Remove it, and keep a new one with --keep"
        ) from None


def _baseline_of(row: Mapping[str, Any]) -> Baseline:
    if row["schemaVersion"] != SCHEMA_VERSION:
        raise ValueError("another version")
    values = {
        str(case): {str(name): float(value) for name, value in one["values"].items()}
        for case, one in row["cases"].items()
    }
    hashes = {str(case): str(one["hash"]) for case, one in row["cases"].items()}
    return Baseline(str(row["runId"]), str(row["configuration"]), str(row["date"]), hashes, values)


def keep_baseline(path: Path, identity: Identity, timed: Sequence[Timed], date: str) -> None:
    """Keep a run's main configuration to compare with. Raises TaskError."""
    main = next(iter(identity.configurations))
    values = values_of(timed, main)
    cases = {
        case: {"hash": digest, "values": {name: round(value, DIGITS) for name, value in values[case].items()}}
        for case, digest in sorted(identity.cases.items())
    }
    row = {
        "schemaVersion": SCHEMA_VERSION,
        "runId": identity.run_id,
        "configuration": main,
        "date": date,
        "cases": cases,
    }
    write_json(path, row)


def write_json(path: Path, row: Mapping[str, Any]) -> None:
    """Write an object, its keys sorted. Raises TaskError."""
    write_file(path, json.dumps(row, indent=1, sort_keys=True) + "\n")


def write_file(path: Path, text: str) -> None:
    """Write a file at once: it is there as a whole, or as it was. Raises TaskError."""
    new = make_folder(path.parent) / f"{path.name}.new"
    try:
        new.write_text(text, encoding="utf-8", newline="\n")
        os.replace(new, path)  # noqa: PTH105 - Path.replace says less: this is rename(2)
    except OSError as error:
        raise _not_written(path, error) from None


def make_folder(folder: Path) -> Path:
    """Make sure that there is a folder; returns it. Raises TaskError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _not_written(folder, error) from None
    return folder


def copy_files(source: Path, folder: Path) -> None:
    """Copy a run's files to another folder. Raises TaskError."""
    make_folder(folder)
    for name in (RUN, RESULTS, TIMINGS, *REPORTS.values()):
        try:
            shutil.copyfile(source / name, folder / name)
        except OSError as error:
            raise _not_written(folder / name, error) from None


def _not_written(path: Path, error: OSError) -> TaskError:
    return TaskError.of_system("cannot be written", error, path, "Make the folder writable")
