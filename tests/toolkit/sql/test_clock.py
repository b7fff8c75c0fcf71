"""One clock for all systems of a box: whatever their intervals, no I/O is lost and a steady load stays steady."""

import datetime as dt
import math
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.toolkit.sql.catalog import LOCAL_TIME, views
from iosq.toolkit.sql.connect import SHIMS, select
from tests.length import tried
from tests.toolkit.sql.view_rows import HOUSED, SUMMED

START = dt.datetime(2026, 3, 2, 9, 0)
CLOCKED = (*HOUSED, "volume_box", *SUMMED, "_disconnect", "shared_volume_interval")
VIEWS = {v.name: v for v in views()}


class Spell(NamedTuple):
    """Intervals of a system that follow one another: length and first start in seconds, how many, I/Os per second.

    `jitter`: the most by which a length is off, as a share; `then`: the length of as many intervals after these.
    """

    system: str
    length: float
    begin: float
    count: int
    rate: float
    jitter: float = 0
    then: float | None = None

    def intervals(self) -> list[tuple[float, float]]:
        """Start and length of each."""
        lengths = [self.length] * self.count + ([self.then] * self.count if self.then else [])
        lengths = [length * (1 + self.jitter * math.cos(7 * n)) for n, length in enumerate(lengths)]
        return [(self.begin + start, length) for start, length in zip(accumulate([0, *lengths]), lengths, strict=False)]


def clocked(spells: Sequence[Spell], varied: bool = False) -> duckdb.DuckDBPyConnection:
    """The views that know the clock, over a volume that every system measured; `varied`: busier in every interval."""
    con = duckdb.connect(":memory:", config={"threads": 1})
    for shim in SHIMS:
        con.execute(shim)
    for name in {read for view in CLOCKED for read in VIEWS[view].reads & VIEWS.keys()}.difference(CLOCKED):
        con.execute(f"CREATE TABLE {name} ({', '.join(f'{c.name} {c.type}' for c in VIEWS[name].columns)})")
    for spell in spells:
        con.executemany(
            "INSERT INTO volume_interval (platform, system, interval_start, interval_s, volume, volser, io_rate, "
            "wait_ms, service_ms, utc_offset_s, lcu) "
            "VALUES ('z/OS', ?, ?, ?, 'PAY001', 'PAY001', ?, 0.5, 2, 3600, '0012')",
            [
                (spell.system, START + dt.timedelta(seconds=start), length, spell.rate * (1 + n * varied))
                for n, (start, length) in enumerate(spell.intervals())
            ],
        )  # fmt: skip
    con.execute(f"UPDATE volume_interval SET {', '.join(f'{c.name} = {sql}' for c, sql in LOCAL_TIME.items())}")
    for name in CLOCKED:
        con.execute(f"CREATE TABLE {name} AS {select(con, VIEWS[name])}")
    return con


def asked(con: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[Any, ...]]:
    return con.execute(sql).fetchall()


def ios(con: duckdb.DuckDBPyConnection, view: str) -> float:
    return float(asked(con, f"SELECT sum(io_rate * interval_s) FROM {view}")[0][0])


def counted(con: duckdb.DuckDBPyConnection, view: str) -> float:
    return float(asked(con, f"SELECT sum(io_count) FROM {view}")[0][0])


SPELLS = st.lists(
    st.builds(
        Spell,
        system=st.sampled_from(("SYSA", "SYSB", "SYSC")),
        length=st.one_of(st.sampled_from((60.0, 300.0, 900.0, 1800.0)), st.integers(20, 2000).map(float)),
        begin=st.one_of(st.sampled_from((0.0, 1.0, 7.0, 29.9)), st.integers(0, 4000).map(float)),
        count=st.integers(1, 6),
        rate=st.floats(1, 1000),
        jitter=st.sampled_from((0, 0.0001, 0.008)),
        then=st.sampled_from((None, None, 60.0, 300.0, 900.0, 707.0)),
    ),
    min_size=1,
    max_size=3,
    unique_by=lambda spell: spell.system,
)


@settings(max_examples=tried(10, 20), deadline=None)
@given(SPELLS, st.booleans())
def test_ios_are_neither_lost_nor_counted_twice_and_a_steady_load_is_steady(spells: list[Spell], varied: bool) -> None:
    con = clocked(spells, varied)
    measured = pytest.approx(ios(con, "volume_interval"), rel=1e-6)
    for view in ("volume_on_box_clock", "shared_volume_interval", "box_interval"):
        assert counted(con, view) == measured
        # a clock that is not quite the box's: lengths within a thousandth of a divisor, squeezed by a hundredth
        assert ios(con, view) == pytest.approx(counted(con, view), rel=0.011)
        # a row's length is one system's, its I/Os another's: both may be off
        rows = asked(con, f"SELECT io_rate * interval_s, io_count FROM {view}")
        assert [held for held, _ in rows] == [pytest.approx(count, rel=0.022) for _, count in rows]
    assert torn(con) == []
    if not varied:
        rates_are(con, spells)


