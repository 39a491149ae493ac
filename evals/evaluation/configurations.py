"""Configurations: the settings under which cases are asked, and how they differ from a project's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from augmenter.profiles import WeightProfile, profile_of
from augmenter.weights import own_weights
from evals.cases import Case
from knowledge.jsonable import to_json
from knowledge.project import Project
from knowledge.settings import Settings
from knowledge.settings_file import parse_settings


@dataclass(frozen=True, slots=True)
class Configuration:
    """Settings with a name.

    Attributes:
        name: as reports tell it.
        settings: all of them.
        own: file of the project's own weights; None ranks by the shipped ones.
    """

    name: str
    settings: Settings
    own: Path | None = None

    @property
    def profile(self) -> WeightProfile:
        """The weights. Raises SettingsError."""
        return profile_of(self.settings.ranking.profile, self.own)


def own_weights_for(project: Project, cases: Iterable[Case]) -> Path | None:
    """The project's own weights, if cases can be judged by them.

    Cases of past commits cannot: `prebrief tune` has fitted the weights to just such commits.
    """
    return None if any(case.commit for case in cases) else own_weights(project.weights)


def configurations_of(
    settings: Settings, profiles: Sequence[str] = (), without: Sequence[str] = (), own: Path | None = None
) -> list[Configuration]:
    """What is to be compared; the first is the main one.

    Args:
        settings: the project's.
        profiles: weight profiles; none: the one of the settings.
        without: channels, each of which is switched off alone, under the first profile.
        own: file of the project's own weights.

    Raises:
        SettingsError: there is no such profile or channel.
    """
    names = list(dict.fromkeys(profiles)) or [settings.ranking.profile]
    chosen = [Configuration(name, changed(settings, {"ranking.profile": name}), own) for name in names]
    for channel in dict.fromkeys(without):
        ablated = changed(chosen[0].settings, {f"channels.{channel}": False})
        chosen.append(Configuration(f"{names[0]} without {channel}", ablated, own))
    return chosen


def changed(settings: Settings, values: Mapping[str, Any]) -> Settings:
    """Settings with some values changed.

    Args:
        settings: stay as they are.
        values: by dotted key, ``ranking.narrow``.

    Raises:
        SettingsError: there is no such key, or it does not take the value.
    """
    table = to_json(settings)
    for key, value in values.items():
        *sections, name = key.split(".")
        place = table
        for section in sections:
            place = place.setdefault(section, {})
        place[name] = value
    return parse_settings(table, "the settings of an evaluation")
