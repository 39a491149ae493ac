"""Frames: what is written is read, and nothing else is."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augmenter.app.daemon.protocol import (
    HEADER_BYTES,
    MOST_EVENT,
    MOST_MILLISECONDS,
    MOST_PATH,
    OTHER,
    PROTOCOL,
    VERBS,
    WORDS,
    FrameError,
    Request,
    answer_line,
    is_older,
    parse_answer,
    parse_request,
)
from knowledge.version import VERSION

_versions = st.from_regex(r"[0-9]{1,3}(\.[0-9]{1,3}){0,3}(rc[0-9])?", fullmatch=True)
_lengths = st.tuples(st.integers(0, MOST_PATH), st.integers(0, MOST_PATH), st.integers(0, MOST_EVENT))


@given(
    st.sampled_from(VERBS),
    st.sampled_from(["-", "generic", "claude-code"]),
    st.integers(1, MOST_MILLISECONDS),
    _lengths,
    _versions,
)
def test_a_request_is_read_as_it_was_written(verb, host, milliseconds, lengths, version):
    line = Request(verb, host, milliseconds, lengths, version).line()
    assert line.endswith(b"\n")
    assert len(line) <= HEADER_BYTES
    read = parse_request(line[:-1])
    assert (read.verb, read.host, read.milliseconds) == (verb, host, milliseconds)
    assert (read.lengths, read.version, read.protocol) == (lengths, version, PROTOCOL)
    assert read.is_same == (version == VERSION)


@given(st.sampled_from(WORDS), st.integers(0, 255), st.integers(0, MOST_EVENT))
def test_an_answer_is_read_as_it_was_written(word, code, length):
    assert parse_answer(answer_line(word, code, length)[:-1]) == (word, code, length)


@given(st.binary(max_size=300) | st.from_regex(r"prebrief [0-9 a-z.-]*", fullmatch=True).map(str.encode))
def test_whatever_comes_is_a_frame_or_a_frame_error(line):
    for parse in (parse_request, parse_answer):
        with contextlib.suppress(FrameError):
            parse(line)


@given(st.integers(PROTOCOL + 1, 10**6), _versions, st.text("abc 123", max_size=20))
def test_another_protocol_is_understood_to_be_another(protocol, version, rest):
    line = f"prebrief {protocol} {version} {rest}".encode()
    request = parse_request(line)
    assert (request.protocol, request.version, request.is_same) == (protocol, version, False)
    assert parse_answer(line) == (OTHER, 0, 0)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"GET / HTTP/1.1",
        b"prebrief",
        b"prebrief 1 0.1.0",
        b"prebrief 1 0.1.0 hook generic 1000 0 0",
        b"prebrief 1 0.1.0 hook generic 0 0 0 0",
        b"prebrief 1 0.1.0 hook generic 60001 0 0 0",
        b"prebrief 1 0.1.0 hook generic 1000 0 0 67108865",
        b"prebrief 1 0.1.0 hook generic 1000 16385 0 0",
        b"prebrief 1 0.1.0 hook generic 1000 -1 0 0",
        b"prebrief 1 0.1.0 hook generic 1000 0 0 99999999999",
        b"prebrief 1 0.1.0 hook generic 1000 0 0 \xd9\xa1",
        b"prebrief 1 0.1.0 delete generic 1000 0 0 0",
    ],
)
def test_what_is_no_request_is_refused(line):
    with pytest.raises(FrameError):
        parse_request(line)


def test_versions_are_compared_by_their_numbers():
    assert is_older("0.9.0", "0.10.0")
    assert is_older("0.1", "0.1.1")
    assert not is_older("1.0.0", "1.0.0")
    assert not is_older("2.0.0rc1", "1.9.9")
    assert is_older("", "0.1.0")
