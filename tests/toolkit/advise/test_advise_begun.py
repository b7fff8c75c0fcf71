"""A fault that began: more trouble, or less proof of an end, never takes that back; an end or one interval does."""

import datetime as dt
from dataclasses import replace

import pytest
from advise_rows import database
from advise_rows import volume as measured
from hypothesis import given
from hypothesis import strategies as st

from iosq.toolkit.advise.causes import LIMITS, Load, Loads
from iosq.toolkit.advise.window import Episode
from iosq.toolkit.rows import Row

NOON = dt.datetime(2026, 3, 4, 12)
LIMIT = LIMITS.limits(None)


def volume(number: int, rate: float, slower: float, before_s: float, well_s: float = 0) -> Row:
    """A volume whose I/Os take `slower` times as long at the same rate."""
    same = {"io_rate": rate, "usual_rate": rate, "wait_ms": 0.0, "comparable_wait_ms": 0.0}
    took = {"service_ms": slower, "median_service_ms": slower, "usual_service_ms": 1.0, "comparable_ms": 1.0}
    times = {"comparable_before_s": before_s, "comparable_after_s": well_s, "comparable_then_s": 1e9}
    return {"system": "SYSA", "volume": f"V{number:05}", **same, **took, **times}


def episode(hours: float, intervals: int = 4) -> Episode:
    """Bad intervals from noon on."""
    return Episode(NOON, NOON + dt.timedelta(hours=hours), intervals, 1)


def has_begun(load: Load, when: Episode, since_h: float = 0) -> bool:
    """Whether it began, where the volumes are seen for some hours after its end."""
    return load.has_begun(when, when.last_seen + dt.timedelta(hours=since_h), LIMIT)


rates = st.lists(st.floats(1, 1000), min_size=1, max_size=6)
hours = st.floats(1, 30)


@given(rates, st.floats(1.31, 20), hours, hours, st.floats(0, 24))
def test_a_longer_fault_with_a_longer_time_before_it_has_begun_too(
    some: list[float], slower: float, bad: float, before: float, since: float
) -> None:
    """Whatever the volumes do before and after, as long as the load was well before and not since."""
    load = Load([volume(n, rate, slower, 3600 * before) for n, rate in enumerate(some)])
    assert has_begun(load, episode(bad), since)
    longer = Load([{**r, "comparable_before_s": 2 * r["comparable_before_s"]} for r in load.rows])
    assert has_begun(longer, episode(bad + 1))


@given(rates, st.floats(1.31, 20), hours, hours)
def test_one_interval_or_a_few_minutes_are_no_beginning(
    some: list[float], slower: float, bad: float, before: float
) -> None:
    """However long the interval is."""
    load = Load([volume(n, rate, slower, 3600 * before) for n, rate in enumerate(some)])
    assert not has_begun(load, episode(bad, intervals=1))
    assert not has_begun(load, episode(0.5))


@given(rates, st.floats(1.31, 20), hours, st.floats(0.1, 720))
def test_what_was_well_since_or_not_seen_for_a_day_does_not_go_on(
    some: list[float], slower: float, bad: float, since: float
) -> None:
    """The same load without it, or more than a day without that load."""
    well = Load([volume(n, rate, slower, 36000, 3600 * since) for n, rate in enumerate(some)])
    gone = Load([volume(n, rate, slower, 36000) for n, rate in enumerate(some)])
    assert not has_begun(well, episode(bad), since)
    assert not has_begun(gone, episode(bad), 24 + since)


@given(rates, st.floats(3.01, 100), hours)
def test_a_volume_whose_rate_rose_is_the_reason(some: list[float], times: float, bad: float) -> None:
    """Others got slower because of it."""
    load = Load([volume(n, rate, 2, 36000) for n, rate in enumerate(some)])
    busy = {**volume(99, 1000 * times, 2, 36000), "usual_rate": 1000.0}
    assert not has_begun(replace(load, rows=[*load.rows, busy]), episode(bad))


@given(rates, st.floats(1.31, 20), st.floats(0, 50), st.floats(0, 1))
def test_without_a_fault_the_queue_that_it_makes_is_gone_too(
    some: list[float], slower: float, wait: float, left: float
) -> None:
    """Response at comparable rates, however long the queue is; unknown where I/Os queue there as well."""
    rows = [volume(n, rate, slower, 3600) | {"wait_ms": wait} for n, rate in enumerate(some)]
    load = Load([r | {"comparable_wait_ms": left * wait / 2} for r in rows])
    assert load.without(LIMIT) == pytest.approx(1 + left * wait / 2)
    assert Load([r | {"comparable_wait_ms": wait + 1} for r in rows]).without(LIMIT) is None
    assert Load([r | {"comparable_ms": None} for r in rows]).without(LIMIT) is None


def test_what_ended_need_be_well_since_only_for_as_long_as_the_load_was_there() -> None:
    """Slow from 9 to 15 with work until 12; the same work from 15 to 18 is quick."""
    rows = [measured(n, rate=100.0 if n < 12 or n >= 24 else 2.0, disc=3.0 if n < 24 else 0.3) for n in range(36)]
    start = rows[0]["interval_start"] + dt.timedelta(hours=1)
    when = Episode(start, start + dt.timedelta(hours=6), 24, 1)
    load = Loads(database(volume_interval=rows)).during(when, {("SYSA", "VOL001")})
    assert load.has_ended(when, LIMITS.limits(), once=True, busy=False)
    again = [r for r in rows if r["io_rate"] > 2 or r["interval_start"] < rows[24]["interval_start"]][:-1]
    shorter = Loads(database(volume_interval=again)).during(when, {("SYSA", "VOL001")})
    assert not shorter.has_ended(when, LIMITS.limits(), once=True, busy=False)
