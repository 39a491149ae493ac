"""All checks of a project, one after the other. A new one is a function, and a line in `CHECKS`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from augmenter.app.checks import (
    check_git,
    check_grammars,
    check_receipts,
    check_room,
    check_settings,
    check_state,
    check_weights,
)
from augmenter.app.daemon_checks import check_daemon
from augmenter.app.findings import Finding, Patient
from augmenter.app.hook_checks import check_deadline, check_hooks
from augmenter.app.index_checks import check_catalog, check_contents, check_freshness, check_skips
from knowledge.catalog.inspection import inspect, list_files
from knowledge.errors import CatalogError, SettingsError
from knowledge.project import Project
from knowledge.settings_loading import load_settings

Check = Callable[[Patient], Iterable[Finding]]

CHECKS: tuple[Check, ...] = (
    check_settings,
    check_git,
    check_grammars,
    check_state,
    check_room,
    check_receipts,
    check_weights,
    check_catalog,
    check_contents,
    check_skips,
    check_freshness,
    check_hooks,
    check_deadline,
    check_daemon,
)


def admit(project: Project) -> Patient:
    """Look at a project once, for all checks. Nothing is written."""
    patient = Patient(project, None, None, {})
    try:
        patient = replace(patient, settings=load_settings(project.view_root))
    except SettingsError as error:
        patient = replace(patient, settings_error=error)
    try:
        inspection = inspect(project.catalog)
        files = {} if inspection.complaints else list_files(project.catalog)
    except CatalogError as error:
        return replace(patient, catalog_error=error)
    return replace(patient, inspection=inspection, files=files)


def examine(patient: Patient, checks: Iterable[Check] = CHECKS) -> list[Finding]:
    """What the checks find, in their order."""
    return [finding for check in checks for finding in check(patient)]
