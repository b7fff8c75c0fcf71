"""The same interval from two sources, planted table by table: it counts once, and nothing else is lost."""

from datetime import timedelta

import pytest
from sql_lake import START, Row, all_rows, all_tables, cache_device, one
from sql_lake import Lake as Records

LOCAL = START + timedelta(hours=1)  # SMF rows say that local time is an hour ahead
QUARTER = timedelta(minutes=15)
PRINTED = {"utc_offset_s": None, "interval_s": 900.0}


class Lake(Records):
    """Rows of listings and monitor data too, which lack what all SMF sections have."""

    def add(self, table: str, **row: object) -> Row:
        full = super().add(table, **row)
        for name in set(full) - set(all_tables()[table].names) - {"file_id", *row}:
            del full[name]
        return full


def known(lake: Lake) -> Lake:
    """The system's records say how far its clock is from UTC."""
    lake.add("smf74_1_record")
    return lake


def test_channels_recorded_and_printed() -> None:
    lake = known(Lake())
    lake.add("smf73_control", SMF73SFL=0, SMF73CSS=0)
    lake.add("smf73_channel_data", SMF73PID="40", SMF73FG2=0x80, SMF73CMG=0)
    for start in (LOCAL, LOCAL + QUARTER):
        lake.add("rmf_channel", interval_start=start, path="40", total_busy_pct=12.0, line=1, **PRINTED)
    found = all_rows(lake.connect(), "SELECT interval_start, source FROM channel_interval ORDER BY interval_start")
    assert [tuple(r.values()) for r in found] == [(START, "smf73"), (START + QUARTER, "rmf.chan")]


def test_alias_use_recorded_and_printed() -> None:
    lake = known(Lake())
    lake.add("smf78_3_record")
    lake.add("smf78_3_data", R783ID2="0012", R783HIX=1, R783HCNT=1, R783DST=0)
    lake.add("smf78_3_hyperpav", R783HAIU=7, R783HTIO=10.0, R783HNAI=1.0, R783HLCU="0012")
    for start in (LOCAL, LOCAL + QUARTER):
        lake.add(
            "rmf_ioq_lcu", interval_start=start, scope="LCU", path="*", lcu="0012", hpav_max=6.0, line=1, **PRINTED
        )
    found = all_rows(lake.connect(), "SELECT alias_high_water, source FROM lcu_extra ORDER BY interval_start")
    assert [tuple(r.values()) for r in found] == [(7, "smf78.3"), (6, "rmf.ioq")]


def cache_page(lake: Lake, system: str, at: timedelta = timedelta(), seconds: float = 900.0) -> None:
    """A subsystem's status and one of its devices as a listing has them."""
    common = {"system": system, "interval_start": LOCAL + at, "utc_offset_s": None, "interval_s": seconds, "line": 1}
    lake.add("rmf_cache_status", **common, subsystem="1800", total_io_count=900)
    lake.add("rmf_cache_device", **common, subsystem="1800", device="2208", list="OVERVIEW", io_rate=1.0, read_pct=50.0)


@pytest.mark.parametrize("system", ["SYSA", "SYSB"])
def test_cache_recorded_by_one_system_and_printed_by_any(system: str) -> None:
    lake = known(Lake())
    lake.add("smf74_1_record", system="SYSB")
    lake.cache([cache_device("2208", DRNR=450.0, DWNR=450.0)])
    cache_page(lake, system, timedelta(seconds=3))
    cache_page(lake, system, QUARTER)
    con = lake.connect()
    for view in ("cache_interval", "cache_subsystem_interval"):
        found = all_rows(con, f"SELECT source, system FROM {view} ORDER BY interval_start")
        assert [tuple(r.values()) for r in found] == [("smf74.5", "SYSA"), ("rmf.cache", system)], view
    assert one(con, "SELECT sum(read_rate) AS rate FROM cache_interval")["rate"] == pytest.approx(1.0)


def test_one_subsystem_printed_by_two_systems_counts_once() -> None:
    lake = Lake()
    for step in range(4):
        cache_page(lake, "SYSA", step * QUARTER)
        cache_page(lake, "SYSB", step * QUARTER + timedelta(seconds=step % 2))
    con = lake.connect()
    for view in ("cache_interval", "cache_subsystem_interval"):
        assert one(con, f"SELECT count(*) AS n FROM {view}")["n"] == 4


