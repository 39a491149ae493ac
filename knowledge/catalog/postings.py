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
from heapq import nsmallest

MAX_POSITION = (1 << 24) - 1
MAX_LENGTH = 63  # terms of a message that are told apart from more
MAX_COUNT = 3  # times that a message has a term that are told apart from more
_LENGTH_BITS = 6
_LOW_BITS = 8
_LOW_MASK = (1 << _LOW_BITS) - 1
_TYPE = "I"  # four bytes

# Robertson and Zaragoza (2009), "The Probabilistic Relevance Framework: BM25 and Beyond"; the usual values.
_SATURATION = 1.2
_NORMALIZATION = 0.75
# Postings that one question looks at, in the order of its terms: half a millisecond.
MAX_POSTINGS = 3_000


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
    postings: Mapping[str, bytes], terms: Sequence[str], count: int, total: int, limit: int
) -> list[tuple[float, int]]:
    """The commits that fit best: score and position, best first, of equals the newest first.

    Args:
        postings: by term.
        terms: in the order in which they are looked at: at least one, then until `MAX_POSTINGS`.
        count: of commits that are searched.
        total: of their terms.
        limit: at most so many.
    """
    weights = _weights(total / max(1, count))
    scores: dict[int, float] = {}
    room = MAX_POSTINGS
    for term in dict.fromkeys(terms):
        found = unpack(postings.get(term, b""))
        if len(found) > room and room < MAX_POSTINGS:
            continue
        room -= len(found)
        rarity = math.log(1 + (count - len(found) + 0.5) / (len(found) + 0.5))
        for one in found:
            position = one >> _LOW_BITS
            scores[position] = scores.get(position, 0.0) + rarity * weights[one & _LOW_MASK]
    ranked = nsmallest(limit, ((-score, -position) for position, score in scores.items()))
    return [(-score, -position) for score, position in ranked]


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
