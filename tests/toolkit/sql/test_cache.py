"""Cache views from type 74.5: formulas by hand, one system per subsystem, voids, sizes; nvs_delay."""

import datetime as dt

import numpy as np
import pytest
from sql_lake import START, Lake, Row, all_rows, cache_device, one

from tests.length import tried

BUSY = {
    "DRCR": 9000, "DCRH": 8100, "DRSR": 900, "DRSH": 450, "DRNR": 0, "DNRH": 0, "DWRC": 4500, "DWCH": 4400,
    "DWSR": 450, "DWSH": 400, "DWNR": 50, "DWNH": 50, "DICL": 90, "DBCR": 10, "DTC": 180, "DNTD": 1800,
    "DCTD": 2700, "DFWB": 45, "DFWC": 4400, "DFWS": 440, "DFWR": 9,
}  # fmt: skip
RATES = [
    "read_rate", "write_rate", "nvs_delay_rate", "cache_delay_rate", "fast_write_inhibit_rate", "stage_rate",
    "sequential_stage_rate", "destage_rate", "inhibit_rate", "bypass_rate",
]  # fmt: skip


def cached(device: Row, **record: object) -> Row:
    lake = Lake()
    lake.cache([device], **record)  # type: ignore[arg-type]
    return one(lake.connect(), "SELECT * FROM cache_interval")


def test_known_answers() -> None:
    row = cached(cache_device("2208", **BUSY), common={"interval_s": 1800.0})
    assert (row["subsystem"], row["device"], row["volser"], row["system"]) == ("1800", "02208", "VOL208", "SYSA")
    assert row["interval_s"] == 900, "R745CINT divides, not the record's interval"
    assert row["read_rate"] == pytest.approx(11)
    assert row["write_rate"] == pytest.approx(5000 / 900)
    assert row["read_ratio"] == pytest.approx(9900 / 14900)
    assert row["read_hit_ratio"] == pytest.approx(8550 / 9900)
    assert row["write_hit_ratio"] == pytest.approx(4850 / 5000)
    assert row["hit_ratio"] == pytest.approx((8550 + 4850) / (14900 + 100))
    assert row["sequential_ratio"] == pytest.approx(1350 / 14900)
    assert row["fast_write_ratio"] == pytest.approx((4400 + 440 + 50) / 5000)
    assert (row["nvs_delay_count"], row["nvs_delay_ratio"]) == (45, pytest.approx(45 / 5000))
    assert row["nvs_delay_rate"] == pytest.approx(0.05)
    assert row["cache_delay_rate"] == pytest.approx(0.01)
    assert row["fast_write_inhibit_rate"] == pytest.approx(110 / 900)
    assert (row["stage_rate"], row["sequential_stage_rate"], row["destage_rate"]) == (2, 0.2, 3)
    assert (row["inhibit_rate"], row["bypass_rate"]) == (pytest.approx(0.1), pytest.approx(10 / 900))


def test_printed_rate_of_the_ibm_figure() -> None:
    """35724 normal reads in CINT 10.00 are printed as 59.5 per second."""
    row = cached(cache_device("B005", DRCR=35724, DCRH=35724), cint=600)
    assert round(row["read_rate"], 1) == 59.5


@pytest.mark.parametrize(("cint", "start_s"), [(900, 0), (905, 0), (850, 0), (1800, -900), (450, 450), (90_000, 0)])
def test_statistics_end_where_their_record_was_written(cint: int, start_s: int) -> None:
    """They are read at the end of an interval, and cover the time since they were read before."""
    lake = Lake()
    lake.cache([cache_device("2208", DRCR=9000)], cint=cint)
    begun = START + dt.timedelta(seconds=start_s)
    for view in ("cache_interval", "cache_subsystem_interval"):
        row = one(lake.connect(), f"SELECT interval_start, interval_s, read_rate FROM {view}")
        assert (row["interval_start"], row["interval_s"], row["read_rate"]) == (begun, cint, 9000 / cint), view


def test_a_record_that_is_missing_leaves_no_hole_and_no_overlap() -> None:
    """The next one covers its time too, and volumes of that time have the statistics."""
    lake, quarter = Lake(), dt.timedelta(seconds=900)
    for turn in range(3):
        common: Row = {"interval_start": START + turn * quarter}
        lake.control(record=turn + 1, **common)
        lake.device("2208", record=turn + 1, **common)
        if turn:
            cint = 900 if turn == 2 else 1800
            lake.cache([cache_device("2208", **BUSY)], cint=cint, common=common)
    con = lake.connect()
    spans = all_rows(con, "SELECT interval_start, interval_s FROM cache_subsystem_interval ORDER BY 1")
    assert [tuple(r.values()) for r in spans] == [(START, 1800), (START + 2 * quarter, 900)]
    known = all_rows(con, "SELECT read_hit_ratio FROM volume_interval ORDER BY interval_start")
    assert [r["read_hit_ratio"] for r in known] == [pytest.approx(8550 / 9900)] * 3