def device_row(lake: Lake, at: timedelta = timedelta(), seconds: float = 900.0, **more: object) -> None:
    row = {"interval_start": LOCAL + at, "utc_offset_s": None, "interval_s": seconds, "line": 1, "device": "02208"}
    lake.add("rmf_dasd_device", **(row | {"activity_rate": 1.0, "resp_ms": 1.0, "iosq_ms": 0.5} | more))


def starts(lake: Lake) -> list[float]:
    """Minutes from the first interval's start in UTC."""
    found = all_rows(lake.connect(), "SELECT interval_start FROM device_interval ORDER BY interval_start")
    return [(r["interval_start"] - START) / timedelta(minutes=1) for r in found]


def test_a_duration_report_over_recorded_intervals_is_left_out() -> None:
    lake = known(Lake())
    lake.control()
    lake.device("2208")
    device_row(lake, seconds=8 * 3600.0)
    assert starts(lake) == [0]


def test_a_duration_report_over_printed_intervals_is_left_out() -> None:
    lake = known(Lake())
    device_row(lake, seconds=3600.0)
    for step in range(4):
        device_row(lake, step * QUARTER)
    assert starts(lake) == [0, 15, 30, 45]


def test_listings_shorter_than_the_records_are_left_out() -> None:
    lake = known(Lake())
    lake.control(interval_s=1800.0)
    lake.device("2208", interval_s=1800.0)
    for step in range(3):
        device_row(lake, step * QUARTER)
    assert starts(lake) == [0, 30]


@pytest.mark.parametrize(("shorter_s", "taken_s"), [(1790.0, 1790.0), (900.0, 1800.0)])
def test_of_two_lengths_with_one_start_the_shorter_counts_if_it_holds_all_of_it(
    shorter_s: float, taken_s: float
) -> None:
    lake = known(Lake())
    device_row(lake, seconds=1800.0, line=1)
    device_row(lake, seconds=shorter_s, line=2)
    assert one(lake.connect(), "SELECT interval_s FROM device_interval")["interval_s"] == taken_s


def test_records_of_tapes_do_not_hide_a_listing_of_disks() -> None:
    lake = known(Lake())
    lake.control(device_class="0080")
    device_row(lake)
    assert starts(lake) == [0]


def test_neighbouring_intervals_stay() -> None:
    lake = known(Lake())
    lake.control()
    lake.device("2208")
    device_row(lake, -QUARTER)
    device_row(lake, QUARTER)
    assert starts(lake) == [-15, 0, 15]


def test_the_offset_nearest_in_time_is_taken() -> None:
    """Clocks went back between the first and the last record; a listing of another month has no offset."""
    lake = Lake()
    lake.add("smf74_1_record", interval_start=START, utc_offset_s=7200)
    lake.add("smf74_1_record", interval_start=START + timedelta(hours=10), utc_offset_s=3600)
    device_row(lake, timedelta(hours=-2))
    device_row(lake, timedelta(hours=11))
    device_row(lake, timedelta(days=30))
    found = all_rows(lake.connect(), "SELECT utc_offset_s FROM device_interval ORDER BY interval_start")
    assert [r["utc_offset_s"] for r in found] == [7200, 3600, None]


def test_monitor_cache_data_and_fcx111() -> None:
    lake = Lake()
    vm = {"system": "VMSYS1", "interval_s": 60.0}
    lake.add("mon_d1r4", system="VMSYS1", MRHDRTOD=START, utc_offset_s=-18000)
    for minute in (0, 1):
        sample = {"system": "VMSYS1", "MRHDRTOD": START + timedelta(minutes=minute)}
        lake.add("mon_d6r4", **sample, IODCAD_RDEVSID=16, IODCAD_PSFLEN=96, CALPSF_flags=0, CALPSF_ssid="1800")
    for minute in (0, 1):
        start = START + timedelta(hours=-5, minutes=minute)
        lake.add("fcx111", **vm, interval_start=start, utc_offset_s=None, dir="1800", addr="0A10", io_s=1.0, line=1)
    found = all_rows(lake.connect(), "SELECT interval_start, source FROM cache_interval WHERE source = 'fcx111'")
    assert [r["interval_start"] for r in found] == [START + timedelta(minutes=1)]
