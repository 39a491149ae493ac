"""The path of a dispatch, step by step: a task goes in, a brief comes out.

    understand → query → gather → narrow → signals → score → threshold → guidance → choose → pack → render

Nothing here calls a model, the network or git, and nothing reads the clock but for durations.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from augmenter.candidates import Filters, gather, narrow
from augmenter.channels.past import Lessons, no_lessons
from augmenter.deadline import Deadline
from augmenter.factors import Scored, make_scale, score_all
from augmenter.guidance import Chosen, choose_guidance
from augmenter.pack import Limits, Pack, choose, pack
from augmenter.preamble import split_preamble
from augmenter.profiles import WeightProfile
from augmenter.query import NOTHING, Expansion, Query, make_query
from augmenter.relevance import part
from augmenter.seen import unseen
from augmenter.signals.signals import signals_of
from augmenter.task import Task, understand
from knowledge.catalog.reader import CatalogReader
from knowledge.catalog.rows import FileRow
from knowledge.learned import LearnedState
from knowledge.settings import Settings
from knowledge.taxonomy import Taxonomy
from templates.context import BlockContext
from templates.render import Renderer

SCOPE_DEPTH = 10  # the first patterns whose paths count towards a rule's scope


@dataclass(frozen=True, slots=True)
class Request:
    """One dispatch's question.

    Attributes:
        task: the task's text, exactly as it will be handed on.
        preamble: what is to stand on top, or None to look for it in the task.
        filters: hard filters.
        limits: counts and tokens.
        format: of the brief.
        seen: what the agent's context window holds: content hash by evidence id.
        tags: of the taxonomy, which count as the task's own.
        templates: folder of templates, in place of the settings' own; ``""`` takes those.
    """

    task: str
    preamble: str | None
    filters: Filters
    limits: Limits
    format: str
    seen: Mapping[str, str] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    templates: str = ""


@dataclass(frozen=True, slots=True)
class Tools:
    """What the pipeline works with; made once by the composition root.

    Attributes:
        reader: the catalog.
        settings: the project's.
        taxonomy: shipped tags and the project's own.
        profile: weight profile.
        learned: looks up what the ledger taught about evidence ids.
        renderer: of the brief's format.
        stale: whether the tree has moved on since these files were indexed.
        tick: a monotonic clock, for durations only.
        lessons: looks up past dispatches whose tasks were like one.
    """

    reader: CatalogReader
    settings: Settings
    taxonomy: Taxonomy
    profile: WeightProfile
    learned: Callable[[Collection[str]], Mapping[str, LearnedState]]
    renderer: Renderer
    stale: Callable[[Mapping[str, FileRow]], bool]
    tick: Callable[[], float]
    lessons: Lessons = no_lessons


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a task found, before anything is packed.

    Attributes:
        task: the task, understood.
        query: what it asked.
        scored: all candidates, best first.
        relevant: those above the threshold, best first.
        below: those below it, best first.
        as_of: seconds since the epoch that stood for now.
    """

    task: Task
    query: Query
    scored: list[Scored]
    relevant: list[Scored]
    below: list[Scored]
    as_of: int


@dataclass(frozen=True, slots=True)
class Result:
    """A brief and how it came about.

    Attributes:
        prompt: preamble, context block, task.
        preamble: what stands on top.
        ranking: what was found.
        pack: what was offered.
        stale: whether the index is older than the tree.
        files: the files by which that was told.
        seen: what of the working set had a part in this: content hash by evidence id.
        timings_ms: by step.
    """

    prompt: str
    preamble: str
    ranking: Ranking
    pack: Pack
    stale: bool
    files: Mapping[str, FileRow]
    seen: Mapping[str, str]
    timings_ms: dict[str, float]


