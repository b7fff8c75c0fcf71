"""Numbers and instants in headings are those of intervals, however long the steps of a chart are."""

import datetime as dt
import re
from collections.abc import Callable, Iterator
from itertools import pairwise, product
from typing import Any

import duckdb
import numpy as np
import pytest
import vl_convert
from advise_rows import SHIMS, START, channel, database, volume
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.toolkit.report import drill, quality
from iosq.toolkit.report.chart import charts, render, rows_of
from iosq.toolkit.report.table import tables
from iosq.toolkit.report.timeline import when
from iosq.toolkit.show.numbers import human_number
from iosq.toolkit.sql.macros import expanded

SYSTEMS, SUBSYSTEMS = ("SYSA", "SYSB"), ("2010", "2011")
# days and the hours of an interval: few rows for many days
SPANS = ((1, 0.25), (7, 0.25), (28, 1.0), (400, 6.0))
CHARTS = {c.name: c for c in charts() if c.sql}
ASKED = " ".join([
    *(c.sql for c in CHARTS.values()), *drill.texts(), *(t.sql for t in tables() if t.name == "volumes"),
    quality.SYSTEMS.sql, *quality.NEEDED,
])  # fmt: skip
NAMES = (
    *("volume_interval", "channel_interval", "cache_subsystem_interval"),
    *("alias_pool_interval", "lcu_alias_interval"),
)
Rows = list[dict[str, Any]]


def _rows(days: int, hours: float) -> dict[str, Rows]:
    """Rows of some volumes, channels and subsystems, each number at random."""
    random, seconds = np.random.default_rng(days), 3600 * hours
    made: dict[str, Rows] = {name: [] for name in NAMES}
    for n in range(int(24 * days / hours)):
        common = {"interval_start": START + n * dt.timedelta(hours=hours), "interval_s": seconds}
        for system, name in product(SYSTEMS, ("VOL001", "VOL002")):
            rate, wait, disc = random.gamma(2, (50, 1, 1))
            made["volume_interval"].append(volume(0, name, rate=rate, wait=wait, disc=disc, system=system, **common))
        for system, path in product(SYSTEMS, ("55", "56")):
            read, written = random.gamma(2, 5e7, 2)
            rates = {"busy_ratio": random.random(), "read_bytes_rate": read, "write_bytes_rate": written}
            made["channel_interval"].append(channel(0, path, system=system, **common, **rates))
        for subsystem in SUBSYSTEMS:
            accesses = {"read_count": 1000.0, "write_count": 500.0, "nvs_delay_count": random.integers(0, 99)}
            hits = {"read_hit_count": random.integers(500, 999), "write_hit_count": random.integers(200, 400)}
            made["cache_subsystem_interval"].append(common | accesses | hits | {"subsystem": subsystem})
        for system in SYSTEMS:
            own = common | {"system": system, "pool": "LCU 0010"}
            counts = {"lcus": 1, "aliases": 4, "alias_high_water": 4, "is_size_known": True, "alias_refused_count": 1.0}
            made["alias_pool_interval"].append(own | counts | {"alias_denied_ratio_max": random.random()})
            made["lcu_alias_interval"].append(own | {"lcu": "0010"})
    return made


@pytest.fixture(scope="module", params=SPANS, ids=lambda span: f"{span[0]} days")
def con(request: pytest.FixtureRequest) -> Iterator[duckdb.DuckDBPyConnection]:
    made = database(asks=ASKED, **_rows(*request.param))
    yield made
    made.close()


def _at(instant: dt.datetime) -> str:
    return f"{instant:%H:%M on %Y-%m-%d}"


def _response(at: dt.datetime, ms: float) -> str:
    return f"I/Os took longest at {_at(at)}: {human_number(ms)} ms, "


def _lost(label: str, at: dt.datetime, ms: float) -> str:
    return f"{label} lost most per I/O: {human_number(ms)} ms at {_at(at)}"


def _moved(at: dt.datetime, read: float, written: float) -> str:
    return f"Most data moved at {_at(at)}: {read / 1e6:,.0f} MB/s read and {written / 1e6:,.0f} MB/s written"


def _hits(subsystem: str, at: dt.datetime, whole_ratio: float, least: float) -> str:
    return f"in subsystem {subsystem}: {100 * whole_ratio:.0f} % over the whole span, {100 * least:.0f} % at {_at(at)}"


def _delayed(subsystem: str, at: dt.datetime, most: float) -> str:
    return f"at most {100 * most:.1f} % of them, in {subsystem} at {_at(at)}"


