"""Replay: brief a recorded task again, and say what differs and why."""

from __future__ import annotations

from dataclasses import dataclass

from augmenter.app.augmenter import Augmenter
from augmenter.brief import Brief
from augmenter.profiles import PROFILE_NAMES
from knowledge.hashing import text_hash
from knowledge.jsonable import to_json
from knowledge.version import VERSION
from receipts.records import Receipt


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a replay found.

    Attributes:
        dispatch_id: whose.
        possible: whether the task could be briefed again at all.
        differences: in prompt and offers; empty when they are the same byte for byte.
        moved: what has changed since: index, settings, weights, confidence, version.
        prompt_compared: False when the task held secrets, which are not kept: then the offers alone are.
    """

    dispatch_id: str
    possible: bool
    differences: tuple[str, ...]
    moved: tuple[str, ...]
    prompt_compared: bool = True

    @property
    def identical(self) -> bool:
        """Whether the same prompt and the same offers came out."""
        return self.possible and not self.differences

    def describe(self) -> str:
        """In words."""
        if self.identical:
            what = "prompt and offers" if self.prompt_compared else "offers; the prompt held secrets"
            return f"{self.dispatch_id}: identical, {what}."
        lines = [f"{self.dispatch_id}: {'differs' if self.possible else 'cannot be replayed'}"]
        lines += [f"  {text}" for text in (*self.differences, *self.moved)]
        return "\n".join(lines)


def replay(augmenter: Augmenter, receipt: Receipt) -> Replayed:
    """Brief a recorded task again, under the recorded options, by the index and confidence of today.

    Raises:
        PrebriefError: the index cannot be used.
    """
    if receipt.task is None:
        return _impossible(receipt, "the task's text was not kept (dispatch.keep_task)")
    if receipt.degraded is not None:
        return _impossible(receipt, f"the task went out unchanged then: {receipt.degraded.reason}")
    if receipt.options.off:
        return _impossible(receipt, f"the role '{receipt.role}' was off: nothing was looked for")
    if receipt.weights.profile not in PROFILE_NAMES:
        return _impossible(receipt, f"this version has no weight profile '{receipt.weights.profile}'")
    if receipt.view != augmenter.project.view_id:
        return _impossible(receipt, f"it was made in the view '{receipt.view}'; replay it there")
    brief = augmenter.answer(receipt.task, receipt)
    return Replayed(
        receipt.dispatch_id,
        True,
        tuple(_differences(receipt, brief)),
        tuple(_moved(receipt, brief, augmenter)),
        prompt_compared=not receipt.task_redactions,
    )


def _impossible(receipt: Receipt, why: str) -> Replayed:
    return Replayed(receipt.dispatch_id, False, (why,), ())


def _differences(receipt: Receipt, brief: Brief) -> list[str]:
    found: list[str] = []
    then, now = [*receipt.offered, *receipt.guidance], [*brief.offered, *brief.rules]
    for old, new in zip(then, now, strict=False):
        if old.pattern_hash != new.pattern_hash:
            found.append(f"rank {old.rank}: {old.id} then, {new.id} now")
        elif old != new:
            keys = [key for key, value in to_json(old).items() if to_json(new).get(key) != value]
            found.append(f"rank {old.rank}: {old.id} differs in {', '.join(keys)}")
    if len(then) != len(now):
        found.append(f"{len(then)} items then, {len(now)} now")
    if not receipt.task_redactions and text_hash(brief.prompt) != receipt.prompt_hash:
        found.append("the prompt's bytes differ")
    return found


def _moved(receipt: Receipt, brief: Brief, augmenter: Augmenter) -> list[str]:
    facts = (
        ("the index has moved on", receipt.index.fingerprint, brief.fingerprint),
        ("the settings have changed", receipt.settings_fingerprint, augmenter.settings.fingerprint),
        (
            "the weights have changed",
            receipt.weights.fingerprint,
            augmenter.weights_fingerprint(receipt.weights.profile),
        ),
        (
            "confidence has been learned since",
            receipt.confidence_fingerprint,
            augmenter.learned_fingerprint(),
        ),
        ("another version wrote it", receipt.versions.get("prebrief", ""), VERSION),
    )
    return [what for what, then, now in facts if then != now]