@dataclass(slots=True)
class Stopwatch:
    """Durations of steps, each under the eye of the deadline."""

    tick: Callable[[], float]
    deadline: Deadline
    timings_ms: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time one step; raises DeadlineExceeded when the time is up."""
        self.deadline.check(name)
        began = self.tick()
        yield
        self.timings_ms[name] = round((self.tick() - began) * 1000, 3)


def augment(request: Request, tools: Tools, deadline: Deadline) -> Result:
    """Make a brief.

    Raises:
        CatalogError: the index cannot be read.
        TemplateError: the brief cannot be rendered.
        DeadlineExceeded: it took too long.
    """
    watch = Stopwatch(tools.tick, deadline)
    preamble, body = split_preamble(request.task, request.preamble, tools.settings.brief.preamble)
    ranking = rank(body, request.filters, tools, watch, request.tags)
    with watch.step("guidance"):
        guidance = _guidance(ranking, tools) if request.limits.rules else []
    with watch.step("choose"):
        limits = _limits(request.limits, ranking.query, tools.settings)
        fresh = unseen(ranking.relevant, guidance, request.seen)
        choice = choose(fresh, limits)
    with watch.step("stale"):
        files = _files_of(choice.patterns[: limits.patterns], tools.reader)
        stale = tools.stale(files)
    with watch.step("pack"):
        frame = BlockContext(below_threshold=len(ranking.below), stale=stale)
        chosen = pack(choice, limits, frame, tools.renderer.block)
    with watch.step("render"):
        changed = chosen.block or request.preamble
        prompt = tools.renderer.prompt(preamble, chosen.block, body) if changed else request.task
    deadline.check("render")
    return Result(prompt, preamble, ranking, chosen, stale, files, fresh.seen, watch.timings_ms)


def rank(text: str, filters: Filters, tools: Tools, watch: Stopwatch, tags: tuple[str, ...] = ()) -> Ranking:
    """Everything relevant to a task, in order: the retrieval half of the pipeline."""
    with watch.step("understand"):
        task = understand(text, tools.settings.dispatch.max_task_bytes)
    with watch.step("query"):
        statistics = tools.reader.statistics()
        as_of = int(tools.reader.meta().get("as_of", "0"))
        expansion = _expansion(task, tools, as_of)
        query = make_query(task, tools.reader, statistics, tools.taxonomy, expansion, tags)
    switches = tools.settings.channels
    with watch.step("gather"):
        gathered = gather(query, tools.reader, filters, switches, tools.lessons)
    with watch.step("narrow"):
        if tools.settings.ranking.narrow:
            gathered = narrow(gathered, query)
    with watch.step("signals"):
        signals = signals_of(gathered, query, switches) if tools.profile.signals else []
    with watch.step("score"):
        learned = tools.learned([candidate.evidence.id for candidate in gathered.candidates])
        scored = score_all(gathered.candidates, tools.profile, make_scale(query, learned, as_of), signals)
    relevant, below = part(scored, query, tools.settings.ranking.threshold)
    return Ranking(task, query, scored, relevant, below, as_of)


def _expansion(task: Task, tools: Tools, as_of: int) -> Expansion:
    """What the project's nicknames in the task stand for."""
    entries = tools.reader.glossary() if tools.settings.channels.glossary else ()
    if not entries:
        return NOTHING
    from augmenter.glossary import expand  # noqa: PLC0415 - few projects have one; 3 ms of a cold start

    return expand(task, entries, as_of)


def _limits(limits: Limits, query: Query, settings: Settings) -> Limits:
    """The limits, with as many documents as the task calls for."""
    wanted = limits.patterns if query.explains else settings.brief.documents
    return replace(limits, documents=wanted)


def _guidance(ranking: Ranking, tools: Tools) -> list[Chosen]:
    mentioned = [mention.path for mention in ranking.query.mentions if mention.path]
    first = [item.candidate.evidence.path for item in ranking.relevant[:SCOPE_DEPTH]]
    rows = tools.reader.guidance()
    return choose_guidance(rows, ranking.task, ranking.query, [*mentioned, *first], ranking.as_of)


def _files_of(items: Sequence[Scored], reader: CatalogReader) -> dict[str, FileRow]:
    return reader.files({item.candidate.evidence.path for item in items})