def test_unavailable_device_has_no_counters() -> None:
    row = cached(cache_device("2208", **BUSY) | {"R745DFLG": 0x80})
    assert {
        c for c in (*RATES, "read_ratio", "hit_ratio", "nvs_delay_count", "io_count") if row[c] is not None
    } == set()
    assert row["device"] == "02208"


def test_zero_divisors() -> None:
    row = cached(cache_device("2208"), cint=0)
    ratios = ("read_ratio", "read_hit_ratio", "write_hit_ratio", "hit_ratio", "sequential_ratio", "nvs_delay_ratio")
    assert {c for c in (*RATES, *ratios) if row[c] is not None} == set()


def test_subchannel_set_comes_from_the_flag_bits() -> None:
    assert cached(cache_device("2208") | {"R745DFL4": 0x90})["device"] == "12208"


@pytest.mark.parametrize("bad", [{"R745CSC": 4}, {"R745CRTN": 8}, {"R745CIOC": 1}])
def test_failed_records_are_left_out(bad: Row) -> None:
    lake = Lake()
    lake.cache([cache_device("2208", **BUSY)], control=bad)
    assert all_rows(lake.connect(), "SELECT * FROM cache_interval") == []


def test_extent_pool_data_joins_by_device_not_by_position() -> None:
    lake = Lake()
    record = lake.cache([cache_device("2208", **BUSY), cache_device("2209", **BUSY)])
    pool: Row = {"record_id": record, "R7451INC": 0x01, "R7451FLG": 2, "R7451SCS": 0}
    for number, ops in (("2209", 1800.0), ("2208", 900.0)):
        more = {"R7452PRO": ops, "R7452PRT": ops / 4, "R7452PWO": 0.0, "R7452PWT": 0.0, "R7451CT1": 90.0}
        lake.add("smf74_5_raid_extent_pool", R7451DVN=number, **pool, **more)
    rows = all_rows(lake.connect(), "SELECT * FROM cache_interval ORDER BY device")
    assert [r["disk_read_rate"] for r in rows] == [1, 2]
    assert [r["disk_read_ms"] for r in rows] == [4, 4]
    assert [r["disk_write_ms"] for r in rows] == [None, None]
    assert rows[0]["read_bytes_rate"] == pytest.approx(90 * 131072 / 900)


def systems_kept(*records: tuple[str, int, int]) -> list[str]:
    """Systems in cache_interval when each gathers `devices` devices, `late` seconds after START."""
    lake = Lake()
    for system, devices, late in records:
        common = {"system": system, "interval_start": START + dt.timedelta(seconds=late)}
        lake.cache([cache_device(f"22{i:02X}", **BUSY) for i in range(devices)], common=common)
    rows = all_rows(lake.connect(), "SELECT system FROM cache_interval ORDER BY interval_start, device")
    return [r["system"] for r in rows]


def test_one_system_per_subsystem_and_interval() -> None:
    assert systems_kept(("SYSB", 2, 0), ("SYSA", 2, 4)) == ["SYSA"] * 2, "lower name on a tie"


def test_the_system_with_most_devices_is_kept() -> None:
    assert systems_kept(("SYSA", 1, 0), ("SYSB", 3, -5)) == ["SYSB"] * 3


def test_intervals_of_the_other_system_that_no_one_covers_stay() -> None:
    kept = systems_kept(("SYSA", 1, 0), ("SYSB", 1, 3), ("SYSB", 1, 903), ("SYSA", 1, 1800), ("SYSB", 1, 1803))
    assert kept == ["SYSA", "SYSB", "SYSA"]


def test_two_subsystems_of_two_systems_are_both_kept() -> None:
    lake = Lake()
    lake.cache([cache_device("2208", **BUSY)])
    lake.cache([cache_device("3308", **BUSY)], ssid="1900", common={"system": "SYSB"})
    rows = all_rows(lake.connect(), "SELECT subsystem, system FROM cache_interval ORDER BY subsystem")
    assert [(r["subsystem"], r["system"]) for r in rows] == [("1800", "SYSA"), ("1900", "SYSB")]


