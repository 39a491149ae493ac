"""The index of past commits' messages: for each term the commits that have it, and BM25 over them.

A posting is one number of 32 bits: the commit's position, how often its message has the term, and how many
terms the message has. So a question reads one row for each of its terms and nothing else, and a list is
brought up to date by cutting off what lies outside of the window and adding what is new.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

MAX_POSITION = (1 << 24) - 1
MAX_SPAN = 1 << 16  # between two positions of one line, which the setting holds well below
MAX_LENGTH = 63  # terms of a message that are told apart from more
MAX_COUNT = 3  # times that a message has a term that are told apart from more
_LENGTH_BITS = 6
_LOW_BITS = 8
_LOW_MASK = (1 << _LOW_BITS) - 1
_TYPE = "I"  # four bytes

# Robertson and Zaragoza (2009), "The Probabilistic Relevance Framework: BM25 and Beyond"; the usual values.
_SATURATION = 1.2
_NORMALIZATION = 0.75
# Postings that one question looks at, in the order of its terms: a third of a millisecond.
MAX_POSTINGS = 2_500


def posting(position: int, count: int, length: int) -> int:
    """One posting."""
    return position << _LOW_BITS | min(count, MAX_COUNT) << _LENGTH_BITS | min(length, MAX_LENGTH)


def unpack(data: bytes) -> array[int]:
    """The postings of a term, by position."""
    return array(_TYPE, data)


def place(one: int) -> tuple[int, int, int]:
    """Position, count and length of a posting."""
    return one >> _LOW_BITS, one >> _LENGTH_BITS & MAX_COUNT, one & MAX_LENGTH


def kept(postings: array[int], low: int, high: int) -> array[int]:
    """Those whose positions lie within, both included."""
    first = bisect_left(postings, low << _LOW_BITS)
    return postings[first : bisect_left(postings, (high + 1) << _LOW_BITS)]


def merged(postings: array[int], more: Iterable[int]) -> array[int]:
    """All of two lists, by position."""
    return array(_TYPE, sorted((*postings, *more)))


def best(
    lists: Mapping[str, bytes], terms: Sequence[str], count: int, total: int, limit: int
) -> list[tuple[float, int]]:
    """The commits that fit best: score and position, best first, of equals the newest first.

    Args:
        lists: postings by term.
        terms: each once, in the order in which they are looked at: until `MAX_POSTINGS`, but at least one.
        count: of commits that are searched.
        total: of their terms.
        limit: at most so many; at least 1.

    Raises:
        ValueError: the postings are damaged.
    """
    chosen = _chosen([found for term in terms if (found := unpack(lists.get(term, b"")))])
    if not chosen:
        return []
    low = min(found[0] for found in chosen) >> _LOW_BITS
    high = max(found[-1] for found in chosen) >> _LOW_BITS
    if high - low > MAX_SPAN:
        raise ValueError("postings are damaged")
    weights = _weights(total / max(1, count))
    scores = [0.0] * (high - low + 1)
    for found in chosen:
        rarity = math.log(1 + (count - len(found) + 0.5) / (len(found) + 0.5))
        for one in found:
            scores[(one >> _LOW_BITS) - low] += rarity * weights[one & _LOW_MASK]
    cut = sorted(scores)[-limit:][0]
    ranked = sorted((-score, -place) for place, score in enumerate(scores, low) if score >= cut and score)
    return [(-score, -position) for score, position in ranked[:limit]]


def _chosen(lists: Sequence[array[int]]) -> list[array[int]]:
    """The first, and of the others those for which there is room."""
    chosen, room = list(lists[:1]), MAX_POSTINGS - sum(map(len, lists[:1]))
    for found in lists[1:]:
        if len(found) <= room:
            chosen.append(found)
            room -= len(found)
    return chosen


@lru_cache(maxsize=4)  # of each catalog that is open
def _weights(average: float) -> list[float]:
    """BM25's weight of a term by the low bits of a posting, without the term's rarity."""
    lengths = [
        _SATURATION * (1 - _NORMALIZATION + _NORMALIZATION * length / max(1.0, average))
        for length in range(MAX_LENGTH + 1)
    ]
    return [
        count * (_SATURATION + 1) / (count + length) if count else 0.0
        for count in range(MAX_COUNT + 1)
        for length in lengths
    ]
