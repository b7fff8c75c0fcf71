"""lcu_interval: sums over sums, never a mean of means; alias data from type 78.3."""

import datetime as dt

import pytest
from sql_lake import START, Lake, Row, all_rows, one
from view_rows import over


def test_times_are_sums_over_sums() -> None:
    lake = Lake()
    lake.control()
    # 1000 I/Os of 1 ms disconnect and 9000 of 0.1 ms: 1.9 s / 10000, not the mean of the means (0.55 ms)
    lake.device("2208", SMF74SSC=2000, SMF74MEC=1000, SMF74DIS=1000 / 0.128, SMF74QUE=1800)
    lake.device("2209", SMF74SSC=9000, SMF74MEC=9000, SMF74DIS=900 / 0.128, SMF74QUE=0)
    row = one(lake.connect(), "SELECT * FROM lcu_interval")
    assert row["disc_ms"] == pytest.approx(0.19, rel=1e-3)
    assert row["io_rate"] == pytest.approx(11000 / 900)
    assert (row["devices"], row["waiting_devices"], row["lcu"]) == (2, 1, "0012")
    # a queue of 2 at 12.2 I/Os per second
    assert row["wait_ms"] == pytest.approx(2000 / (11000 / 900))


def test_devices_without_a_value_carry_no_weight() -> None:
    lake = Lake()
    lake.control()
    lake.device("2208", SMF74DIS=28125)
    lake.device("2209", SMF74DIS=99999, SMF74CNX=0x40)
    lake.device("220A", SMF74CNF=0)
    row = one(lake.connect(), "SELECT * FROM lcu_interval")
    assert row["disc_ms"] == pytest.approx(0.4)
    assert row["devices"] == 2


def test_weights_are_per_second_whether_ios_were_counted_or_only_their_rate_is_known() -> None:
    """900 I/Os counted in a quarter hour weigh as much as a rate of one, and a third of a rate of three."""
    times = {"lcu": "0012", "device_class": "dasd", "online": True}
    counted = times | {"device": "2208", "measured_count": 900.0, "io_rate": 5.0, "conn_ms": 1.0}
    rated = times | {"device": "2209", "io_rate": 3.0, "conn_ms": 2.0}
    con = over(("lcu_interval",), device_interval=[{"interval_start": START, **row} for row in (counted, rated)])
    assert one(con, "SELECT conn_ms FROM lcu_interval")["conn_ms"] == pytest.approx((1 * 1.0 + 3 * 2.0) / 4)


def aliases(pools: list[Row], **queue: object) -> Row:
    lake = Lake()
    lake.control()
    lake.device("2208", SMF74CNX=0x22, SMF74HPC=32)
    fields: Row = {"R783ID2": "0012", "R783DST": 0x02, "R783HIX": 1, "R783HCNT": len(pools)}
    lake.add("smf78_3_data", record_id=78, **(fields | queue))
    blank: Row = {f"R783{n}": 0 for n in ("HNAI", "HTIO", "HAIU", "HCAD", "HIOQ", "XANC", "XHBC")}
    for place, pool in enumerate(pools, 1):
        lake.add("smf78_3_hyperpav", record_id=78, section_index=place, **({"R783HLCU": "0012"} | blank | pool))
    return one(lake.connect(), "SELECT * FROM lcu_interval")


def test_alias_data() -> None:
    pool = {"R783HNAI": 50.0, "R783HTIO": 1000.0, "R783HAIU": 30, "R783HCAD": 7, "R783HIOQ": 12, "R783XANC": 9.0}
    row = aliases([pool | {"R783XHBC": 4}])
    assert (row["hyperpav_aliases"], row["alias_high_water"], row["alias_high_water_per_base"]) == (32, 30, 7)
    assert (row["alias_io_count"], row["alias_denied_count"], row["alias_denied_ratio"]) == (1000, 50, 0.05)
    assert row["queue_high_water"] == 12
    assert (row["alias_need_count"], row["alias_borrowed_high_water"]) == (None, None), "SuperPAV only"


def test_superpav() -> None:
    row = aliases([{"R783XANC": 9.0, "R783XHBC": 4}], R783DST=0x03)
    assert (row["alias_need_count"], row["alias_borrowed_high_water"]) == (9, 4)


