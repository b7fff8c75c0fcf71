"""Damage over days: trend and compare say about a sound system what they say without the damaged one."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.toolkit.compare import Change, compare
from iosq.toolkit.compare.series import MEASURES
from iosq.toolkit.trend import trends

FIRST, DAYS = dt.datetime(2026, 3, 2), 28
COLUMNS = ("interval_start", "interval_s", "utc_offset_s", *MEASURES, "system", "lcu")
TYPES = (pa.timestamp("us"), pa.float64(), pa.int32(), *(pa.float64() for _ in MEASURES), pa.string(), pa.string())
# what views let through of a damaged record: any time, any length, values at the ends of their ranges or none
BAD_VALUES = (
    st.sampled_from([None, 0.0, 0.001, 900.0, 2_678_400.0]),
    st.sampled_from([None, 0, 3600, -82_800]),
    *(st.sampled_from([None, 0.0, 1e-300, 5.0, 3.6e6]) for _ in MEASURES),
)
ANY_TIME = st.none() | st.datetimes(dt.datetime(1970, 1, 2), dt.datetime(2099, 12, 31)) | st.just(FIRST)


def sound(days: int) -> list[tuple[Any, ...]]:
    """Hourly rows of a load that grows by 5 % a day."""
    hours = [FIRST + dt.timedelta(hours=h) for h in range(24 * days)]
    load = [100 * (1 + 0.05 * (h // 24)) * (1 + h % 24 / 24) for h in range(24 * days)]
    return [(t, 3600.0, 3600, x, 1.0, 2.0, 3.0, x / 1000) for t, x in zip(hours, load, strict=True)]


def lake(days: int, damaged: Sequence[tuple[Any, ...]]) -> duckdb.DuckDBPyConnection:
    """The views that are asked, as tables: a sound system, and rows of a damaged one in a box of its own."""
    con = duckdb.connect()
    con.execute("CREATE MACRO unix_micros(instant) AS epoch_us(instant)")
    rows = [(*r, "SYSA", "0010") for r in sound(days)] + [(*r, "SYSB", "0020") for r in damaged]
    columns = [pa.array(c, t) for c, t in zip(zip(*rows, strict=True), TYPES, strict=True)]
    con.register("arriving", pa.Table.from_arrays(columns, COLUMNS))
    con.execute("CREATE TABLE lcu_interval AS SELECT * FROM arriving")
    pool = "NULL::BIGINT AS alias_high_water, NULL::BIGINT AS hyperpav_aliases, NULL::DOUBLE AS busy_ratio"
    space = "'0000' AS extent_pool, 9 AS real_extents, 5 AS real_extents_allocated, NULL::VARCHAR AS data_set"
    pool = f"{pool}, {space}, io_rate / 1e4 AS used_ratio"
    for view, name in (
        ("box_interval", "box"),
        ("volume_interval", "volume"),
        ("channel_interval", "channel_path"),
        ("extent_pool_interval", "box"),
        ("paging_volume_interval", "area"),
    ):
        con.execute(f"CREATE VIEW {view} AS SELECT *, 'z/OS' AS platform, lcu AS {name}, {pool} FROM lcu_interval")
    con.execute("ALTER TABLE lcu_interval ADD COLUMN alias_high_water BIGINT")
    con.execute("ALTER TABLE lcu_interval ADD COLUMN hyperpav_aliases BIGINT")
    return con


def grown(damaged: Sequence[tuple[Any, ...]]) -> dict[tuple[str, ...], tuple[Any, ...]]:
    known = [t for t in trends(lake(DAYS, damaged)) if t.subject == "0010"]
    return {(t.kind, t.measure): (t.days, t.level, t.per_day, t.low, t.high) for t in known}


def changed(damaged: Sequence[tuple[Any, ...]], days: tuple[int, int]) -> tuple[list[Change], tuple[str, ...], Any]:
    known = compare(*(lake(count, damaged) for count in days))
    return [c for c in known.changes if c.subject == "0010"], known.notes, known.spans


@settings(max_examples=4, deadline=None)
@given(st.lists(st.tuples(ANY_TIME, *BAD_VALUES), min_size=1, max_size=4))
def test_a_trend_of_the_sound_system_stays(damaged: list[tuple[Any, ...]]) -> None:
    alone = grown([])
    assert alone["lcu", "io_rate"][2] == pytest.approx(5 * (1 + 11.5 / 24))
    assert grown(damaged) == alone


@settings(max_examples=8, deadline=None)
@given(st.lists(st.tuples(ANY_TIME, *BAD_VALUES), min_size=1, max_size=4), st.sampled_from([(2, 3), (2, 2), (1, 7)]))
def test_a_comparison_of_the_sound_system_stays(damaged: list[tuple[Any, ...]], days: tuple[int, int]) -> None:
    """Odd minutes and days of a damaged row are no others' slots: not a number, not a note, not a span differs."""
    alone = changed([], days)
    assert alone[0]
    assert changed(damaged, days) == alone


def test_a_row_at_an_odd_minute_moves_no_block() -> None:
    times = [FIRST + dt.timedelta(minutes=m) for m in (1, 2, 3, 7, 67)]
    damaged = [(t, 900.0, 3600, *([1.0] * len(MEASURES))) for t in times]
    assert changed(damaged, (2, 2)) == changed([], (2, 2))
