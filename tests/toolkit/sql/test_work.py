"""cpu_interval from type 70.1, service_class_interval from type 72.3: how busy it was and whose goals suffered."""

from typing import Any

import pytest
from sql_lake import Lake, Row, all_rows, one

SECOND = 4096 * 10**6
ONLINE, VARIED = 0x01, 0x02
# a velocity goal of 40, in the samples: 60 using (20 disk), 60 delayed (30 disk, 20 CPU), 40 idle, 40 unknown
VELOCITY: Row = {"R723CRGF": 0x20, "R723CRTF": 0, "R723CVAL": 40, "R723CIMP": 2, "R723CPER": 1, "R723CRS1": 0}
VELOCITY |= {"R723CTOU": 60, "R723CTOT": 60, "R723CTSA": 200.0, "R723CIOU": 20, "R723CIOD": 30, "R723CCUS": 40}
# 9000 I/Os: 0.4 ms queue, 0.2 ms pending, 1 ms disconnect, 0.8 ms connect
DISK: Row = {"R723CCDE": 20, "R723CIRC": 9000, "R723CIOT": 9000 * 0.4 / 0.128, "R723CIWT": 9000 * 0.6 / 0.128}
DISK |= {"R723CIDT": 9000 * 1.0 / 0.128, "R723CICT": 9000 * 0.8 / 0.128, "R723CRCP": 0, "R723CTET": 0.0}


def processor(**fields: Any) -> Row:
    lake = Lake()
    own: Row = {"SMF70CID": 10, "SMF70TYP": 0, "SMF70CNF": ONLINE, "SMF70WAT": 270 * SECOND, "SMF70PAT": 0}
    lake.add("smf70_1_cpu_data", **(own | {"SMF70SLH": 8100, "SMF70TPI": 900} | fields))
    return one(lake.connect(), "SELECT * FROM cpu_interval")


def test_a_processor() -> None:
    row = processor()
    assert (row["cpu"], row["cpu_type"], row["busy_ratio"], row["parked_ratio"]) == ("0A", "CP", pytest.approx(0.7), 0)
    assert (row["interrupt_rate"], row["polled_ratio"]) == (10, pytest.approx(0.1))


def test_time_parked_is_neither_busy_nor_idle() -> None:
    row = processor(SMF70TYP=2, SMF70PAT=450 * SECOND)
    assert (row["cpu_type"], row["busy_ratio"], row["parked_ratio"]) == ("zIIP", pytest.approx(0.4), pytest.approx(0.5))
    assert processor(SMF70PAT=None)["busy_ratio"] == pytest.approx(0.7), "before HiperDispatch"


@pytest.mark.parametrize("void", [{"SMF70CNF": 0}, {"SMF70CNF": ONLINE | VARIED}, {"SMF70WAT": 2000 * SECOND}])
def test_a_processor_that_was_varied_or_waits_longer_than_it_is_has_no_busy_share(void: Row) -> None:
    assert processor(**void)["busy_ratio"] is None


def period(klass: Row | None = None, **fields: Any) -> Row:
    lake = Lake()
    named: Row = {"R723MCNM": "CICSPROD", "R723MWNM": "ONLINE", "R723MSCF": 0x10}
    lake.add("smf72_3_control", record_id=72, **(named | (klass or {})))
    lake.add("smf72_3_period", record_id=72, **(VELOCITY | DISK | fields))
    return one(lake.connect(), "SELECT * FROM service_class_interval")


def test_a_velocity_goal() -> None:
    row = period()
    assert (row["service_class"], row["workload"], row["period"], row["is_report_class"]) == (
        "CICSPROD",
        "ONLINE",
        1,
        False,
    )
    assert (row["goal"], row["goal_velocity_ratio"], row["importance"], row["goal_s"]) == ("velocity", 0.4, 2, None)
    assert (row["velocity_ratio"], row["performance_index"]) == (0.5, pytest.approx(0.8))
    assert (row["disk_using_ratio"], row["disk_delay_ratio"]) == (0.1, 0.15)
    assert (row["cpu_using_ratio"], row["cpu_delay_ratio"], row["counts_io_delay"]) == (0.2, 0.1, True)


def test_what_its_disk_ios_waited_for() -> None:
    row = period()
    times = [row[f"disk_{part}_ms"] for part in ("wait", "pend", "disc", "conn", "response")]
    assert times == [pytest.approx(t) for t in (0.4, 0.2, 1, 0.8, 2.4)]
    assert row["disk_io_rate"] == 10


@pytest.mark.parametrize(
    ("unit", "value", "seconds"), [(0x80, 250, 0.25), (0x40, 3, 3), (0x20, 2, 120), (0x10, 1, 3600)]
)
def test_a_response_goal(unit: int, value: int, seconds: float) -> None:
    work = {"R723CRCP": 1800, "R723CTET": 1800 * 0.5 / 0.001024}
    row = period(R723CRGF=0x40, R723CRTF=unit, R723CVAL=value, **work)
    assert (row["goal"], row["goal_s"], row["transaction_rate"]) == ("response", pytest.approx(seconds), 2)
    assert (row["response_s"], row["performance_index"]) == (pytest.approx(0.5), pytest.approx(0.5 / seconds))


def test_goals_without_an_index() -> None:
    row = period(R723CRGF=0x80, R723CRTF=0x40, R723CVAL=1, R723CPCT=90)
    assert (row["goal"], row["goal_s"], row["goal_share_ratio"], row["performance_index"]) == (
        "percentile",
        1,
        0.9,
        None,
    )
    row = period(R723CRGF=0x10, R723CVAL=0)
    assert (row["goal"], row["importance"], row["performance_index"]) == ("discretionary", None, None)
    assert period(R723CRGF=0x08)["goal"] == "system"
    mixed = period({"R723MSCF": 0x80}, R723CRS1=0x80)
    assert (mixed["is_report_class"], mixed["performance_index"]) == (True, None)


def test_an_idle_class_has_rates_and_no_times() -> None:
    row = period(**dict.fromkeys((*DISK, "R723CTOU", "R723CTOT", "R723CTSA"), 0))
    assert (row["disk_io_rate"], row["transaction_rate"]) == (0, 0)
    assert [row[c] for c in ("disk_wait_ms", "response_s", "velocity_ratio", "disk_delay_ratio")] == [None] * 4


def test_a_class_dumped_twice_counts_once() -> None:
    lake = Lake()
    for record, length in ((1, 900.0), (2, 900.0), (3, 300.0)):
        for klass in (f"CLASS{n}" for n in range(2)):
            own = record * 10 + int(klass[-1])
            lake.add("smf72_3_control", record_id=own, interval_s=length, R723MCNM=klass, R723MSCF=0, R723MWNM="W")
            lake.add("smf72_3_period", record_id=own, interval_s=length, **VELOCITY, **DISK)
        lake.add("smf70_1_cpu_data", record_id=record, interval_s=length, SMF70CID=1, SMF70CNF=ONLINE, SMF70WAT=0)
    con = lake.connect()
    assert [r["interval_s"] for r in all_rows(con, "SELECT interval_s FROM service_class_interval")] == [900] * 2
    assert [r["interval_s"] for r in all_rows(con, "SELECT interval_s FROM cpu_interval")] == [900]
