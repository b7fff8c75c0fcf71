"""What the promised views make of listings: known values, the grain, and no row twice."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import rmf_support as support

from iosq.parsers.arrow import schema
from iosq.parsers.registry import tables
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.connect import connect
from tests.settle import settled

Row = dict[str, Any]
KEYS = {
    "device_interval": "platform, system, interval_start, device",
    "volume_interval": "platform, system, interval_start, volume",
    "lcu_interval": "platform, system, interval_start, lcu",
    "channel_interval": "platform, system, interval_start, channel_path",
    "cache_interval": "interval_start, subsystem, device",
    "cache_subsystem_interval": "interval_start, subsystem",
    "rank_interval": "interval_start, box, rank",
    "extent_pool_interval": "interval_start, box, extent_pool",
    "link_interval": "interval_start, box, link, operation",
    "iop_interval": "platform, system, interval_start, iop",
    "lcu_path_interval": "platform, system, interval_start, lcu, channel_path",
}


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """All golden listings, one of them read twice, and the XML that repeats two of them."""
    root = tmp_path_factory.mktemp("lake")
    parts: dict[str, list[str]] = {}
    inputs = [p for p in support.INPUTS if p.parent == support.GOLDEN]
    for number, path in enumerate([*inputs, support.GOLDEN / "device.txt"]):
        for table, rows in support.read(path.read_bytes()).rows.items():
            stored = pa.Table.from_pylist(rows, schema=schema(tables()[table]))
            stored = stored.append_column("file_id", pa.array([f"{number:016x}"] * len(rows)))
            name = f"{table}-{number}.parquet"
            pq.write_table(stored, root / name)
            parts.setdefault(table, []).append(name)
    con = connect(tables().values(), parts, {}, root=Path(root))
    with settled(con, 9 * [v.name for v in views()]):  # planned once, not for each test
        yield con
    con.close()


def rows(con: Any, sql: str) -> list[Row]:
    result = con.execute(sql)
    names = [c[0] for c in result.description]
    return [dict(zip(names, r, strict=True)) for r in result.fetchall()]


@pytest.mark.parametrize("view", KEYS)
def test_no_row_twice_though_reports_were_read_twice(lake: Any, view: str) -> None:
    assert rows(lake, f"SELECT {KEYS[view]} FROM {view}")
    assert not rows(lake, f"SELECT {KEYS[view]} FROM {view} GROUP BY {KEYS[view]} HAVING count(*) > 1")


def test_a_device_as_printed(lake: Any) -> None:
    sql = "SELECT * FROM device_interval WHERE device = '02208' AND interval_start = TIMESTAMP '2024-02-11 09:15:00'"
    (row,) = rows(lake, sql)
    assert row["interval_start"] == dt.datetime(2024, 2, 11, 9, 15)
    assert (row["platform"], row["source"], row["wait_source"]) == ("z/OS", "rmf.device", "reported")
    assert (row["role"], row["exposures"], row["is_hyperpav"]) == ("base", 1.2, True)
    assert (row["io_rate"], row["pend_ms"], row["disc_ms"], row["conn_ms"]) == (35.953, 0.133, 1.17, 1.93)
    assert row["service_ms"] == pytest.approx(0.133 + 1.17 + 1.93)
    assert row["busy_ratio"] == pytest.approx(0.1114)


def test_the_response_of_a_report_that_prints_nothing_else_is_the_one_printed(lake: Any) -> None:
    busy, idle = rows(lake, "SELECT * FROM device_interval WHERE system = 'SYSH' ORDER BY device")
    assert (busy["response_ms"], busy["wait_ms"], busy["service_ms"]) == (0.8, None, None)
    assert (idle["io_rate"], idle["response_ms"]) == (0, None)


def test_an_offline_device_has_no_measurements(lake: Any) -> None:
    for row in rows(lake, "SELECT * FROM device_interval WHERE NOT online"):
        values = {k for k, v in row.items() if k.endswith(("_ms", "_rate", "_ratio")) and v is not None}
        assert values <= {"allocated_ratio"}  # XML counts allocations of a device that is offline


def test_totals_never_become_devices(lake: Any) -> None:
    (row,) = rows(lake, "SELECT io_rate, conn_ms FROM lcu_interval WHERE system = 'SC42'")
    (printed,) = rows(lake, "SELECT activity_rate, conn_ms FROM rmf_dasd_total WHERE system = 'SC42'")
    assert row["io_rate"] == pytest.approx(printed["activity_rate"], abs=0.001)
    assert row["conn_ms"] == pytest.approx(printed["conn_ms"], abs=0.05)


def test_the_cache_overview_adds_up(lake: Any) -> None:
    (row,) = rows(lake, "SELECT * FROM cache_subsystem_interval WHERE subsystem = '1800'")
    assert (row["read_count"], row["write_count"], row["io_count"]) == (44831, 40990, 85821)
    assert row["read_hit_ratio"] == pytest.approx(44404 / 44831)
    assert row["sequential_ratio"] == pytest.approx((9107 + 2000) / 85821)
    assert (row["nvs_delay_count"], row["nvs_bytes"], row["nvs_active"]) == (12, 16384 * 2**20, True)
    (older,) = rows(lake, "SELECT * FROM cache_subsystem_interval WHERE subsystem = '0600'")
    assert (older["nvs_active"], older["cache_active"]) == (False, True)
    devices = rows(lake, "SELECT sum(read_rate + write_rate) AS rate FROM cache_interval WHERE subsystem = '1800'")
    assert devices[0]["rate"] == pytest.approx(95.4)


def test_channels_and_aliases(lake: Any) -> None:
    (row,) = rows(lake, "SELECT * FROM channel_interval WHERE channel_path = '90'")
    assert (row["busy_ratio"], row["read_bytes_rate"], row["operation_rate"]) == pytest.approx(
        (0.0812, 30.41e6, 1840.6)
    )
    assert [r["online"] for r in rows(lake, "SELECT online FROM channel_interval WHERE channel_path = 'B0'")] == [False]
    (lcu,) = rows(lake, "SELECT * FROM lcu_extra WHERE lcu = '0043'")
    assert (lcu["alias_high_water"], lcu["alias_denied_ratio"], lcu["is_superpav"]) == (4, 0.0, False)


def test_synchronous_io_stands_apart_and_in_the_totals(lake: Any) -> None:
    sql = "SELECT * FROM device_interval WHERE device = '02208' AND interval_start = TIMESTAMP '2024-02-11 09:15:00'"
    (row,) = rows(lake, sql)
    assert (row["sync_read_rate"], row["sync_write_rate"], row["is_sync_capable"]) == (812.1, 40.5, True)
    assert (row["sync_read_ms"], row["sync_write_ms"]) == (0.021, 0.034)
    assert (row["sync_success_ratio"], row["sync_miss_ratio"]) == pytest.approx((0.971, 0.023))
    assert row["sync_read_bytes_rate"] == pytest.approx(3.326e6)
    assert row["sync_request_rate"] == pytest.approx((812.1 + 40.5) / 0.971)
    assert row["io_rate"] == 35.953
    assert row["total_io_rate"] == pytest.approx(35.953 + 812.1 + 40.5)
    waited = 35.953 * row["response_ms"] + 812.1 * 0.021 + 40.5 * 0.034
    assert row["total_response_ms"] == pytest.approx(waited / row["total_io_rate"])
    idle = rows(lake, "SELECT * FROM device_interval WHERE sync_read_rate = 0 AND source = 'rmf.device'")
    assert [r["sync_read_ms"] for r in idle] == [None] * len(idle) != []


def test_interrupt_delay_allocations_and_cylinders_as_printed(lake: Any) -> None:
    sql = "SELECT * FROM device_interval WHERE device = '02208' AND interval_start = TIMESTAMP '2024-02-11 09:15:00'"
    (row,) = rows(lake, sql)
    assert (row["interrupt_delay_ms"], row["allocations"], row["cylinders"]) == (0.01, 12.0, 10017)
    (short,) = rows(lake, "SELECT not_ready_ratio FROM device_interval WHERE device = '02300'")
    assert short["not_ready_ratio"] == pytest.approx(0.015)


def test_ranks_pools_and_links_of_a_box(lake: Any) -> None:
    rank, other = rows(lake, "SELECT * FROM rank_interval WHERE extent_pool = '0000' ORDER BY rank")
    assert (rank["box"], rank["rank"], rank["raid_type"], rank["drives"]) == ("ABCD1", "0000", "RAID-5", 7)
    assert (rank["read_rate"], rank["read_ms"], rank["read_bytes_rate"]) == (120.5, 4.1, 6.9e6)
    assert (other["drive_class"], other["drives"], other["raid_type"]) == ("ssd", None, "RAID-10")
    pool, single = rows(lake, "SELECT * FROM extent_pool_interval ORDER BY extent_pool")
    assert (pool["read_rate"], pool["ranks"], pool["pool_type"]) == (180.5, 2, "CKD")
    assert (pool["real_extents"], pool["real_capacity_bytes"]) == (27000, 24576e9)
    assert (single["ranks"], single["read_rate"], single["read_ms"], single["pool_type"]) == (1, 0.0, None, "FB")
    links = {(r["link"], r["operation"]): r for r in rows(lake, "SELECT * FROM link_interval")}
    assert links["0000", "host read"]["bytes_rate"] == pytest.approx(90.9e6)
    assert links["0010", "copy send"]["in_progress"] == pytest.approx(0.055)
    assert links["0080", "synchronous read"]["success_ratio"] == pytest.approx(0.971)
    assert ("0010", "copy receive") not in links


def test_two_boxes_of_one_id_keep_their_numbers_apart(tmp_path: Path) -> None:
    """Of one listing with an id in two boxes the first one's status counts with its own reads and writes."""
    lines = (support.GOLDEN / "cache.txt").read_text("utf-8").splitlines(keepends=True)
    page = "".join(("1" if "C A C H E" in line else " ") + line for line in lines)
    other = page.replace("44831", "90000").replace("40990", " 1000").replace("0000000YT111", "0000000ZZ999")
    assert other != page
    shown = []
    for number, text in enumerate((page, page + other, other + page)):
        parts: dict[str, list[str]] = {}
        for table, given in support.read(text.encode()).rows.items():
            stored = pa.Table.from_pylist(given, schema=schema(tables()[table]))
            stored = stored.append_column("file_id", pa.array(["0" * 16] * len(given)))
            pq.write_table(stored, tmp_path / f"{table}{number}")
            parts[table] = [f"{table}{number}"]
        con = connect(tables().values(), parts, {}, root=tmp_path)
        (row,) = rows(con, "SELECT serial, read_count, write_count, devices FROM cache_subsystem_interval")
        shown.append((row["read_count"], row["write_count"]))
        con.close()
    assert shown == [(44831, 40990), (44831, 40990), (90000, 1000)]
