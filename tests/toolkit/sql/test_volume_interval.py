"""volume_interval and shared_volume_interval: worked example, Little's law, weights, what is left out."""

import datetime as dt
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sql_lake import START, Lake, Row, all_rows, cache_device, one

from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.connect import SHIMS

_DEVICE = next(v for v in views() if v.name == "device_interval")
_VOLUME = next(v for v in views() if v.name == "volume_interval")
_TYPES: dict[str, Any] = {
    "VARCHAR": pa.string(), "DOUBLE": pa.float64(), "BIGINT": pa.int64(), "INTEGER": pa.int32(),
    "BOOLEAN": pa.bool_(), "TIMESTAMP": pa.timestamp("us"),
}  # fmt: skip


def over(devices: list[Row], sql: str) -> list[Row]:
    """Rows of volume_interval over device_interval rows given as such, whatever platform they come from."""
    con = duckdb.connect()
    for shim in SHIMS:
        con.execute(shim)
    base: Row = {"platform": "z/VM", "system": "VMA", "interval_start": START, "interval_s": 60.0, "online": True}
    fields = pa.schema([(c.name, _TYPES[c.type]) for c in _DEVICE.columns])
    full = [{n: (base | {"source": "fcx108"} | d).get(n) for n in fields.names} for d in devices]
    con.register("device_interval", pa.Table.from_pylist(full, fields))
    for other in (v for v in views() if v.name in ("device_cache", "volume_cache", "_device_smf74_1")):
        con.register(other.name, pa.schema([(c.name, _TYPES[c.type]) for c in other.columns]).empty_table())
    con.execute(f"CREATE VIEW volume_interval AS {_VOLUME.part(is_stored=True).sources[0].sql}")
    return all_rows(con, sql)


def timed(rate: float, service: float, **more: Any) -> Row:
    return {"io_rate": rate, "service_ms": service, "pend_ms": 0.0, "disc_ms": 0.0, "conn_ms": service} | more


def test_worked_example_of_base_and_alias() -> None:
    base = timed(100.0, 5.0, device="00201", volser="VOL201", role="base", wait_ms=2.0, wait_source="reported")
    alias = timed(50.0, 7.0, device="00241", volser="VOL201", role="alias", base_device="00201")
    (row,) = over([base, alias], "SELECT * FROM volume_interval")
    assert row["io_rate"] == 150
    assert row["service_ms"] == pytest.approx(17 / 3)
    assert row["conn_ms"] == pytest.approx(17 / 3)
    assert (row["exposures"], row["device"], row["volume"], row["addresses"]) == (2, "00201", "VOL201", 2)
    assert row["wait_ms"] == 2.0
    assert row["response_ms"] == pytest.approx(2 + 17 / 3)


def test_wait_from_monitor_records_is_queue_over_volume_rate() -> None:
    base = timed(100.0, 5.0, device="00201", role="base", wait_ms=3.0, wait_source="measured", queue_length=0.3)
    alias = timed(50.0, 7.0, device="00241", role="alias", base_device="00201")
    (row,) = over([base, alias], "SELECT * FROM volume_interval")
    assert row["wait_ms"] == pytest.approx(1000 * 0.3 / 150)
    assert row["queue_length"] == pytest.approx(0.3)
    assert row["volume"] == "0201"


def test_tape_and_offline_devices_are_no_volumes() -> None:
    lake = Lake()
    lake.control(record=1)
    lake.control(record=2, device_class="0080")
    lake.device("2208", record=1)
    lake.device("2209", record=1, SMF74CNF=0)
    lake.device("0580", record=2)
    rows = all_rows(lake.connect(), "SELECT volume FROM volume_interval")
    assert rows == [{"volume": "VOL208"}]


def test_zos_row_passes_unchanged() -> None:
    lake = Lake()
    lake.control()
    lake.device("2208", SMF74CNX=0x22, SMF74NUX=1800, SMF74QUE=900)
    con = lake.connect()
    shared = [c.name for c in _VOLUME.columns if c.name in {d.name for d in _DEVICE.columns}]
    device = one(con, f"SELECT {', '.join(shared)} FROM device_interval")
    volume = one(con, f"SELECT {', '.join(shared)} FROM volume_interval")
    for name, value in device.items():
        assert volume[name] == (pytest.approx(value) if isinstance(value, float) else value), name


finite = st.floats(0.01, 5000)