def _denied(pool: str, at: dt.datetime, most: float) -> str:
    return f"{pool} refused I/Os an alias in .*: up to {human_number(most, 2)} refusals per HyperPAV I/O, at {_at(at)}"


def _busy(path: str, at: dt.datetime, peak: float) -> str:
    return f"{path} (FC_S) is the busiest: {100 * peak:.0f} % at {_at(at)}, "


HITS = """
    WITH w AS (SELECT subsystem, sum({0}_hit_count) / sum({0}_count) AS r FROM cache_subsystem_interval
               GROUP BY ALL ORDER BY r LIMIT 1)
    SELECT subsystem, local_start, r, {0}_hit_count / {0}_count FROM cache_subsystem_interval JOIN w USING (subsystem)
    ORDER BY 4, 2 LIMIT 1"""
# the worst interval of each chart, and what its heading says of it
WORST: dict[str, tuple[str, Callable[..., str]]] = {
    "response_over_time": (
        "SELECT local_start, sum(io_rate * response_ms) / sum(io_rate) FROM volume_interval GROUP BY ALL "
        "ORDER BY 2 DESC LIMIT 1",
        _response,
    ),
    "response_heatmap": (
        "SELECT volume || ' on ' || system, local_start, response_ms - conn_ms FROM volume_interval "
        "ORDER BY 3 DESC LIMIT 1",
        _lost,
    ),
    "data_rate": (
        "SELECT local_start, sum(read_bytes_rate), sum(write_bytes_rate) FROM channel_interval GROUP BY ALL "
        "ORDER BY sum(read_bytes_rate + write_bytes_rate) DESC LIMIT 1",
        _moved,
    ),
    "hit_ratio_read": (HITS.format("read"), _hits),
    "hit_ratio_write": (HITS.format("write"), _hits),
    "nvs_delay": (
        "SELECT subsystem, local_start, nvs_delay_count / write_count FROM cache_subsystem_interval "
        "ORDER BY 3 DESC, 1 DESC, 2 LIMIT 1",
        _delayed,
    ),
    "alias_use": (
        "SELECT system || ' ' || pool, local_start, alias_denied_ratio_max FROM alias_pool_interval "
        "ORDER BY 3 DESC LIMIT 1",
        _denied,
    ),
    "channel_use": (
        "SELECT system || ' channel path ' || channel_path, local_start, busy_ratio FROM channel_interval "
        "ORDER BY 3 DESC LIMIT 1",
        _busy,
    ),
}


@pytest.mark.parametrize("name", WORST)
def test_a_heading_names_the_worst_interval(con: duckdb.DuckDBPyConnection, name: str) -> None:
    sql, words = WORST[name]
    [worst] = con.execute(sql).fetchall()
    expected = words(*worst).split(".*")
    title = CHARTS[name].title(rows_of(con, CHARTS[name]))
    assert all(part in title for part in expected), title


PLACE = """
    SELECT local_start, sum(io_rate * response_ms) / sum(io_rate), sum(io_rate * wait_ms) / sum(io_rate), sum(io_rate)
    FROM volume_interval WHERE system = '{}' AND volume LIKE '{}' GROUP BY ALL
    ORDER BY sum(io_rate * (response_ms - conn_ms)) DESC LIMIT 1"""


@pytest.mark.parametrize(("page", "volumes"), [("lcu-0010-SYSA", "%"), ("volume-VOL001-SYSA", "VOL001")])
def test_so_does_the_heading_of_a_page(con: duckdb.DuckDBPyConnection, page: str, volumes: str) -> None:
    [(at, *numbers)] = con.execute(PLACE.format("SYSA", volumes)).fetchall()
    response, wait, rate = map(human_number, numbers)
    series = drill.drill(con, []).data["series"][page]
    words = f"{response} ms per I/O, {wait} ms of it IOSQ, with {rate} I/Os per s"
    assert series["title"] == f"Most time was lost at {_at(at)} (◆): {words}"
    mark = [float(series["words"][name]) for name in ("peak", "peak_ms")]
    assert mark == [1000 * at.replace(tzinfo=dt.UTC).timestamp(), pytest.approx(numbers[0], rel=1e-3)]


OVER_TIME = [c for c in CHARTS.values() if "step_s" in c.sql]


