"""A filter cuts rows out of the views and changes no value."""

import datetime as dt
from pathlib import Path
from typing import Any

import duckdb
import pytest

import iosq
from iosq.connecting import Question, connected
from iosq.narrowing import narrowing
from iosq.toolkit.errors import RequestError
from iosq.toolkit.sample import write
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.filter import Filter, instant, span
from iosq.toolkit.sql.guard import query


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("filter")
    iosq.ingest(folder / "lake", write(folder / "dumps", intervals=range(38, 42))[:-1])
    return folder / "lake"


def opened(lake: Path, where: Filter | None = None, names: str = "") -> duckdb.DuckDBPyConnection:
    con, _ = connected(lake, Question(None, where or Filter(), names, steady=True))
    return con


def rounded(row: tuple[object, ...]) -> str:
    """A row without the last digits: engines add in an order of their own."""
    return str([f"{v:.9g}" if isinstance(v, float) else v for v in row])


def test_rows_that_are_left_are_the_same_rows(lake: Path) -> None:
    where = narrowing("2025-11-18T09:45", "2025-11-18T10:15", ["sysa"], ["10"], None)
    names = "volume_interval device_interval lcu_interval"
    whole, part = opened(lake, None, names), opened(lake, where, names)
    local = (
        "interval_start + to_seconds(3600) BETWEEN TIMESTAMP '2025-11-18 09:45:00' AND TIMESTAMP '2025-11-18 10:14:59'"
    )
    for view in ("volume_interval", "device_interval", "lcu_interval"):
        rows = f"SELECT * FROM {view}"
        own = f"{rows} WHERE {local} AND system = 'SYSA' AND lcu = '0010'"
        expected = sorted(map(rounded, whole.execute(own).fetchall()))
        assert sorted(map(rounded, part.execute(rows).fetchall())) == expected
        assert 0 < len(expected) < whole.execute(f"SELECT count(*) FROM {view}").fetchall()[0][0]


# what stands on a clock of its own; what a view infers from other intervals (costs, ceilings) sums up those left
ON_A_CLOCK = {
    "shared_volume_interval": "volume, interval_s, systems, io_count, io_rate, disc_ms, response_ms",
    "box_interval": "box, interval_s, volumes, systems, io_count, io_rate, response_ms",
    "box_nvs_interval": "box, interval_s, nvs_delay_count, write_count, nvs_delay_ratio, destage_rate",
    "alias_pool_interval": "system, pool, interval_s, lcus, aliases, alias_io_count, alias_denied_count, queue_length",
    "rank_interval": "box, rank, interval_s, read_rate, write_rate, read_ms, write_ms, read_bytes_rate",
    "extent_pool_interval": "box, extent_pool, interval_s, volumes, ranks, read_rate, write_rate, read_ms",
    "link_interval": "box, link, operation, interval_s, operation_rate, bytes_rate, response_ms",
}


def test_a_narrower_window_shows_what_the_wider_one_shows(lake: Path) -> None:
    names = " ".join(ON_A_CLOCK)
    whole, part = opened(lake, None, names), opened(lake, narrowing("2025-11-18T10:00", "2025-11-18T10:30"), names)
    within = "interval_start >= TIMESTAMP '2025-11-18 09:00:00' AND interval_start < TIMESTAMP '2025-11-18 09:30:00'"
    for view, columns in ON_A_CLOCK.items():
        exact = f"SELECT interval_start, {columns} FROM {view}"
        expected = query(whole, f"{exact} WHERE {within} ORDER BY ALL").to_pylist()
        found = query(part, f"{exact} ORDER BY ALL").to_pylist()
        assert len(found) == len(expected) > 0, view
        for mine, theirs in zip(found, expected, strict=True):
            close = {k: pytest.approx(v, rel=1e-9) if isinstance(v, float) else v for k, v in theirs.items()}
            assert mine == close, view


def test_a_volume_is_found_by_serial_and_by_the_disk_of_a_box(lake: Path) -> None:
    (view,) = (v for v in views() if v.name == "shared_volume_interval")
    rows = "(VALUES ('VOL001 in 2000', 'VOL001'), ('VOL001', 'VOL001'), ('VOL002', 'VOL002'), ('0A01', NULL))"
    for asked, found in ((("VOL001",), 2), (("VOL001 in 2000",), 1), (("0A01", "VOL002"), 2), (("0A01", "VOL001"), 3)):
        kept = f"SELECT count(*) FROM {rows} AS t (volume, volser) WHERE {Filter(volumes=asked).condition(view)}"
        assert duckdb.sql(kept).fetchone() == (found,)


