"""What of a span is measured, once or twice: data_quality and the line on what a page rests on."""

import datetime as dt
import random
from collections.abc import Sequence

import duckdb
import pytest
from sql_lake import START, Lake, one

from iosq.toolkit.report import quality
from iosq.toolkit.sql.catalog import named
from tests.length import tried
from tests.settle import settled

Minutes = tuple[float, float]  # start and length
HOUR = [(minute, 15.0) for minute in (0.0, 15.0, 30.0, 45.0)]


def measured(**systems: Sequence[Minutes]) -> duckdb.DuckDBPyConnection:
    """One device per system, in intervals of this many minutes."""
    lake = Lake()
    for system, intervals in systems.items():
        for start, length in intervals:
            at = {"system": system, "interval_start": START + dt.timedelta(minutes=start), "interval_s": 60 * length}
            record = lake.record()
            lake.add("smf74_1_record", record_id=record, SMF74FLA=0, **at)
            lake.control(record=record, **at)
            lake.device("2208", record=record, **at)
    return lake.connect()


def heading(**systems: Sequence[Minutes]) -> str:
    """The line on what a page of these intervals rests on."""
    con = measured(**systems)
    with settled(con, [view.name for view in named(quality.SYSTEMS.sql)]):
        return quality.heading(con)


@pytest.mark.parametrize("seed", tried(range(2), range(4)))
def test_measured_and_unmeasured_time_make_the_span(seed: int) -> None:
    """Whatever the lengths, gaps and overlaps: counted minute by minute."""
    draw, at, intervals = random.Random(seed), 0, []
    for _ in range(12):
        intervals.append((float(at), float(draw.choice([1, 4, 15, 15, 60]))))
        at = max(at + 1, int(sum(intervals[-1])) + draw.choice([0, 0, 0, -7, -1, 1, 6, 40]))
    row = one(measured(SYSA=intervals), "SELECT * FROM data_quality")
    held = [int(start) + minute for start, length in intervals for minute in range(int(length))]
    assert row["span_s"] == 60 * (max(held) + 1)
    assert row["unmeasured_s"] == 60 * (max(held) + 1 - len(set(held)))
    assert row["span_s"] - row["unmeasured_s"] == 60 * len(set(held))
    assert bool(row["overlap_s"]) == (len(held) > len(set(held)))


@pytest.mark.parametrize(
    ("intervals", "text"),
    [
        (HOUR, "none missing."),
        # clocks, and listings that print the minute: not a gap
        ([(0, 15), (15.9, 14), (30, 15)], "none missing."),
        (HOUR[:2] + HOUR[3:], "1 missing."),
        # a restart of RMF: 253 s, 367 s with nothing, then 40 s and 240 s
        ([*HOUR, (60, 253 / 60), (620 / 60 + 60, 40 / 60), (71, 4)], "none missing, but 6.1 min between them"),
        ([*HOUR, (85, 15), (106, 15)], "2 missing, 31 min between them not measured."),
        # set back by seven minutes, at 09:30 of a clock an hour east
        ([*HOUR[:2], (23, 15), (38, 15)], "none missing. Intervals overlap on SYSA by 7 min (first at 10:23 on "),
    ],
    ids=["whole", "minutes", "one", "restart", "longer", "set back"],
)
def test_the_line_says_what_is_not_measured(intervals: list[Minutes], text: str) -> None:
    assert f"intervals of 15 min, {text}" in heading(SYSA=intervals)


def test_mixed_lengths_are_reported() -> None:
    five = [(60.0 + 5 * n, 5.0) for n in range(12)]
    near = [(5.0 * n, 5.0) for n in range(12)]
    assert "intervals of 5 min and 15 min, none missing." in heading(SYSA=[*HOUR, *five])
    assert "intervals of 5 min and 15 min, none missing." in heading(SYSA=HOUR, SYSB=near)
    # a restart or two is no other length
    assert "intervals of 15 min, none missing." in heading(SYSA=[*HOUR, *five[:3]])


def test_a_system_that_comes_later_is_reported() -> None:
    given = heading(SYSA=HOUR, SYSB=HOUR[2:], SYSC=HOUR[:3])
    assert "SYSB is measured 10:30-11:00 on 2026-03-02 only." in given
    assert "SYSC is measured" not in given  # by an interval: the ends of dumps differ
    assert "only" not in heading(SYSA=HOUR, SYSB=HOUR)