@pytest.mark.parametrize(("form", "unit"), [(0, 1), (1, 1024), (2, 1024), (0x12, 1024), (3, None)])
def test_sizes_follow_the_format(form: int, unit: int | None) -> None:
    lake = Lake()
    sizes = {"R745SFT": form, "R745SCNF": 252128, "R745SAVL": 216498, "R745SOFF": 0, "R745SCNV": 16384, "R745SPND": 7}
    lake.cache([cache_device("2208", **BUSY), cache_device("2209", **BUSY)], status=sizes)
    row = one(lake.connect(), "SELECT * FROM cache_subsystem_interval")
    expected = [n * unit if unit else None for n in (252128, 216498, 0, 16384, 7)]
    names = ("cache_bytes", "cache_available_bytes", "cache_offline_bytes", "nvs_bytes", "nvs_pinned_bytes")
    assert [row[n] for n in names] == expected
    assert row["devices"] == 2
    assert row["read_rate"] == pytest.approx(22)
    assert row["nvs_delay_ratio"] == pytest.approx(90 / 10000)
    assert (row["cache_active"], row["nvs_active"]) == (True, True)


@pytest.mark.parametrize(
    ("status", "cache", "nvs"),
    [({"R745SCS": 0x40}, False, True), ({"R745SDS1": 0xC0}, False, True), ({"R745SVSS": 0x08}, True, False),
     ({"R745SVSS": 0x07}, True, True)],
)  # fmt: skip
def test_status_bits(status: Row, cache: bool, nvs: bool) -> None:
    lake = Lake()
    lake.cache([cache_device("2208", **BUSY)], status=status)
    row = one(lake.connect(), "SELECT * FROM cache_subsystem_interval")
    assert (row["cache_active"], row["nvs_active"]) == (cache, nvs)


@pytest.mark.parametrize(
    ("device", "status", "cache", "fast"),
    [(0x00, {}, True, True), (0x50, {}, True, True), (0x80, {}, False, True), (0xC0, {}, False, True),
     (0x20, {}, True, False), (0x30, {}, True, False), (0x00, {"R745SCS": 0x40}, False, True),
     (0x00, {"R745SVSS": 0x20}, True, False), (0x00, {"R745SDS1": 0xF0}, True, True)],
)  # fmt: skip
def test_status_of_a_volume_is_its_own_and_its_subsystem_s(device: int, status: Row, cache: bool, fast: bool) -> None:
    """10 and 11 are off, 01 is not used; the device in the status section (SDS1) says nothing of others."""
    lake = Lake()
    lake.cache([cache_device("2208", DVS1=device, **BUSY)], status=status)
    row = one(lake.connect(), "SELECT * FROM cache_interval")
    assert (row["cache_active"], row["fast_write_active"]) == (cache, fast)


@pytest.mark.parametrize(
    ("bits", "form", "pinned", "rebuilding"),
    [(5, 2, True, True), (1, 1, True, False), (4, 0x12, False, True), (0xFA, 2, False, False), (5, 0, None, None)],
)
def test_pinned_data_and_rebuild_are_known_of_newer_sections(
    bits: int, form: int, pinned: bool | None, rebuilding: bool | None
) -> None:
    lake = Lake()
    lake.cache([cache_device("2208", DSG2=bits, **BUSY)], status={"R745SFT": form})
    row = one(lake.connect(), "SELECT * FROM cache_interval")
    assert (row["has_pinned_data"], row["is_rebuilding"]) == (pinned, rebuilding)


def nvs(delays: list[float], disc_ms: list[float], *, devices: bool = True, ios: int = 1350) -> list[Row]:
    """nvs_delay over intervals with 900 reads (450 misses), 450 writes and the disconnect times given, per read."""
    lake = Lake()
    for place, (delayed, disc) in enumerate(zip(delays, disc_ms, strict=True)):
        at = START + dt.timedelta(minutes=15 * place)
        counts = {"DRCR": 900.0, "DCRH": 450.0, "DWRC": 450.0, "DWCH": 450.0, "DFWB": delayed}
        lake.cache([cache_device("2208", **counts)], common={"interval_start": at})
        if devices:
            record = lake.record()
            lake.control(record=record, interval_start=at)
            fields = {"SMF74SSC": ios, "SMF74MEC": ios, "SMF74DIS": round(900 * disc / 0.128)}
            lake.device("2208", record=record, interval_start=at, **fields)
    return all_rows(lake.connect(), "SELECT * FROM nvs_delay ORDER BY interval_start")


def test_quiet_intervals_price_a_miss_and_the_rest_is_nvs() -> None:
    # quiet: 1 ms per read at 1/s = 1 ms/s over 0.5 misses/s = 2 ms per miss; loud: 3 ms/s, 2 of them for 0.1 delayed/s
    row = nvs([0, 0, 0, 0, 90], [1, 1, 1, 1, 3])[-1]
    assert row["method"] == "quiet intervals"
    assert row["delay_ms_per_delayed_write"] == pytest.approx(20, rel=1e-3)
    assert row["delay_ms_per_write"] == pytest.approx(4, rel=1e-3)
    assert row["disc_share_ratio"] == pytest.approx(2 / 3, rel=1e-3)
    assert row["coverage_ratio"] == pytest.approx(1)


