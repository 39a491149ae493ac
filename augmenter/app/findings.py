"""What a check of a project can find, and what checks look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from knowledge.catalog.inspection import Inspection
from knowledge.catalog.rows import FileRow
from knowledge.errors import CatalogError, SettingsError
from knowledge.project import Project
from knowledge.settings import Settings


class Level(StrEnum):
    """How much a finding matters."""

    OK = "ok"
    NOTE = "note"  # worth knowing; nothing needs to be done
    WARNING = "warning"  # something is less than it could be
    PROBLEM = "problem"  # something does not work


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check says.

    Attributes:
        check: its name.
        level: how much it matters.
        what: what was found, one sentence without a full stop.
        remedy: what to do, as a command where there is one; empty when nothing needs to be done.
    """

    check: str
    level: Level
    what: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Patient:
    """A project as the checks see it; what could not be had is None, and the error says why.

    Attributes:
        project: which view.
        settings: its settings.
        inspection: its catalog.
        files: the catalog's files by path.
        settings_error: why there are no settings.
        catalog_error: why there is no catalog that can be read.
    """

    project: Project
    settings: Settings | None
    inspection: Inspection | None
    files: Mapping[str, FileRow]
    settings_error: SettingsError | None = None
    catalog_error: CatalogError | None = None
