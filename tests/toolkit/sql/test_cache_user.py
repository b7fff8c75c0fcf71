"""What systems did with a subsystem's devices is doubted where more than was counted, never for unequal clocks."""

import datetime as dt
from bisect import bisect_left
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from sql_lake import all_rows
from view_rows import EVER, over

from tests.length import tried

DAY = dt.datetime(2026, 3, 10, 8)
QUARTER = 900
TOO_MANY = "more I/Os than counted"
Span = tuple[float, float, float]  # seconds from DAY, length, I/Os


def doubts(counted: Sequence[Span], boxes: str | None = None, **used: Sequence[Span]) -> list[str | None]:
    """The doubt of each interval COUNTED by SYSA, with what each system USED of one volume."""
    volumes: list[dict[str, Any]] = []
    for system, spans in used.items():
        common = {"system": system, "volume": "VOL001", "volser": "VOL001", "subsystem": "1800", "disc_ms": 1.0}
        volumes += [common | _at(start, length) | {"io_rate": ios / length} for start, length, ios in spans]
    cache = [_at(start, length) | {"subsystem": "1800", "io_count": ios} for start, length, ios in counted]
    box = EVER | {"subsystem": "1800", "box": "CD472", "boxes": boxes}
    with over(
        ["cache_alignment", "cache_user_interval"],
        volume_interval=volumes,
        measured_interval=[{k: v for k, v in row.items() if k.startswith(("system", "interval"))} for row in volumes],
        cache_interval=[_at(start, length) | {"source": "rmf.cache"} for start, length, _ in counted],
        cache_subsystem_interval=cache,
        box_subsystem=[box],
    ) as con:
        found = {row["interval_start"]: row["doubt"] for row in all_rows(con, "SELECT * FROM cache_user_interval")}
    return [found.get(_at(start, length)["interval_start"]) for start, length, _ in counted]


def _at(start: float, length: float) -> dict[str, Any]:
    return {"interval_start": DAY + dt.timedelta(seconds=start), "interval_s": float(length)}


def quarters(*ios: float, late: float = 0) -> list[Span]:
    return [(QUARTER * n + late, QUARTER, each) for n, each in enumerate(ios)]


@pytest.mark.parametrize(("ios", "doubt"), [(900, None), (500, None), (989, None), (991, TOO_MANY), (1800, TOO_MANY)])
@pytest.mark.parametrize("late", [0, 7, -7])
def test_a_tenth_more_than_was_counted_is_too_many(ios: float, doubt: str | None, late: float) -> None:
    calm = quarters(900, ios, 900, late=late)
    assert doubts(quarters(900, 900, 900), SYSA=calm)[1] == doubt


def test_two_systems_that_did_as_much_as_was_counted_for_one_are_too_many() -> None:
    given = quarters(900, 1200, 700)
    assert doubts(given, SYSA=given, SYSB=given) == [TOO_MANY] * 3
    assert doubts(given, SYSA=given) == [None] * 3


def test_an_hour_of_devices_is_compared_with_its_four_quarters() -> None:
    """All I/Os came in one quarter: the others have four times as many as were counted in them, and no doubt."""
    counted = quarters(9000, 0, 90, 9)
    assert doubts(counted, SYSA=[(0, 3600, 9099)]) == [None] * 4
    assert doubts(counted, SYSA=[(0, 3600, 9099)], SYSB=[(0, 3600, 9099)])[2] == TOO_MANY


def test_a_clock_minutes_late_puts_a_burst_into_the_interval_before() -> None:
    """A burst at 1,000 s: in the first interval of devices, which began at 250 s, and in the second of the cache."""
    counted, used = quarters(90, 9000, 90), quarters(9000, 90, 90, late=250)
    assert doubts(counted, SYSA=used) == [None] * 3


def test_where_counts_are_missing_nothing_is_doubted() -> None:
    assert doubts(quarters(900, 900, 900), SYSA=[(0, 3600, 9000)]) == [None] * 3


def test_an_id_in_several_boxes_is_doubted_where_another_system_uses_it() -> None:
    given = quarters(900, 900)
    assert doubts(given, "AB121|CD472", SYSA=given) == [None] * 2, "the system that gathered uses the box that counted"
    assert doubts(given, "AB121|CD472", SYSA=quarters(800, 900), SYSB=quarters(100)) == ["several boxes", None]
    assert doubts(given, "AB121|CD472", SYSB=given) == ["several boxes"] * 2


@pytest.mark.parametrize("seed", tried(range(2), range(6)))
def test_no_clock_and_no_length_of_intervals_makes_a_doubt(seed: int) -> None:
    """I/Os at random moments, each counted once by devices and by the cache, on any clocks, with gaps."""
    random = Random(seed)
    moments = sorted(random.choice([random.gauss(9000, 400), random.uniform(0, 36_000)]) for _ in range(20_000))
    late, length = random.uniform(-800, 800), random.choice([60, 300, 900, 1800, 3600, 420])
    spans = [_spans(moments, at, step, random) for at, step in ((0, QUARTER), (late, length))]
    assert set(doubts(spans[0], SYSA=spans[1])) == {None}


def _spans(moments: Sequence[float], late: float, length: float, random: Random) -> list[Span]:
    starts = [late + n * length for n in range(int(36_000 / length)) if random.random() < 0.9]
    before = [bisect_left(moments, at) for at in starts], [bisect_left(moments, at + length) for at in starts]
    return [(at, length, end - begin) for at, begin, end in zip(starts, *before, strict=True)]