def torn(con: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
    """Rows of the box without a system that has some before and some after, and measured all the time."""
    return asked(
        con,
        "SELECT r.interval_start, s.system FROM box_interval r JOIN (SELECT system, min(interval_start) AS first, "
        "max(interval_start) AS last FROM volume_on_box_clock GROUP BY system) s "
        "ON r.interval_start BETWEEN s.first AND s.last "
        "EXCEPT SELECT interval_start, system FROM volume_on_box_clock",
    )


def steady(spells: Sequence[Spell]) -> None:
    """Every row has the rates of the systems it holds, and no I/O is lost."""
    con = clocked(spells)
    measured = pytest.approx(ios(con, "volume_interval"), rel=1e-6)
    for view in ("volume_on_box_clock", "shared_volume_interval", "box_interval"):
        assert counted(con, view) == measured
        assert ios(con, view) == measured
    rates_are(con, spells)


def rates_are(con: duckdb.DuckDBPyConnection, spells: Sequence[Spell]) -> None:
    """Every row of a system has its rate, every row of several the sum of theirs."""
    rates = {spell.system: spell.rate for spell in spells}
    rows = asked(con, "SELECT interval_start, system, io_rate FROM volume_on_box_clock")
    assert [rate for *_, rate in rows] == [pytest.approx(rates[system]) for _, system, _ in rows]
    together: dict[dt.datetime, float] = {}
    for start, system, _ in rows:
        together[start] = together.get(start, 0) + rates[system]
    for view in ("shared_volume_interval", "box_interval"):
        found = dict(asked(con, f"SELECT interval_start, io_rate FROM {view}"))
        assert found == {start: pytest.approx(rate) for start, rate in together.items()}


@settings(max_examples=tried(6, 12), deadline=None)
@given(
    st.sampled_from((60.0, 300.0, 900.0, 1800.0)), st.sampled_from((60.0, 300.0, 900.0, 1800.0)),
    st.sampled_from((0.0, 1.0, 29.5, 30.5, 61.0, 400.0)), st.integers(1, 3),
)  # fmt: skip
def test_a_load_is_steady_where_a_system_misses_intervals(longer: float, shorter: float, late: float, gap: int) -> None:
    """Found by search: next to the gap an interval stood twice in one place, as a row of double rate."""
    before = Spell("SYSA", longer, 0, 2, 10)
    after = Spell("SYSA", longer, (2 + gap) * longer, 2, 10)
    count = int((4 + gap) * longer / shorter) + 1
    steady([before, after, Spell("SYSB", shorter, late, min(count, 40), 20)])


def test_a_load_is_steady_where_the_length_of_intervals_changes() -> None:
    steady([Spell("SYSA", 1800, 0, 2, 10), Spell("SYSB", 1800, 1, 1, 20), Spell("SYSB", 300, 1801, 4, 20)])
    steady([Spell("SYSA", 1800, 400, 2, 10), Spell("SYSB", 1800, 1, 1, 20), Spell("SYSB", 300, 1801, 1, 20)])


@pytest.mark.parametrize("count", [1, 2])
def test_an_interval_is_not_squeezed_where_systems_change_to_one_length(count: int) -> None:
    """Found by search: SYSB's first long interval ran into the next one, which stands in one of SYSA's."""
    spells = [Spell("SYSA", 300, 0, count, 1, then=900), Spell("SYSB", 60, 0, count, 1, then=900)]
    steady(spells)
    assert torn(clocked(spells)) == []


@pytest.mark.parametrize(
    ("late", "length", "count"), [(1.0, 900.0, 3), (400.0, 900.0, 3), (29.0, 60.0, 45), (7.0, 300.0, 9)]
)
def test_systems_that_start_apart_or_measure_more_often_stand_in_the_same_rows(
    late: float, length: float, count: int
) -> None:
    con = clocked([Spell("SYSA", 900, 0, 3, 10), Spell("SYSB", length, late, count, 20)])
    rows = asked(con, "SELECT interval_start, interval_s, systems, io_rate FROM box_interval ORDER BY 1")
    assert [r[0] for r in rows] == [START + n * dt.timedelta(minutes=15) for n in range(3)]
    assert {r[1:3] for r in rows} == {(900.0, 2)}
    assert [r[3] for r in rows] == [pytest.approx(30)] * 3


def test_a_listings_hour_next_to_records_of_other_volumes_is_steady() -> None:
    """Records hold minutes of one volume, a listing the hour of another, and another system measures quarters."""
    con = clocked([Spell("SYSA", 60, 0, 60, 10), Spell("SYSB", 900, 0, 4, 5)])
    con.execute(
        "INSERT INTO volume_interval (platform, system, interval_start, interval_s, volume, volser, io_rate, "
        "service_ms, utc_offset_s, lcu) VALUES ('z/OS', 'SYSA', ?, 3600, 'LST001', 'LST001', 100, 2, 3600, '0012')",
        [START],
    )
    for name in CLOCKED:
        con.execute(f"CREATE OR REPLACE TABLE {name} AS {select(con, VIEWS[name])}")
    assert asked(con, "SELECT interval_s, systems, io_rate FROM box_interval") == [(900, 2, pytest.approx(115))] * 4
    assert counted(con, "box_interval") == pytest.approx(3600 * 115)


def test_a_part_that_only_one_system_measured_is_a_row_of_its_own() -> None:
    con = clocked([Spell("SYSA", 900, 0, 1, 10), Spell("SYSB", 60, 300, 10, 20)])
    rows = asked(con, "SELECT interval_start, interval_s, systems, io_rate FROM shared_volume_interval ORDER BY 1")
    assert rows == [(START, 300, 1, pytest.approx(10)), (START + dt.timedelta(minutes=5), 600, 2, pytest.approx(30))]


# what adds over systems, and what is a mean, by its weight
ADDED = ("io_rate", "connect_ratio", "open_exchanges", "sync_read_rate", "sync_write_rate", "sync_read_bytes_rate",
         "sync_write_bytes_rate", "sync_request_rate", "total_io_rate")  # fmt: skip
TIMES = ("wait_ms", "pend_ms", "cmr_ms", "device_busy_ms", "disc_ms", "conn_ms", "service_ms", "interrupt_delay_ms")
MEANS = dict.fromkeys(TIMES, "io_rate") | {
    "sync_read_ms": "sync_read_rate", "sync_write_ms": "sync_write_rate", "total_response_ms": "total_io_rate",
    **dict.fromkeys(("sync_success_ratio", "sync_link_busy_ratio", "sync_miss_ratio"), "sync_request_rate"),
}  # fmt: skip


@pytest.mark.parametrize("shorter", [900.0, 60.0, 420.0])
def test_every_number_of_a_steady_volume_is_steady_and_its_own(shorter: float) -> None:
    """Each system has its own number in every column: what adds up adds up, what is a mean has the right weight."""
    con = clocked([Spell("SYSA", 900, 0, 3, 10), Spell("SYSB", shorter, 7, int(2700 / shorter), 30)])
    names = list(dict.fromkeys((*ADDED, *MEANS)))
    known = {s: {name: (n + 1) * f for n, name in enumerate(names)} for s, f in (("SYSA", 0.5), ("SYSB", 2.0))}
    for system, values in known.items():
        sync = {way: values[f"sync_{way}_rate"] for way in ("read", "write")}
        values["total_io_rate"] = values["io_rate"] + sum(sync.values())
        served = values["io_rate"] * (values["wait_ms"] + values["service_ms"])
        served += sum(rate * values[f"sync_{way}_ms"] for way, rate in sync.items())
        values["total_response_ms"] = served / values["total_io_rate"]
        changed = ", ".join(f"{name} = {value}" for name, value in values.items())
        con.execute(f"UPDATE volume_interval SET {changed} WHERE system = '{system}'")
    for name in CLOCKED:
        con.execute(f"CREATE OR REPLACE TABLE {name} AS {select(con, VIEWS[name])}")
    for system, *found in asked(con, f"SELECT system, {', '.join(names)} FROM volume_on_box_clock"):
        assert found == [pytest.approx(known[system][name]) for name in names], system
    together = {name: sum(known[s][name] for s in known) for name in ADDED}
    means = {n: sum(known[s][n] * known[s][w] for s in known) / together[w] for n, w in MEANS.items()}
    rows = asked(con, f"SELECT {', '.join(names)} FROM shared_volume_interval WHERE systems = 2")
    assert rows
    for row in rows:
        assert dict(zip(names, row, strict=True)) == {n: pytest.approx(v) for n, v in (together | means).items()}