def test_bounds_enclose_the_estimate() -> None:
    for row in nvs([0, 0, 0, 0, 0, 90], [0.5, 1, 1, 1, 1.5, 3]):
        for name in ("delay_ms_per_delayed_write", "delay_ms_per_write", "disc_share_ratio"):
            if row[name] is not None:
                assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"]
    assert row["delay_ms_per_write_low"] < row["delay_ms_per_write"] < row["delay_ms_per_write_high"]


def _mirrored(rng: np.random.Generator, copy_ms: float) -> Row:
    """nvs_delay after eight quiet intervals with reads and writes of chance; NVS costs each write 2 ms."""
    lake = Lake()
    for place in range(9):
        at = START + dt.timedelta(minutes=15 * place)
        misses, writes, late = rng.integers(100, 300), rng.integers(400, 4000), place == 8
        counts = {"DRCR": 900.0, "DCRH": 900.0 - misses, "DWRC": writes, "DWCH": writes, "DFWB": late * writes / 10}
        record = lake.cache([cache_device("2208", **counts)], common={"interval_start": at})
        disks = {"R7452PRO": misses, "R7452PRT": misses * 4 / 16, "R7451TSP": writes * (copy_ms > 0)}
        where = {"R7451DVN": "2208", "R7451SCS": 0, "R7451FLG": 2, "R7452XID": 3, "R7451INC": 0}
        lake.add("smf74_5_raid_extent_pool", record_id=record, interval_start=at, **where, **disks)
        lake.control(record=(own := lake.record()), interval_start=at)
        disc = misses * 4 + writes * (copy_ms + 2 * late)
        ios = {"SMF74SSC": 900 + writes, "SMF74MEC": 900 + writes}
        lake.device("2208", record=own, interval_start=at, **ios, SMF74DIS=round(disc / 0.128))
    return all_rows(lake.connect(), "SELECT * FROM nvs_delay ORDER BY interval_start")[-1]


@pytest.mark.parametrize("seed", tried(range(1), range(3)))
@pytest.mark.parametrize("copy_ms", [0.0, 0.5, 5.0])
def test_the_share_of_a_mirror_is_per_write(seed: int, copy_ms: float) -> None:
    """A law: whatever share of the I/Os writes, a mirror is neither in what NVS costs nor in its bounds."""
    row = _mirrored(np.random.default_rng(seed), copy_ms)
    for name in ("delay_ms_per_write", "delay_ms_per_write_low", "delay_ms_per_write_high"):
        assert row[name] == pytest.approx(2, rel=0.05), name


def test_without_quiet_intervals_bounds_are_nothing_and_everything() -> None:
    row = nvs([90], [3])[0]
    assert row["method"] == "equal shares"
    # 0.1 delayed writes and 0.5 misses per second share 3 ms/s
    assert row["delay_ms_per_delayed_write"] == pytest.approx(5, rel=1e-3)
    assert (row["disc_share_ratio_low"], row["disc_share_ratio_high"]) == (0, 1)


def test_no_delay_costs_nothing_and_has_no_time_per_delayed_write() -> None:
    row = nvs([0], [3])[0]
    assert (row["method"], row["delay_ms_per_write"], row["delay_ms_per_delayed_write"]) == ("none delayed", 0, None)


def test_more_i_os_than_the_box_counted_have_no_time_and_price_no_miss() -> None:
    """Twice the I/Os that were counted are another box's too; a tenth more may be anything."""
    for row in nvs([0, 0, 0, 0, 90], [1, 1, 1, 1, 3], ios=2700)[-1:] + nvs([90], [3], ios=1490):
        assert row["method"] == "more I/Os than counted" and row["coverage_ratio"] > 1.1
        assert {v for c, v in row.items() if c.startswith(("delay_ms", "disc_"))} == {None}
    assert nvs([90], [3], ios=1480)[0]["delay_ms_per_delayed_write"] == pytest.approx(5, rel=1e-3)


def test_without_device_data_there_is_a_count_but_no_time() -> None:
    row = nvs([90], [3], devices=False)[0]
    assert (row["method"], row["nvs_delay_count"]) == ("no device data", 90)
    assert {row[c] for c in ("delay_ms_per_write", "delay_ms_per_delayed_write_high", "disc_share_ratio")} == {None}