def test_several_pools_add_counts_and_keep_the_highest_mark() -> None:
    two = [{"R783HTIO": 100.0, "R783HNAI": 1.0, "R783HAIU": 3}, {"R783HTIO": 300.0, "R783HNAI": 3.0, "R783HAIU": 5}]
    row = aliases(two)
    assert (row["alias_io_count"], row["alias_denied_ratio"], row["alias_high_water"]) == (400, 0.01, 5)


def test_a_section_belongs_to_the_lcu_it_names_whatever_the_index_says() -> None:
    row = aliases([{"R783HAIU": 9, "R783HLCU": "0013"}, {"R783HAIU": 5}], R783HIX=1, R783HCNT=1)
    assert row["alias_high_water"] == 5


def test_the_index_selects_where_no_section_names_an_lcu() -> None:
    unnamed: Row = {"R783HLCU": None}
    pools = [unnamed | {"R783HAIU": n} for n in (9, 5, 8)]
    assert aliases(pools, R783HIX=2, R783HCNT=1)["alias_high_water"] == 5


def test_without_an_index_the_lcu_number_selects() -> None:
    row = aliases([{"R783HAIU": 3, "R783HLCU": "0013"}, {"R783HAIU": 5}], R783HIX=0, R783HCNT=0)
    assert row["alias_high_water"] == 5


def queued(*intervals: tuple[float, int]) -> list[Row]:
    """LCU 0012 measured from 9:00 on for 900 s; its queuing this many seconds later, for this many seconds each."""
    lake = Lake()
    lake.control()
    lake.device("2208", SMF74CNX=0x22, SMF74HPC=32)
    for place, (later, length) in enumerate(intervals):
        at: Row = {"record_id": 78 + place, "interval_start": START + dt.timedelta(seconds=later), "interval_s": length}
        lake.add("smf78_3_data", R783ID2="0012", R783DST=0x02, R783HIX=1, R783HCNT=1, **at)
        pool: Row = {"R783HNAI": 50.0, "R783HTIO": 1000.0, "R783HAIU": 30 + place, "R783HLCU": "0012"}
        lake.add("smf78_3_hyperpav", section_index=1, **pool, **at)
    con = lake.connect()
    return all_rows(con, "SELECT * FROM lcu_interval") + all_rows(con, "SELECT * FROM lcu_alias_interval")


def test_an_lcu_without_measured_devices_has_a_row_if_it_has_aliases() -> None:
    """Another LCU's devices were measured then; the queuing of 0013 has a pool, that of 0014 none."""
    lake = Lake()
    lake.control()
    lake.device("2208", SMF74CNX=0x22, SMF74HPC=32)
    for place, lcu in enumerate(("0012", "0013", "0014")):
        at: Row = {"record_id": 78 + place, "interval_start": START, "interval_s": 900}
        lake.add("smf78_3_data", R783ID2=lcu, R783DST=0x02 if lcu != "0014" else 0, R783HIX=1, R783HCNT=1, **at)
        if lcu != "0014":
            pool: Row = {"R783HNAI": 0.0, "R783HTIO": 1000.0, "R783HAIU": 30, "R783HLCU": lcu}
            lake.add("smf78_3_hyperpav", section_index=1, **pool, **at)
    given = all_rows(
        lake.connect(), "SELECT lcu, alias_io_count, alias_denied_ratio FROM lcu_alias_interval ORDER BY 1"
    )
    assert [tuple(r.values()) for r in given] == [("0012", 1000, 0), ("0013", 1000, 0)]


@pytest.mark.parametrize(
    ("intervals", "count", "marks"),
    [
        ([(0, 900)], 1000, 30),
        ([(1, 900)], 1000, 30),
        ([(-2, 900)], 1000, 30),
        ([(0, 450), (450, 450)], 2000, 31),
        ([(-900, 1800)], 500, 30),
    ],
)
def test_queuing_is_paired_with_devices_by_the_middle_of_its_interval(
    intervals: list[tuple[float, int]], count: float, marks: int
) -> None:
    lcu, use = queued(*intervals)
    for row in (lcu, use):
        assert (row["interval_start"], row["interval_s"]) == (START, 900)
        assert (row["alias_io_count"], row["alias_denied_ratio"]) == (count, 0.05)
        assert row["alias_high_water"] == marks


def test_queuing_of_another_time_stands_alone() -> None:
    lcu, near, alone = queued((0, 900), (900, 900))
    assert lcu["alias_io_count"] == near["alias_io_count"] == 1000
    assert (alone["interval_start"], alone["io_rate"]) == (START + dt.timedelta(seconds=900), None)
