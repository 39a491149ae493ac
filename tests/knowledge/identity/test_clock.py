"""Time and dispatch ids."""

from hypothesis import given
from hypothesis import strategies as st

from knowledge.clock import Clock, format_time, is_dispatch_id, parse_time

MOMENTS = st.floats(0, 4_102_444_800)  # to the year 2100


def clock(now=1_700_000_000.0, noise=b"\0" * 10):
    return Clock(now=lambda: now, random_bytes=lambda count: noise[:count])


def test_a_dispatch_id_is_the_ulid_of_its_time_and_noise():
    # the specification's own example: 1469918176385 ms is 01ARYZ6S41
    assert clock(1469918176.385).dispatch_id() == "01ARYZ6S41" + "0" * 16
    assert clock(1469918176.385, b"\xff" * 10).dispatch_id() == "01ARYZ6S41" + "Z" * 16


@given(MOMENTS, st.binary(min_size=10, max_size=10))
def test_every_dispatch_id_is_one(now, noise):
    assert is_dispatch_id(clock(now, noise).dispatch_id())


@given(st.integers(0, 2**40), st.integers(0, 2**40))
def test_dispatch_ids_sort_by_time(first, second):
    ids = [clock(now / 1000).dispatch_id() for now in (first, second)]
    assert (ids[0] < ids[1]) == (int(first / 1000 * 1000) < int(second / 1000 * 1000))


def test_what_is_no_dispatch_id():
    good = clock().dispatch_id()
    for text in ("", good[:-1], good + "0", "8" + good[1:], good[:-1] + "U", good.lower(), "../" + good[3:]):
        assert not is_dispatch_id(text)


def test_a_time_is_written_in_utc_with_milliseconds():
    assert clock(1_700_000_000.5).timestamp() == "2023-11-14T22:13:20.500Z"


@given(MOMENTS)
def test_a_time_can_be_read_back_to_the_millisecond(moment):
    text = format_time(moment)
    assert abs(parse_time(text) - moment) < 0.0011
    assert format_time(parse_time(text)) == text


def test_real_clocks_tick():
    real = Clock()
    assert real.tick() <= real.tick()
    assert real.dispatch_id() != real.dispatch_id()
