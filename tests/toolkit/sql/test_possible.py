"""Values that no machine measures never leave a view, whatever a damaged record or listing says."""

import csv
from pathlib import Path

import duckdb
import pytest
from sql_lake import START, Lake, all_rows, cache_device

from iosq.toolkit.sql.catalog import ViewColumn, views
from iosq.toolkit.sql.possible import believed, range_of, ranges

RATE = ViewColumn("io_rate", "DOUBLE", "per second", "")
SHARE = ViewColumn("read_ratio", "DOUBLE", "ratio 0..1", "")
COUNT = ViewColumn("io_count", "BIGINT", "events in the interval", "")
OFFSET = ViewColumn("utc_offset_s", "INTEGER", "s", "")


def shown(column: ViewColumn, value: str) -> object:
    return duckdb.sql(f"SELECT {believed(column, ())} FROM (SELECT {value} AS {column.name})").fetchall()[0][0]


@pytest.mark.parametrize(
    ("column", "value", "expected"),
    [
        (RATE, "12.5e0", 12.5), (RATE, "0e0", 0), (RATE, "-1e-70", None), (RATE, "1e60", None),
        (RATE, "'NaN'::DOUBLE", None), (RATE, "'inf'::DOUBLE", None), (RATE, "NULL::DOUBLE", None),
        (SHARE, "-3.5e-70", None), (SHARE, "1.0e0", 1.0), (SHARE, "1.005e0", 1.005), (SHARE, "1.4e0", None),
        (COUNT, "7", 7), (COUNT, "-1", None), (COUNT, "170141183460469231731687303715884105727", None),
        (OFFSET, "-18000", -18000), (OFFSET, "86400", None),
    ],
)  # fmt: skip
def test_a_value_is_shown_if_its_unit_allows_it(column: ViewColumn, value: str, expected: object) -> None:
    assert shown(column, value) == expected


def test_every_number_that_a_merged_view_shows_has_a_range() -> None:
    numbers = [c for v in views() if v.merged for c in v.own_columns if c.type in ("DOUBLE", "BIGINT", "INTEGER")]
    assert [c.name for c in numbers if range_of(c) is None] == []
    assert all(float(r.least) < float(r.most) for r in ranges().values())


def test_a_value_left_out_is_reported_with_its_record() -> None:
    lake = Lake()
    lake.device("2208", SMF74RSV=-900, record_offset=4711)
    lake.device("2209", record=2, record_offset=9000)
    con = lake.connect()
    assert all_rows(con, "SELECT reserved_ratio FROM device_interval WHERE device = '02208'") == [
        {"reserved_ratio": None}
    ]
    (row,) = all_rows(con, "SELECT * FROM impossible_value")
    assert row == {
        "view_name": "device_interval", "source": "smf74.1", "subject": "02208", "platform": "z/OS", "system": "SYSA",
        "interval_start": START, "utc_offset_s": 3600, "file_id": "0123456789abcdef", "place": 4711,
        "column_name": "reserved_ratio", "found": -1.0, "unit": "ratio 0..1", "least": 0.0, "most": 1.01,
    }  # fmt: skip


def test_two_values_of_a_row_are_two_rows() -> None:
    lake = Lake()
    device = cache_device("2208", DRCR=10, DCRH=20, DWRC=10, DWCH=-5)
    lake.cache([device | {"record_offset": 96}], ssid="1800")
    result = "SELECT column_name, found, place FROM impossible_value WHERE view_name = 'cache_interval' ORDER BY 1"
    assert all_rows(lake.connect(), result) == [
        {"column_name": "read_hit_ratio", "found": 2.0, "place": 96},
        {"column_name": "write_hit_count", "found": -5.0, "place": 96},
        {"column_name": "write_hit_ratio", "found": -0.5, "place": 96},
    ]


def test_a_listing_is_reported_with_its_line() -> None:
    lake = Lake()
    lake.add("rmf_channel", path="41", total_busy_pct=250.0, line=12)
    rows = all_rows(lake.connect(), "SELECT subject, column_name, found, place FROM impossible_value")
    assert rows == [{"subject": "41", "column_name": "busy_ratio", "found": 2.5, "place": 12}]


@pytest.mark.parametrize(
    ("extents", "in_use", "expected"), [(972, 971, 971), (972, 972, 972), (972, 977, None), (0, 1, None), (None, 5, 5)]
)
def test_no_pool_has_more_extents_in_use_than_it_has(extents: int | None, in_use: int, expected: int | None) -> None:
    """A part larger than its whole is reported with the whole as most; without a record of that, nothing is known."""
    lake = Lake()
    lake.add("smf74_8_record", record_id=748)
    lake.add("smf74_8_control", record_id=748, R748CSC=0, R748CRTN=0, R748CIOC=0, R748CINT=900, R748CSER="00000YT111")
    lake.add("smf74_8_extent_pool", record_id=748, R748XPID=1, R748XPLT=132, R748XRNS=extents, R748XRNA=in_use)
    con = lake.connect()
    (row,) = all_rows(con, "SELECT real_extents, real_extents_allocated FROM extent_pool_interval")
    assert row == {"real_extents": extents, "real_extents_allocated": expected}
    result = all_rows(con, "SELECT column_name, found, most FROM impossible_value")
    wrong = {"column_name": "real_extents_allocated", "found": in_use, "most": extents}
    assert result == ([wrong] if expected is None else [])


