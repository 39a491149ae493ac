"""Asking one case and judging the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from augmenter.augment import Request, Result, Tools, augment
from augmenter.candidates import EVERYTHING
from augmenter.deadline import Deadline
from augmenter.factors import AUTHORITY_VALUES, Scored
from augmenter.pack import Limits
from evals.asking import FUNCTIONS, ranking_of
from evals.cases import Answer, Case
from evals.evaluation.configurations import Configuration
from evals.evaluation.outcomes import DIGITS, Offer, Outcome, Ranks, Timed
from evals.metrics import (
    all_at,
    any_at,
    file_ranks_of,
    hits,
    ndcg_at,
    precision_of,
    ranks_of,
    recall_at,
    reciprocal_rank,
)
from indexer.languages import BY_NAME, is_header, language_of
from knowledge.types import Evidence, Status

LIMIT = 50  # items of a ranking that are looked at, as many as `Augmenter.rank` gives
RECALL_CUTS = (1, 5, 10, 20)
FILE_CUTS = (1, 5, 10)
FUNCTION_CUTS = (5, 10)


@dataclass(frozen=True, slots=True)
class Place:
    """An index that cases are asked of.

    Attributes:
        tools: of the pipeline, under any settings.
        fingerprint: of the index.
        unchanged: whether a file is as it was indexed.
    """

    tools: Tools
    fingerprint: str
    unchanged: Callable[[str], bool]


def ask(case: Case, configuration: Configuration, place: Place) -> Timed:
    """Ask a case as a dispatch would, without its deadline and without a receipt.

    Quality is judged on what is ranked (functions alone, for figures of functions) and on the brief.

    Raises:
        PrebriefError: the index cannot be used.
    """
    tools = replace(place.tools, settings=configuration.settings, profile=configuration.profile)
    began = tools.tick()
    result = augment(_request(case, configuration), tools, Deadline(tools.tick))
    milliseconds = round((tools.tick() - began) * 1000, 3)
    about_functions = is_about_functions(case)
    functions = _first(ranking_of(case.task, FUNCTIONS, tools).scored) if about_functions else []
    return Timed(_judge(case, configuration, place, result, functions), milliseconds)


def is_about_functions(case: Case) -> bool:
    """Whether all answers are in code and more than whole files, so that functions can answer it."""
    return bool(case.relevant) and all(map(_is_function, case.relevant))


def _is_function(answer: Answer) -> bool:
    if answer.id:
        return answer.id.startswith("symbol:")
    return bool(answer.name or answer.start) and (
        language_of(answer.path) in BY_NAME or is_header(answer.path)
    )


def _request(case: Case, configuration: Configuration) -> Request:
    brief = configuration.settings.brief
    limits = Limits(brief.patterns, brief.rules, brief.budget)
    return Request(case.task, None, EVERYTHING, limits, brief.format)


def _judge(
    case: Case, configuration: Configuration, place: Place, result: Result, functions: list[Evidence]
) -> Outcome:
    everything = _first(result.ranking.scored)
    ranks = Ranks(
        everything=ranks_of(everything, case.relevant),
        functions=ranks_of(functions, case.relevant) if is_about_functions(case) else (),
        # As the public benchmark has it, files are ranked by their functions where functions are asked for.
        files=file_ranks_of(functions if is_about_functions(case) else everything, case.relevant),
    )
    chosen = [item.candidate.evidence for item in result.pack.patterns]
    offered = tuple(_offer(item, case, place) for item in chosen)
    figures = dict(_figures(case, ranks, chosen, result.pack.tokens))
    outcome = Outcome(
        case=case.id,
        configuration=configuration.name,
        abstain=case.abstain,
        ranks=ranks,
        offered=offered,
        coverage=round(result.pack.coverage, DIGITS),
        tokens=result.pack.tokens,
        index=place.fingerprint,
        figures={},
    )
    if offered:
        figures["worth"] = outcome.worth
    rounded = {name: round(value, DIGITS) for name, value in sorted(figures.items())}
    return replace(outcome, figures=rounded)


def _first(scored: Sequence[Scored]) -> list[Evidence]:
    return [item.candidate.evidence for item in scored[:LIMIT]]


def _offer(item: Evidence, case: Case, place: Place) -> Offer:
    return Offer(
        id=item.id,
        path=item.path,
        name=item.name,
        start=item.start,
        end=item.end,
        hit=any(hits(item, answer) for answer in case.relevant),
        authority=AUTHORITY_VALUES[item.authority],
        usable=item.status is Status.CURRENT and place.unchanged(item.path),
    )


def _figures(
    case: Case, ranks: Ranks, offered: Sequence[Evidence], tokens: int
) -> Iterator[tuple[str, float]]:
    """Figures by name, as far as they are defined for the case; `evals.evaluation.figures` tells each."""
    yield "tokens", float(tokens)
    if not offered:
        yield "abstention_precision", float(case.abstain)
    else:
        yield "brief_precision", precision_of(offered, case.relevant)
    if case.abstain:
        yield "abstention_recall", float(not offered)
        return
    yield "answered", float(bool(offered))
    yield "brief_recall", recall_at(ranks_of(offered, case.relevant), len(offered))
    yield "mrr", reciprocal_rank(ranks.everything)
    yield "ndcg@10", ndcg_at(ranks.everything, 10)
    for k in RECALL_CUTS:
        yield f"recall@{k}", recall_at(ranks.everything, k)
    for k in FILE_CUTS:
        yield f"file_acc@{k}", all_at(ranks.files, k)
    for k in FUNCTION_CUTS if ranks.functions else ():
        yield f"fn_any@{k}", any_at(ranks.functions, k)
        yield f"fn_acc@{k}", all_at(ranks.functions, k)
