"""Packing: the best items that fit a token budget, measured on the rendered block itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from augmenter.candidates import thing_id
from augmenter.factors import Scored
from augmenter.guidance import Chosen
from augmenter.seen import Unseen
from knowledge.hygiene import one_line
from knowledge.tokens import estimate_tokens
from knowledge.types import Authority, Evidence, Kind
from receipts.records import LeftOutReason, LeftOutRecord
from templates.context import BlockContext, GuidanceKind, GuidanceLine, PatternLine

MAX_TRIES = 40  # items that are tried for the room that is left; later ones are hardly relevant
DESCRIPTION_LIMIT = 140  # characters of a description: one sentence, a third of a default budget for five
STATEMENT_LIMIT = 300  # characters of a rule's sentence
LOW_COVERAGE = 0.35  # below this share of the task covered, a brief says so

_SENTENCE_END = re.compile(
    r"(?<![eE]\.g\.)(?<!i\.e\.)(?<!\bcf\.)(?<!\bvs\.)(?<=[.!?])\s+(?=[A-Z`\"'(])|\n\s*\n"
)
# Markup of documentation comments that reads badly in one line of text: Javadoc's HTML and inline tags, the
# roles and double backticks of reStructuredText.
# A letter before an opening tag makes it a type: `List<B>`.
_HTML = re.compile(
    r"(?:(?<!\w)<|</)(?:a|b|br|code|em|i|li|ol|p|pre|strong|tt|ul)(?:\s[^<>]*)?/?>", re.IGNORECASE
)
_INLINE_TAG = re.compile(r"\{@\w+\s+([^{}]*)\}")
_ROLE = re.compile(r"(?<!\w)(?::[a-z]+)*:[a-z]+:(?=`)")
_EXPLAINING = frozenset(
    {Authority.PROCEDURE, Authority.REVIEWED_NOTE, Authority.GENERATED, Authority.UNTRUSTED}
)
_GUIDANCE_KINDS: dict[Kind, GuidanceKind] = {
    Kind.RULE: "rule",
    Kind.ANTIPATTERN: "antipattern",
    Kind.REPORT: "report",
}


@dataclass(frozen=True, slots=True)
class Pack:
    """What a brief is made of.

    Attributes:
        patterns: best first.
        guidance: rules and warnings, best first.
        left_out: relevant and not offered, best first.
        block: the rendered context block; ``""`` when nothing is offered.
        tokens: estimated tokens of the block.
        coverage: share of the task that the best pattern covers.
    """

    patterns: tuple[Scored, ...]
    guidance: tuple[Chosen, ...]
    left_out: tuple[LeftOutRecord, ...]
    block: str
    tokens: int
    coverage: float


@dataclass(frozen=True, slots=True)
class Limits:
    """How much may go into a brief.

    Attributes:
        patterns: at most so many.
        rules: at most so many rules and warnings.
        budget: tokens of the context block.
        bytes: of the same in UTF-8; 0 is no bound.
        documents: so many of the patterns may explain; more of them only where nothing else is left.
    """

    patterns: int
    rules: int
    budget: int
    documents: int = 1
    bytes: int = 0

    def admit(self, block: str) -> bool:
        """Whether a block is short enough."""
        if self.bytes and len(block.encode("utf-8", "surrogatepass")) > self.bytes:
            return False
        return estimate_tokens(block) <= self.budget


@dataclass(frozen=True, slots=True)
class Choice:
    """What may go into a brief.

    Attributes:
        patterns: in the order in which they are tried.
        guidance: likewise.
        repeated: what says the same as one of these, or as what was given.
        given: what was given to the same context window before.
        weak: what is not relevant enough to take its place.
        changed: ids of what was given to it with another content.
    """

    patterns: list[Scored]
    guidance: list[Chosen]
    repeated: list[Scored | Chosen]
    given: tuple[Scored | Chosen, ...] = ()
    weak: tuple[Scored, ...] = ()
    changed: frozenset[str] = frozenset()


def choose(fresh: Unseen, limits: Limits) -> Choice:
    """Put relevant patterns and fitting guidance, each best first, in the order in which they are tried."""
    held = [item for item in fresh.given if isinstance(item, Scored)]
    unique, same = _without_duplicates(fresh.patterns, held)
    rules, same_rules = _without_repetition(
        fresh.guidance, [item for item in fresh.given if isinstance(item, Chosen)]
    )
    tried = _with_documents_behind(unique, limits.documents)
    return Choice(tried, rules, [*same, *same_rules], fresh.given, fresh.weak, fresh.changed)


def pack(choice: Choice, limits: Limits, frame: BlockContext, render: Callable[[BlockContext], str]) -> Pack:
    """Fill the budget: first pattern, first rule, next pattern, next rule, and so on.

    When one does not fit, the next is tried.

    Args:
        choice: what is tried.
        limits: counts and tokens.
        frame: an empty context, with what the block says about itself.
        render: the renderer's block function; its result is what the budget is measured on.
    """
    unique, rules = choice.patterns, choice.guidance
    packer = _Packer(choice, limits, frame, render)
    if packer.take(unique[: limits.patterns], rules[: limits.rules]):
        return packer.finish([*unique[limits.patterns :], *rules[limits.rules :]])
    for item in _interleave(unique[:MAX_TRIES], rules[:MAX_TRIES]):
        packer.offer(item)
    return packer.finish([*unique[MAX_TRIES:], *rules[MAX_TRIES:]])


class _Packer:
    def __init__(
        self, choice: Choice, limits: Limits, frame: BlockContext, render: Callable[[BlockContext], str]
    ) -> None:
        self._choice = choice
        self._limits = limits
        self._frame = replace(frame, given=len(choice.given))
        self._render = render
        self._patterns: list[Scored] = []
        self._guidance: list[Chosen] = []
        self._left_out: list[LeftOutRecord] = []

    def take(self, patterns: Sequence[Scored], guidance: Sequence[Chosen]) -> bool:
        """Take all of them in if together they stay within the budget, as mostly: one rendering tells."""
        patterns = sorted(patterns, key=_place)
        block = self._render(self._context(patterns, guidance, left_out=0))
        fits = self._limits.admit(block)
        if fits:
            self._patterns, self._guidance = patterns, list(guidance)
        return fits

    def offer(self, item: Scored | Chosen) -> None:
        """Take an item in if its kind has a place left and the block stays within the budget."""
        if isinstance(item, Scored):
            full = len(self._patterns) >= self._limits.patterns
            patterns, guidance = sorted([*self._patterns, item], key=_place), self._guidance
        else:
            full = len(self._guidance) >= self._limits.rules
            patterns, guidance = self._patterns, [*self._guidance, item]
        if full:
            self._left_out.append(_left_out(item, "limit"))
            return
        # As rendered in the end, with the remark that items were left out, as many as can be: a budget is a
        # budget.
        block = self._render(self._context(patterns, guidance, left_out=2 * MAX_TRIES))
        if not self._limits.admit(block):
            self._left_out.append(_left_out(item, "budget"))
            return
        self._patterns, self._guidance = patterns, guidance

    def finish(self, untried: Sequence[Scored | Chosen]) -> Pack:
        """The pack as it stands."""
        left_out = [
            *self._left_out,
            *(_left_out(item, "session") for item in self._choice.given),
            *(_left_out(item, "threshold") for item in self._choice.weak),
            *(_left_out(item, "duplicate") for item in self._choice.repeated),
            *(_left_out(item, "limit") for item in untried),
        ]
        over = sum(1 for item in left_out if item.reason == "budget")
        block = self._render(self._context(self._patterns, self._guidance, over)) if self._any else ""
        return Pack(
            patterns=tuple(self._patterns),
            guidance=tuple(self._guidance),
            left_out=tuple(sorted(left_out, key=lambda item: (-item.score, item.id))),
            block=block,
            tokens=estimate_tokens(block),
            coverage=self._coverage,
        )

    @property
    def _any(self) -> bool:
        return bool(self._patterns or self._guidance)

    @property
    def _coverage(self) -> float:
        return max((item.candidate.coverage for item in self._patterns), default=0.0)

    def _context(self, patterns: Sequence[Scored], guidance: Sequence[Chosen], left_out: int) -> BlockContext:
        # What the agent was given before covers the task as well.
        held = [item for item in self._choice.given if isinstance(item, Scored)]
        known = [*patterns, *held]
        coverage = max((item.candidate.coverage for item in known), default=1.0)
        return replace(
            self._frame,
            patterns=tuple(pattern_line(item, self._choice.changed) for item in patterns),
            guidance=tuple(guidance_line(item, self._choice.changed) for item in guidance),
            left_out=left_out,
            coverage=coverage,
            low_coverage=coverage < LOW_COVERAGE and not any(item.candidate.exact for item in known),
        )


def pattern_line(item: Scored, changed: Collection[str] = ()) -> PatternLine:
    """How a pattern reads.

    Args:
        item: the pattern.
        changed: ids of what the agent was given before with another content.
    """
    evidence = item.candidate.evidence
    return PatternLine(
        name=evidence.name,
        kind=evidence.kind.value,
        relevance=item.relevance,
        description=describe(evidence),
        path=evidence.path,
        start=evidence.start,
        end=evidence.end,
        changed=evidence.id in changed,
    )


def guidance_line(item: Chosen, changed: Collection[str] = ()) -> GuidanceLine:
    """How a rule or warning reads.

    Args:
        item: the rule or warning.
        changed: as for `pattern_line`.
    """
    evidence, guidance = item.evidence, item.guidance
    return GuidanceLine(
        kind=_GUIDANCE_KINDS[evidence.kind],
        statement=one_line(guidance.statement, STATEMENT_LIMIT),
        evidence_count=guidance.evidence_count,
        severity=guidance.severity,
        path=evidence.path,
        start=evidence.start,
        end=evidence.end,
        changed=evidence.id in changed,
    )


def describe(evidence: Evidence) -> str:
    """One sentence: the first of its own documentation, else its signature, else what kind of thing it is."""
    return one_line(described_by(evidence), DESCRIPTION_LIMIT)


def described_by(evidence: Evidence) -> str:
    """What a description is made of, as the index has it."""
    first = _SENTENCE_END.split(_without_markup(evidence.doc).strip(), maxsplit=1)[0]
    return first or evidence.signature or _sort_of(evidence)


def _sort_of(evidence: Evidence) -> str:
    if evidence.kind not in (Kind.MODULE, Kind.DOCUMENT):
        return ""
    return f"{evidence.source_kind.value.capitalize()} in {evidence.language}."


def _without_markup(doc: str) -> str:
    text = _INLINE_TAG.sub(r"`\1`", _HTML.sub("", doc))
    return _ROLE.sub("", text).replace("``", "`")


def _without_duplicates(
    patterns: Sequence[Scored], given: Sequence[Scored]
) -> tuple[list[Scored], list[Scored]]:
    """Copies of the same content, second parts of the same thing, and passages that read alike.

    All are left to the best of them; copies of what was given before, to that.
    """
    seen = {key for item in given for key in _sayings(item.candidate.evidence)}
    unique: list[Scored] = []
    duplicates: list[Scored] = []
    for item in patterns:
        keys = _identities(item.candidate.evidence)
        (duplicates if keys & seen else unique).append(item)
        seen |= keys
    return unique, duplicates


def _with_documents_behind(patterns: list[Scored], limit: int) -> list[Scored]:
    """The same patterns, but those that only explain, beyond the first few, after all that is tried before.

    Every function of a subject has its words in common with the chapters about it, which are written in them:
    unbounded, they would take the places of the code that a task is to change.
    """
    explaining = [item for item in patterns if _explains(item.candidate.evidence)]
    behind = {id(item) for item in explaining[limit:]}
    first = [item for item in patterns if id(item) not in behind]
    room = max(0, MAX_TRIES - len(explaining[limit:]))
    return [*first[:room], *explaining[limit:], *first[room:]] if behind else patterns


def _explains(evidence: Evidence) -> bool:
    """Whether it is a document that neither binds, as a decision does, nor is at work, as settings are."""
    return evidence.kind in (Kind.SECTION, Kind.DOCUMENT) and evidence.authority in _EXPLAINING


def _place(item: Scored) -> tuple[float, tuple[str, int, str]]:
    return (-item.score, item.candidate.evidence.sort_key)


def _identities(evidence: Evidence) -> set[str]:
    """What two items must not have in common to stand in one brief.

    Documents are kept in several versions that differ in a word somewhere; in a brief they read the same.
    """
    return {thing_id(evidence.id), *_sayings(evidence)}


def _sayings(evidence: Evidence) -> set[str]:
    """By what two items are told to say the same; another part of the same thing says something else."""
    keys = {evidence.content_hash}
    if evidence.kind in (Kind.SECTION, Kind.DOCUMENT):
        keys.add(f"{evidence.name}\0{describe(evidence)}")
    return keys


def _without_repetition(
    guidance: Sequence[Chosen], given: Sequence[Chosen]
) -> tuple[list[Chosen], list[Chosen]]:
    """What says the same, word for word, is said once."""
    said = {_words_of(item) for item in given}
    unique: list[Chosen] = []
    repeated: list[Chosen] = []
    for item in guidance:
        words = _words_of(item)
        (repeated if words in said else unique).append(item)
        said.add(words)
    return unique, repeated


def _words_of(item: Chosen) -> str:
    return " ".join(item.guidance.statement.split())


def _interleave(patterns: Sequence[Scored], guidance: Sequence[Chosen]) -> Iterator[Scored | Chosen]:
    for pattern, rule in zip_longest(patterns, guidance):
        if pattern is not None:
            yield pattern
        if rule is not None:
            yield rule


def _left_out(item: Scored | Chosen, reason: LeftOutReason) -> LeftOutRecord:
    evidence = item.candidate.evidence if isinstance(item, Scored) else item.evidence
    return LeftOutRecord(id=evidence.id, score=item.score, reason=reason)