@pytest.mark.parametrize(
    ("field", "column", "whole"),
    [("R745SAVL", "cache_available_bytes", "R745SCNF"), ("R745SOFF", "cache_offline_bytes", "R745SCNF"),
     ("R745SPND", "nvs_pinned_bytes", "R745SCNV")],
)  # fmt: skip
@pytest.mark.parametrize(("size", "part", "is_believed"), [(800, 800, True), (800, 801, False), (0, 0, True)])
def test_no_part_of_cache_or_nvs_is_larger_than_it(
    field: str, column: str, whole: str, size: int, part: int, is_believed: bool
) -> None:
    lake = Lake()
    lake.cache([cache_device("2208")], status={"R745SFT": 0, whole: size, field: part})
    con = lake.connect()
    (row,) = all_rows(con, f"SELECT {column} FROM cache_subsystem_interval")
    assert row == {column: part if is_believed else None}
    result = all_rows(con, "SELECT column_name, found, most FROM impossible_value")
    assert result == ([] if is_believed else [{"column_name": column, "found": part, "most": size}])


@pytest.mark.parametrize("hours", [0.5, 0.99, 1.01, 3.0])
def test_a_queue_is_believed_as_long_as_its_wait_is(hours: float) -> None:
    """Ten I/Os a second that wait an hour each are 36,000: every view says so, or none does."""
    lake = Lake()
    lake.control()
    lake.device("2208", SMF74IOS=int(9000 * hours * 3600 * 1e6), SMF74CNF=0x01)
    con, expected = lake.connect(), 10 * hours * 3600 if hours <= 1 else None
    for view in ("device_interval", "volume_interval", "lcu_interval"):
        (row,) = all_rows(con, f"SELECT wait_ms, queue_length FROM {view}")
        assert row["queue_length"] == (pytest.approx(expected) if expected else None), view
        assert row["wait_ms"] == (pytest.approx(3.6e6 * hours) if expected else None), view
    result = {r["column_name"]: r for r in all_rows(con, "SELECT column_name, found, most FROM impossible_value")}
    assert set(result) == (set() if expected else {"wait_ms", "queue_length", "response_ms", "total_response_ms"})
    if not expected:
        assert result["queue_length"]["most"] == pytest.approx(36_000)


@pytest.mark.parametrize("field, column", [("SMF74CMR", "cmr_ms"), ("SMF74DVB", "device_busy_ms")])
@pytest.mark.parametrize(("part", "is_shown"), [(1000, True), (1010, True), (2000, False)])
def test_no_part_of_pend_is_longer_than_pend(field: str, column: str, part: int, is_shown: bool) -> None:
    """1,000 units of 128 us in 128 events are 1 ms of pend; rounding may carry a part a little beyond, not to 2 ms."""
    lake = Lake()
    lake.control()
    own = {"SMF74PEN": 1000, "SMF74MEC": 128, "SMF74CMR": 0, field: part}
    lake.device("2208", **own)
    con = lake.connect()
    (row,) = all_rows(con, f"SELECT pend_ms, {column} AS part_ms FROM device_interval")
    assert row == {"pend_ms": 1.0, "part_ms": pytest.approx(part / 1000) if is_shown else None}
    result = all_rows(con, "SELECT column_name, found, most FROM impossible_value")
    wrong = {"column_name": column, "found": pytest.approx(part / 1000), "most": pytest.approx(1.15)}
    assert result == ([] if is_shown else [wrong])


@pytest.mark.parametrize(("events", "is_shown"), [(9_000, True), (19_000, True), (2**32 - 1, False)])
def test_more_events_than_starts_divide_no_time(events: int, is_shown: bool) -> None:
    lake = Lake()
    lake.device("2208", SMF74SSC=9_000, SMF74MEC=events)
    con = lake.connect()
    (row,) = all_rows(con, "SELECT io_rate, service_ms, measured_count FROM device_interval")
    assert row["io_rate"] == 10 and (row["service_ms"] is not None) == is_shown == (row["measured_count"] == events)
    result = all_rows(con, "SELECT column_name, found, most FROM impossible_value")
    assert result == ([] if is_shown else [{"column_name": "measured_count", "found": events, "most": 19_000}])


def test_every_source_gives_where_its_rows_stand(tmp_path: Path) -> None:
    con = Lake().open(tmp_path)
    for source in (s for v in views() if v.is_measured and "source" in {c.name for c in v.columns} for s in v.sources):
        given = {d[0] for d in con.execute(f"SELECT * FROM ({source.sql}) AS source LIMIT 0").description or ()}
        assert given >= {"file_id", "place"}, source.name


def test_every_range_has_a_reason() -> None:
    file = Path(__file__).parents[3] / "toolkit" / "sql" / "possible.csv"
    with file.open(encoding="utf-8", newline="") as rows:
        assert all(row["reason"] for row in csv.DictReader(rows))
