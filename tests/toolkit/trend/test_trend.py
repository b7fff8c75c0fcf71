"""Trends of series whose truth is known: slopes, dates, refusals and false alarms."""

import datetime as dt
from typing import Any

import duckdb
import numpy as np
import pytest

from iosq.toolkit.errors import RequestError
from iosq.toolkit.trend import Trend, slope, trends

FIRST = 20_400  # days since 1970
WEEK = np.array([1.0, 1.1, 1.2, 1.15, 0.9, 0.4, 0.3])
DAYS = 42


def wandering(rng: np.random.Generator, days: int, memory: float) -> Any:
    noise = rng.normal(0, 3.0, days)
    for i in range(1, days):
        noise[i] = memory * noise[i - 1] + np.sqrt(1 - memory**2) * noise[i]
    return noise


def numbered(days: int) -> Any:
    return np.arange(FIRST, FIRST + days)


def test_a_plain_line_gives_its_slope_whatever_the_week() -> None:
    days = numbered(DAYS)
    found = slope(days, 100 * WEEK[days % 7] + 0.5 * (days - FIRST))
    assert found
    assert found.per_day == pytest.approx(0.5)
    assert found.low == pytest.approx(0.5)
    assert found.p_value < 1e-6


def test_a_week_without_growth_is_no_trend() -> None:
    days = numbered(DAYS)
    found = slope(days, 100 * WEEK[days % 7])
    assert found
    assert found.per_day == 0
    assert found.p_value == 1


def test_one_wild_day_changes_little() -> None:
    days = numbered(DAYS)
    values = 100 * WEEK[days % 7] + 0.5 * (days - FIRST)
    values[20] = 10_000
    found = slope(days, values)
    assert found
    assert found.per_day == pytest.approx(0.5, rel=0.01)


def test_too_few_days_give_nothing() -> None:
    assert slope(numbered(20), np.arange(20.0)) is None


@pytest.mark.parametrize(("memory", "days"), [(0.0, 28), (0.0, 60), (0.4, 42), (0.4, 60)])
def test_false_alarms_are_rare(memory: float, days: int) -> None:
    rng = np.random.default_rng(7)
    x = numbered(days)
    alarms = sum(
        slope(x, 100 * WEEK[x % 7] + wandering(rng, days, memory)).p_value <= 0.05  # type: ignore[union-attr]
        for _ in range(200)
    )
    assert alarms <= 24  # 10 expected at 5 %, 12 % is what short memories that can't be measured cost at most


def test_the_interval_holds_the_slope_and_growth_is_seen() -> None:
    rng = np.random.default_rng(9)
    x = numbered(DAYS)
    made = [slope(x, 100 * WEEK[x % 7] + 0.3 * (x - FIRST) + wandering(rng, DAYS, 0.2)) for _ in range(200)]
    assert np.mean([s.low <= 0.3 <= s.high for s in made if s]) > 0.9
    assert np.mean([s.p_value < 0.05 for s in made if s]) > 0.9


@pytest.mark.parametrize("days", [28, 35, 60])
def test_a_box_grows_where_all_its_parts_do(days: int) -> None:
    """Busy weekdays grow by more than weekends: no memory of the day before."""
    rng, x = np.random.default_rng(5), numbered(days)
    parts = [s * WEEK[x % 7] * (1 + 0.003 * (x - FIRST) + rng.normal(0, 0.001, days)) for s in (200, 400, 700)]
    found = [slope(x, part) for part in (*parts, np.sum(parts, axis=0))]
    assert all(f and f.p_value < 0.01 and f.low > 0 for f in found)


def test_interval_and_chance_say_the_same() -> None:
    rng = np.random.default_rng(11)
    for days in (21, 28, 42):
        x = numbered(days)
        for growth in (0.0, 0.1, 0.3, 3.0):
            for memory in (0.0, 0.9):
                found = slope(x, 100 * WEEK[x % 7] + growth * (x - FIRST) + wandering(rng, days, memory))
                assert found and found.low <= found.per_day <= found.high
                if found.p_value > 0.1:
                    assert found.low <= 0 <= found.high
                if found.p_value < 0.02:
                    assert not found.low <= 0 <= found.high


def lake(
    days: int, growth: float, noise: float = 0.0, pool: int = 0, queue: float = 0.0, space: str = "NULL"
) -> duckdb.DuckDBPyConnection:
    """The views a trend reads as plain tables: hourly, local time an hour ahead of UTC; `space` in use on day d."""
    con = duckdb.connect()
    con.execute("CREATE MACRO unix_micros(instant) AS epoch_us(instant)")
    con.execute(
        "CREATE TABLE hours AS SELECT h, TIMESTAMP '2025-11-02 23:00:00' + to_hours(h) AS interval_start, "
        f"h // 24 AS d, 3600.0 AS interval_s, 3600 AS utc_offset_s FROM range({24 * days}) t(h)"
    )
    rng = np.random.default_rng(2)
    con.register("wobble", {"h": np.arange(24 * days), "w": np.repeat(rng.normal(0, noise, days), 24)})
    rate = f"(1000 + {growth} * d - CASE WHEN d % 7 > 4 THEN 600 ELSE 0 END) * (1 + 0.5 * sin(h * 6.2832 / 24)) + w"
    con.execute(
        "CREATE TABLE box_interval AS SELECT interval_start, interval_s, utc_offset_s, 'AB121' AS box, "
        f"{rate} AS io_rate, {queue} * d AS queue_length FROM hours JOIN wobble USING (h)"
    )
    con.execute(
        "CREATE TABLE lcu_interval AS SELECT b.*, 'SYSA' AS system, '0010' AS lcu, "
        f"CAST(2 + d * {pool} / 64.0 AS BIGINT) AS alias_high_water, {pool or 'NULL'}::BIGINT AS hyperpav_aliases "
        "FROM box_interval b JOIN hours USING (interval_start)"
    )
    con.execute(
        "CREATE TABLE channel_interval AS SELECT *, 'SYSA' AS system, '40' AS channel_path, NULL::DOUBLE AS busy_ratio "
        "FROM hours"
    )
    con.execute(
        "CREATE TABLE extent_pool_interval AS SELECT *, 'AB121' AS box, '0001' AS extent_pool, "
        f"CAST(1000 * {space} AS BIGINT) AS real_extents_allocated, 1000 AS real_extents FROM hours"
    )
    con.execute(
        "CREATE TABLE paging_volume_interval AS SELECT hours.*, 'VMTEST1' AS system, 'PAGE' AS area, "
        f"NULL::VARCHAR AS data_set, CAST({space} - n AS DOUBLE) AS used_ratio "
        "FROM hours, (VALUES (0.0), (0.01)) AS volumes (n)"
    )
    return con