def test_summaries_are_made_from_what_is_left(lake: Path) -> None:
    part = opened(lake, narrowing(since="2025-11-18T10:00"), "pav_candidate")
    assert {r["intervals"] for r in query(part, "SELECT intervals FROM pav_candidate").to_pylist()} == {2}
    one = opened(lake, narrowing(volume=["db2003"]), "pav_candidate lcu_interval cache_interval")
    assert {r["volume"] for r in query(one, "SELECT volume FROM pav_candidate").to_pylist()} == {"DB2003"}
    assert {r["volser"] for r in query(one, "SELECT DISTINCT volser FROM cache_interval").to_pylist()} == {"DB2003"}
    assert (
        one.execute("SELECT sum(devices) FROM lcu_interval").fetchall()
        == opened(lake, None, "lcu_interval").execute("SELECT sum(devices) FROM lcu_interval").fetchall()
    )


def test_a_row_about_a_day_stays_while_a_part_of_the_day_does(lake: Path) -> None:
    clocks = "SELECT system, utc_offset_s, first_seen, last_seen FROM system_clock ORDER BY system"
    whole = opened(lake, None, "system_clock").execute(clocks).fetchall()
    within, later = (narrowing(f"2025-11-18T{at}", None, None, None, None) for at in ("10:15", "23:00"))
    assert whole and opened(lake, within, "system_clock").execute(clocks).fetchall() == whole
    assert opened(lake, later, "system_clock").execute(clocks).fetchall() == []


def test_every_view_opens_with_every_filter(lake: Path) -> None:
    con = opened(lake, narrowing("2025-11-18T08:00Z", "2025-11-19", ["SYSA"], ["0010"], ["ONL000"]))
    for view in views():
        con.execute(f"SELECT * FROM {view.name} LIMIT 1").fetchall()


def test_times() -> None:
    day = dt.datetime(2025, 11, 18)
    assert instant("2025-11-18").at == day
    assert instant("2025-11-18", end=True).at == day + dt.timedelta(days=1)
    assert instant("2025-11-18T07:00Z") == instant("2025-11-18T08:00+01:00")
    assert instant("2025-11-18T07:00Z").is_utc
    assert span("2025-11-18") == span("2025-11-18..2025-11-18")
    assert span("2025-11-18T08:00..T12:00").until == instant("2025-11-18T12:00")


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"since": "yesterday"}, "--since"),
        ({"until": "2025-02-30"}, "--until"),
        ({"since": "2025-11-19", "until": "2025-11-18"}, "--until"),
        ({"lcu": ["XYZ"]}, "--lcu"),
        ({"volume": [""]}, "--volume"),
        ({"system": ["'; DROP"]}, "--system"),
    ],
)
def test_bad_values_are_named(options: dict[str, Any], place: str) -> None:
    with pytest.raises(RequestError) as error:
        narrowing(**options)
    assert str(error.value).startswith(place)
    assert "\n" not in str(error.value)


def test_quotes_do_no_harm(lake: Path) -> None:
    con = opened(lake, narrowing(volume=["A'B"]), "volume_interval")
    assert query(con, "SELECT * FROM volume_interval").to_pylist() == []


@pytest.mark.parametrize("text", ["2025-11-19..2025-11-18", "x..y", "2025-11-18T08:00..T07:00", ""])
def test_no_span(text: str) -> None:
    with pytest.raises(RequestError):
        span(text)


def test_what_holds_for_a_time_is_left_where_it_held_in_the_span() -> None:
    stays = "('before', 1, 8), ('into', 7, 9), ('around', 1, 20), ('from', 9, 20), ('after', 10, 20)"
    at = "TIMESTAMP '2026-03-02 00:00:00' + to_hours({})"
    rows = f"SELECT box, {at.format('a')} AS since, {at.format('b')} AS until FROM (VALUES {stays}) t(box, a, b)"
    (view,) = (v for v in views() if v.name == "box_subsystem")
    left = span("2026-03-02T08:00Z..T10:00").condition(view)
    found = duckdb.sql(f"SELECT box FROM ({rows}) WHERE {left}").fetchall()
    assert {box for (box,) in found} == {"into", "around", "from"}