@pytest.mark.parametrize("chart", OVER_TIME, ids=lambda c: c.name)
def test_the_step_is_on_the_axis_and_in_the_tooltip(con: duckdb.DuckDBPyConnection, chart: Any) -> None:
    seconds = max(r["step_s"] for r in rows_of(con, chart))
    words = {900: "15 min", 7200: "2 h", 28800: "8 h", 604800: "7 days"}[seconds]
    drawn = str(render(chart.name, con).to_dict())
    assert f"steps of {words}'" in drawn
    assert f"'local time, {words} from'" in drawn


BANDS = ("response_over_time", "data_rate", "hit_ratio_read", "hit_ratio_write", "nvs_delay")


@pytest.mark.parametrize("name", BANDS)
def test_a_band_shows_the_peak_that_a_step_hides(con: duckdb.DuckDBPyConnection, name: str) -> None:
    rows = rows_of(con, CHARTS[name])
    least, most = next(names for names in (("least_ms", "most_ms"), ("least_mb", "most_mb"), ("least", "most"))
                       if names[0] in rows[0])  # fmt: skip
    several = any(r["intervals"] > 1 for r in rows)
    assert several == any(r[least] < 0.99 * r[most] for r in rows)
    svg = vl_convert.vegalite_to_svg(render(name, con).to_json())
    bands = re.findall(r'aria-roledescription="area mark" d="M[^"]{99,}Z" fill="[^"]*" opacity="0.(?:25|14)"', svg)
    assert len(bands) == several * (len(SUBSYSTEMS) if "least" in rows[0] else 1)


def test_systems_with_shorter_intervals_share_the_longest() -> None:
    """Quarters of an hour next to five minutes: the mean of a slot is never one system's alone."""
    con = duckdb.connect(":memory:")
    con.execute(";".join(SHIMS))
    con.execute(
        "CREATE TABLE v AS SELECT s, TIMESTAMP '2024-05-22' + i * s * INTERVAL 5 MINUTE AS local_start, "
        "local_start AS interval_start, 300.0 * s AS interval_s FROM range(12) n(i), (VALUES (1), (3)) AS systems (s)"
    )
    sql = expanded('{{ steps_of("v") }}', "test")
    slots = con.execute(
        f"SELECT slot, count(DISTINCT s) FROM ({sql}) WHERE local_start < '2024-05-22 01:00' GROUP BY slot"
    )
    assert [n for _, n in slots.fetchall()] == [2] * 4


MINUTES = (1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60, 120, 240, 1440)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(MINUTES), st.integers(1, 1500), st.integers(0, 1439), st.integers(-29, 29))
def test_every_step_holds_as_many_intervals(minutes: int, count: int, first: int, off_s: int) -> None:
    """Steps of one and two intervals by turns would show a load that halves and doubles."""
    con = duckdb.connect(":memory:")
    con.execute(";".join(SHIMS))
    start = dt.datetime(2024, 5, 22) + dt.timedelta(minutes=first, seconds=off_s)
    start -= dt.timedelta(minutes=first % minutes)
    con.execute(
        f"CREATE TABLE v AS SELECT TIMESTAMP '{start}' + i * INTERVAL {minutes} MINUTE AS local_start, "
        f"local_start AS interval_start, {60.0 * minutes} AS interval_s FROM range({count}) n(i)"
    )
    sql = expanded('{{ steps_of("v") }}', "test")
    steps = con.execute(
        f"SELECT t, count(*), count(DISTINCT slot), max(step_s) FROM ({sql}) GROUP BY t ORDER BY t"
    ).fetchall()
    inner = {n for _, n, _, _ in steps[1:-1]}
    assert len(inner) <= 1
    assert all(n == slots for _, n, slots, _ in steps)
    assert all(b[0] - a[0] == dt.timedelta(seconds=a[3]) for a, b in pairwise(steps))
    assert len(steps) <= 102
    if count <= 100:
        assert {(n, step_s) for _, n, _, step_s in steps} == {(1, 60 * minutes)}


def test_systems_whose_clocks_differ_by_seconds_share_an_interval() -> None:
    late = {"interval_start": START + dt.timedelta(seconds=7)}
    rows = [volume(0, "VOL001", wait=1.0), volume(0, "VOL002", wait=3.0, system="SYSB", **late)]
    found = rows_of(database(asks=ASKED, volume_interval=rows), CHARTS["response_over_time"])
    assert [(r["intervals"], r["most_ms"], when(r["most_at"])) for r in found] == [(1, 3.0, _at(START + HOUR))]


HOUR = dt.timedelta(hours=1)