def of(found: list[Trend], kind: str, measure: str) -> Trend:
    return next(t for t in found if (t.kind, t.measure) == (kind, measure))


@pytest.mark.parametrize(
    ("kind", "measure", "system", "subject"),
    [("extent_pool", "real_extents_allocated", "", "AB121 0001"), ("page_space", "used_ratio", "VMTEST1", "PAGE")],
)
def test_space_that_fills_is_dated(kind: str, measure: str, system: str, subject: str) -> None:
    """Half of it on the first day, and 1 % a day more: full after 50 days, of the fullest volume."""
    found = of(trends(lake(42, 0.0, space="(0.5 + 0.01 * d)")), kind, measure)
    assert (found.verdict, found.system, found.subject) == ("growing", system, subject)
    assert found.date == dt.date(2025, 11, 3) + dt.timedelta(days=50)


# the busiest hour of a day of the lake over its mean
PEAK = 1.5


def test_the_date_of_a_limit_is_when_the_peak_hour_reaches_it() -> None:
    found = of(trends(lake(42, 10.0), {("box", "io_rate"): PEAK * 1600.0}), "box", "io_rate")
    assert found.verdict == "growing"
    assert found.per_day == pytest.approx(10)
    assert found.date is not None
    assert abs((found.date - dt.date(2025, 11, 3)).days - 60) <= 1
    assert found.limit_meaning == "in the peak hour, 1.5 times the daily mean"


def test_the_interval_of_the_date_holds_the_truth() -> None:
    found = of(trends(lake(42, 10.0, noise=20.0), {("box", "io_rate"): PEAK * 1600.0}), "box", "io_rate")
    truth = dt.date(2025, 11, 3) + dt.timedelta(days=60)
    assert found.earliest is not None
    assert found.latest is not None
    assert found.earliest <= truth <= found.latest
    assert found.earliest < found.latest


def test_the_interval_of_the_date_holds_the_one_of_growth_by_a_share() -> None:
    """1 % a day doubles a load in 70 days; the line of six weeks of it meets the limit later."""
    con = lake(42, 0.0)
    con.execute("UPDATE box_interval SET io_rate = io_rate * power(1.01, floor(epoch(interval_start) / 86400 - 20394))")
    found = of(trends(con, {("box", "io_rate"): PEAK * 2000.0}), "box", "io_rate")
    truth = dt.date(2025, 11, 3) + dt.timedelta(days=70)
    assert found.date is not None and found.earliest is not None
    assert found.earliest - dt.timedelta(days=2) <= truth < found.date


def test_the_alias_pool_is_a_limit_by_itself() -> None:
    found = of(trends(lake(42, 0.0, pool=64)), "lcu", "alias_high_water")
    assert (found.verdict, found.limit) == ("growing", 64)
    assert found.date == dt.date(2025, 11, 3) + dt.timedelta(days=62)


def test_growth_of_next_to_nothing_is_no_trend() -> None:
    small, large = (of(trends(lake(42, 0.0, queue=queue)), "box", "queue_length") for queue in (0.0002, 0.0003))
    assert (small.verdict, small.reason) == ("no trend can be shown", "it changes too little to matter")
    assert large.verdict == "growing"


def test_refusals_say_why() -> None:
    assert of(trends(lake(10, 10.0)), "box", "io_rate").reason == "10 complete days, 21 are needed"
    assert "not significant" in of(trends(lake(28, 0.0, noise=10.0)), "box", "io_rate").reason
    assert of(trends(lake(28, 10.0)), "box", "io_rate").reason == "no limit is known"
    far = of(trends(lake(28, 1.0, noise=2.0), {("box", "io_rate"): 9000.0}), "box", "io_rate")
    assert (far.verdict, far.date) == ("growing", None)
    assert "twice the span" in far.reason
    assert (
        "reached already" in of(trends(lake(28, 10.0, noise=2.0), {("box", "io_rate"): 900.0}), "box", "io_rate").reason
    )
    assert of(trends(lake(28, -10.0, noise=2.0), {("box", "io_rate"): 9000.0}), "box", "io_rate").verdict == "shrinking"
    with pytest.raises(RequestError, match=r"known are box\.io_rate"):
        trends(lake(2, 0.0), {("box", "speed"): 1.0})
    with pytest.raises(RequestError, match="no day is complete"):
        trends(lake(0, 0.0))


def test_days_cut_short_are_left_out() -> None:
    con = lake(30, 10.0)
    con.execute("DELETE FROM box_interval WHERE interval_start > TIMESTAMP '2025-12-01 05:00:00'")
    assert of(trends(con), "box", "io_rate").days == 28
