"""Which signals are fitted in what order, and leaving out one group at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields

from augmenter.signals import members, mentioned, relations
from augmenter.signals.signals import FITTED, HISTORY, MAY_SPEAK_AGAINST
from evals.tuning.examples import Example
from evals.tuning.fitting import NOTHING_FIXED, NOWHERE, Prior, fit
from knowledge.settings import ChannelSettings

Progress = Callable[[str], None]

# What is lost with a channel. The others bring candidates and words, or have nothing to be fitted on.
OF_CHANNEL: Mapping[str, tuple[str, ...]] = {
    "exact": (*mentioned.SIGNALS, "file_mentioned", "class_mentioned"),
    "history": HISTORY,
    "members": members.SIGNALS,
    "relations": relations.SIGNALS,
}


def fit_all(
    examples: Sequence[Example], prior: Prior = NOWHERE, without: Collection[str] = ()
) -> dict[str, float]:
    """The weights of all signals: first those of the channels that are on by default, then the rest on top.

    So a channel that somebody switches on adds to what is there, and the default does not depend on it.

    Args:
        examples: to learn from.
        prior: what the weights are pulled towards.
        without: channels whose signals get no weight.
    """
    on = ChannelSettings()
    left_out = {name for channel in without for name in OF_CHANNEL.get(channel, ())}
    extra = {
        name
        for field in fields(on)
        if not getattr(on, field.name) and field.name not in without
        for name in OF_CHANNEL[field.name]
    }
    first = [name for name in FITTED if name not in left_out | extra]
    weights = _signed(examples, first, prior, NOTHING_FIXED)
    on_top = [name for name in FITTED if name in extra - left_out]
    return weights | (_signed(examples, on_top, prior, weights) if on_top else {})


def _signed(
    examples: Sequence[Example], names: Sequence[str], prior: Prior, fixed: Mapping[str, float]
) -> dict[str, float]:
    """A fit without the signals that would speak against an item and must not.

    They are left out all at once, and the rest fitted again, until there are none: a plain way to a sparse
    fit that explains itself. On the localisation benchmark it ranks as well as the fit with all signs.
    """
    while True:
        weights = fit(examples, names, prior, fixed)
        kept = [name for name in names if weights[name] >= 0 or name in MAY_SPEAK_AGAINST]
        if len(kept) == len(names):
            return {name: weight for name, weight in weights.items() if weight}
        names = kept


def held_out(
    examples: Sequence[Example], groups: Collection[str], progress: Progress, without: Collection[str] = ()
) -> dict[str, dict[str, float]]:
    """The weights for each of some groups, fitted on the examples of all other groups.

    Args:
        examples: of all groups.
        groups: that are left out in turn.
        progress: told of each.
        without: channels whose signals get no weight.
    """
    weights: dict[str, dict[str, float]] = {}
    for group in sorted(groups):
        others = [one for one in examples if one.group != group]
        weights[group] = fit_all(others, without=without)
        progress(f"fitted without {group}")
    return weights