@given(st.lists(st.tuples(finite, st.floats(0.01, 200), st.floats(0, 200)), min_size=1, max_size=8))
@settings(max_examples=15, deadline=None)
def test_littles_law_holds_for_volumes(parts: list[tuple[float, float, float]]) -> None:
    devices = [
        timed(rate, service, device=f"{i:05X}", volser="ONE", role="alias" if i else "base", wait_ms=wait,
              wait_source="measured", queue_length=rate * wait / 1000)
        for i, (rate, service, wait) in enumerate(parts)
    ]  # fmt: skip
    (row,) = over(devices, "SELECT * FROM volume_interval")
    assert row["io_rate"] == pytest.approx(sum(r for r, _, _ in parts))
    assert row["in_service"] == pytest.approx(sum(r * s / 1000 for r, s, _ in parts))
    assert row["queue_length"] == pytest.approx(sum(r * w / 1000 for r, _, w in parts))
    assert row["io_rate"] * row["response_ms"] / 1000 == pytest.approx(row["in_service"] + row["queue_length"])
    lowest, highest = min(s for _, s, _ in parts), max(s for _, s, _ in parts)
    assert lowest * (1 - 1e-9) <= row["service_ms"] <= highest * (1 + 1e-9)


def two_systems(late: int = 7) -> duckdb.DuckDBPyConnection:
    lake = Lake()
    later = START + dt.timedelta(seconds=late)
    lake.control(record=1)
    lake.control(record=2, system="SYSB", interval_start=later)
    lake.device("2208", record=1, SMF74SER="PAY001")
    lake.device(
        "3308", record=2, system="SYSB", interval_start=later, SMF74SER="PAY001", SMF74SSC=27000, SMF74MEC=27000
    )
    lake.cache([cache_device("2208", DRCR=60, DCRH=45, DWRC=40, DWCH=40, DVOL="PAY001", DFWB=9)] , common={"interval_start": START + dt.timedelta(seconds=3)})  # noqa: E501  # fmt: skip
    return lake.connect()


def test_shared_volume_adds_rates_and_weighs_times() -> None:
    row = one(two_systems(), "SELECT * FROM shared_volume_interval")
    assert (row["volume"], row["systems"], row["io_rate"]) == ("PAY001", 2, 40)
    # 10/s at 0.4 ms and 30/s at a third of it (same accumulated time, three times the events)
    assert row["disc_ms"] == pytest.approx((10 * 0.4 + 30 * 0.4 / 3) / 40)
    assert row["interval_start"] == START


@pytest.mark.parametrize(("late", "systems"), [(-7, [2]), (7, [2]), (400, [2]), (500, [1, 2, 1])])
def test_intervals_are_the_same_one_by_their_middle(late: int, systems: list[int]) -> None:
    rows = all_rows(two_systems(late), "SELECT systems FROM shared_volume_interval ORDER BY interval_start")
    assert [r["systems"] for r in rows] == systems


def test_a_device_reported_twice_is_no_alias() -> None:
    lake = Lake()
    lake.control(record=1)
    for _ in range(2):
        lake.device("2208", record=1)
    assert one(lake.connect(), "SELECT exposures FROM volume_interval") == {"exposures": 1.0}


def test_cache_matches_by_device_here_and_by_volser_elsewhere() -> None:
    rows = all_rows(two_systems(), "SELECT * FROM volume_interval ORDER BY system")
    assert [r["system"] for r in rows] == ["SYSA", "SYSB"]
    for row in rows:
        assert row["read_ratio"] == pytest.approx(0.6)
        assert row["read_hit_ratio"] == pytest.approx(0.75)
        assert row["write_hit_ratio"] == pytest.approx(1.0)
        assert row["nvs_delay_rate"] == pytest.approx(0.01)
        assert row["subsystem"] == "1800"


def test_another_systems_equal_device_number_is_not_matched() -> None:
    lake = Lake()
    lake.control(record=2, system="SYSB")
    lake.device("2208", record=2, system="SYSB", SMF74SER="OTHER1")
    lake.cache([cache_device("2208", DRCR=60, DCRH=45)])
    assert one(lake.connect(), "SELECT * FROM volume_interval")["read_ratio"] is None


def test_one_long_cache_interval_serves_every_device_interval_inside() -> None:
    lake = Lake()
    second = START + dt.timedelta(minutes=15)
    for record, start in ((1, START), (2, second)):
        lake.control(record=record, interval_start=start)
        lake.device("2208", record=record, interval_start=start)
    lake.cache([cache_device("2208", DRCR=60, DCRH=45)], cint=1800, common={"interval_s": 1800.0})
    rows = all_rows(lake.connect(), "SELECT read_ratio, addresses FROM volume_interval")
    assert rows == [{"read_ratio": 1.0, "addresses": 1}] * 2
