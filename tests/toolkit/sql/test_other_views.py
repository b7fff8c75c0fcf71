"""tape_library_interval, pav_candidate, data_quality."""

import datetime as dt

import pytest
from sql_lake import START, Lake, Row, all_rows, one


def library(lake: Lake, system: str, late: int, mounts: int) -> None:
    at: Row = {"system": system, "record_id": lake.record(), "interval_s": 3600.0}
    at["interval_start"] = START + dt.timedelta(seconds=late)
    lake.add("smf94_1_self_description", SMF94SNO="000000012345", SMF94SLT="003494", SMF94SLM="L12", **at)
    lake.add("smf94_1_mount", SMF94MTO=mounts, SMF94MT3=40, SMF94MT1=90, SMF94MT2=20, SMF94MP1=3, SMF94MP3=1, **at)
    lake.add("smf94_1_eject", SMF94ETO=0, SMF94ET3=0, SMF94ET1=0, SMF94EP1=0, **at)
    lake.add("smf94_1_audit", SMF94ATO=2, SMF94AT3=5, SMF94AT1=6, SMF94AP1=1, **at)


def test_one_system_per_library_and_hour() -> None:
    lake = Lake()
    library(lake, "SYSB", 0, 72)
    library(lake, "SYSA", 4, 72)
    library(lake, "SYSB", 3600, 36)
    rows = all_rows(lake.connect(), "SELECT * FROM tape_library_interval ORDER BY interval_start")
    assert [(r["system"], r["mount_count"]) for r in rows] == [("SYSA", 72), ("SYSB", 36)]
    row = rows[0]
    assert (row["library"], row["library_type"]) == ("000000012345", "003494-L12")
    assert row["mount_rate"] == pytest.approx(0.02)
    assert (row["mount_s"], row["mount_longest_s"], row["mount_pending_high_water"]) == (40, 90, 3)
    assert (row["eject_count"], row["eject_s"], row["audit_s"]) == (0, None, 5)


@pytest.mark.parametrize(("mounts", "seconds"), [(0, (None, None, None)), (1, (40, 90, 20)), (2, (40, 90, 20))])
def test_times_of_mounts_are_there_from_the_first_mount_on(mounts: int, seconds: tuple[int | None, ...]) -> None:
    lake = Lake()
    library(lake, "SYSA", 0, mounts)
    row = one(lake.connect(), "SELECT * FROM tape_library_interval")
    assert (row["mount_s"], row["mount_longest_s"], row["mount_shortest_s"]) == seconds


@pytest.mark.parametrize(("offset", "start"), [(3600, START - dt.timedelta(hours=1)), (None, START)])
def test_type_94_takes_its_offset_from_the_systems_rmf_records(offset: int | None, start: dt.datetime) -> None:
    lake = Lake()
    library(lake, "SYSA", 0, 72)
    for table in ("self_description", "mount", "eject", "audit"):
        lake.rows[f"smf94_1_{table}"][0]["utc_offset_s"] = None
    if offset is not None:
        lake.add("smf74_1_record", interval_start=START + dt.timedelta(days=3), utc_offset_s=offset)
    row = one(lake.connect(), "SELECT * FROM tape_library_interval")
    assert (row["interval_start"], row["utc_offset_s"]) == (start, offset)


@pytest.mark.parametrize("known", ["SYSA", "SYSB"])
@pytest.mark.parametrize("hours", [1, 2])
def test_a_system_without_a_clock_has_that_of_another_of_the_library(known: str, hours: int) -> None:
    """Both write the same: the hour counts once, and the hour that only the other wrote is not lost."""
    lake = Lake()
    library(lake, known, 0, 72)
    for hour in range(hours):
        library(lake, "SYSB" if known == "SYSA" else "SYSA", 3600 * hour, 72)
    for table in ("self_description", "mount", "eject", "audit"):
        for row in lake.rows[f"smf94_1_{table}"]:
            row["utc_offset_s"] = None
    lake.add("smf74_5_record", system=known, utc_offset_s=-18000)
    rows = all_rows(lake.connect(), "SELECT * FROM tape_library_interval ORDER BY interval_start")
    assert [(r["interval_start"], r["utc_offset_s"]) for r in rows] == [
        (START + dt.timedelta(hours=5 + hour), -18000) for hour in range(hours)
    ]
    assert rows[0]["system"] == known


def candidate(*intervals: Row, pool: Row | None = None) -> Row:
    lake = Lake()
    for place, fields in enumerate(intervals):
        record, at = lake.record(), START + dt.timedelta(minutes=15 * place)
        lake.control(record=record, interval_start=at)
        lake.device("2208", record=record, interval_start=at, **fields)
    if pool:
        lake.add("smf78_3_data", record_id=78, R783ID2="0012", R783DST=2, R783HIX=1, R783HCNT=1)
        lake.add("smf78_3_hyperpav", record_id=78, R783HLCU="0012", **pool)
    return one(lake.connect(), "SELECT * FROM pav_candidate")


def load(in_service: float, queue: float) -> Row:
    """A device at 100 I/Os per second with this many in progress and waiting."""
    units = in_service * 900 / 0.000128
    return {
        "SMF74SSC": 90000,
        "SMF74MEC": 90000,
        "SMF74PEN": 0,
        "SMF74DIS": 0,
        "SMF74CNN": units,
        "SMF74QUE": queue * 900,
    }


def test_littles_law_gives_the_aliases_of_the_peak() -> None:
    row = candidate(load(0.9, 0.1), load(0.95, 2.4), load(0.2, 0))
    assert (row["verdict"], row["aliases_to_clear_wait"], row["intervals"]) == ("add", 3, 3)
    assert row["queue_length_peak"] == pytest.approx(2.4)
    assert row["queue_length_mean"] == pytest.approx(2.5 / 3)
    assert row["wait_ms"] == pytest.approx(25 / 3)
    assert row["wait_share_ratio"] == pytest.approx(2.5 / (2.5 + 2.05))
    assert row["peak_start"] == START + dt.timedelta(minutes=15)
    assert row["wait_p95_ms"] == pytest.approx(1 + 0.9 * 23)
    assert row["wait_peak_ms"] == pytest.approx(24)
    assert row["wait_share_peak_ratio"] == pytest.approx(2.4 / 3.35)
    assert "2.4 I/Os queued" in row["reason"]


def test_a_queue_next_to_free_exposures_asks_for_one_more() -> None:
    row = candidate(load(1.5, 0.4) | {"SMF74CNX": 0x20, "SMF74NUX": 4})
    assert (row["verdict"], row["aliases_to_clear_wait"], row["exposures"]) == ("add", 4, 4)


@pytest.mark.parametrize(
    ("since", "exposures", "verdict", "aliases"),
    [
        (load(1.9, 0.1), 3, "enough", 2),
        (load(1.9, 0.6), 3, "add", 3),
        (load(1.9, 0.1) | {"SMF74SSC": 80000}, 3, "add", 3),
        (load(0.9, 0.0), 1, "add", 3),
    ],
    ids=["they no longer wait", "they wait still", "this many never came again", "it has no more than then"],
)
def test_what_was_measured_with_more_aliases_speaks_first(
    since: Row, exposures: int, verdict: str, aliases: int
) -> None:
    more = {"SMF74CNX": 0x20, "SMF74NUX": exposures} if exposures > 1 else {}
    row = candidate(load(0.95, 2.4), since | more)
    assert (row["verdict"], row["aliases_to_clear_wait"]) == (verdict, aliases)
    assert ("since it has 3" in row["reason"]) == (verdict == "enough")


def test_exposures_that_were_taken_away_were_not_tried_since() -> None:
    before = [load(0.9, 0.0) | {"SMF74CNX": 0x20, "SMF74NUX": 3}] * 2
    assert candidate(*before, load(0.95, 0.3), load(0.95, 0.3))["verdict"] == "add"


@pytest.mark.parametrize(
    ("fields", "pool", "verdict"),
    [
        (load(0.5, 0.0), None, "enough"),
        (load(1.2, 0.0) | {"SMF74CNX": 0x20, "SMF74NUX": 8}, None, "too_many"),
        (load(3.5, 0.0) | {"SMF74CNX": 0x20, "SMF74NUX": 5}, None, "enough"),
        (load(20.0, 0.5) | {"SMF74CNX": 0x20, "SMF74NUX": 20}, None, "will_not_help"),
        (load(1.2, 0.8) | {"SMF74CNX": 0x22, "SMF74NUX": 1080}, {"R783HNAI": 0.0, "R783HTIO": 9.0}, "will_not_help"),
        (load(1.2, 0.8) | {"SMF74CNX": 0x22, "SMF74NUX": 1080}, {"R783HNAI": 4.0, "R783HTIO": 9.0}, "add"),
        (load(1.2, 0.8) | {"SMF74CNX": 0x22, "SMF74NUX": 1080}, None, "add"),
    ],
    ids=["idle queue", "idle aliases", "used aliases", "the box", "pool never dry", "pool dry", "pool unknown"],
)
def test_verdicts(fields: Row, pool: Row | None, verdict: str) -> None:
    row = candidate(fields, pool=pool)
    assert row["verdict"] == verdict
    assert row["reason"]


def test_quality_of_a_clean_system() -> None:
    lake = Lake()
    lake.control()
    lake.add("smf74_1_record", record_id=1, SMF74FLA=0)
    lake.device("2208")
    row = one(lake.connect(), "SELECT * FROM data_quality")
    assert {k: v for k, v in row.items() if k.endswith("_rows") and v} == {"device_rows": 1}
    assert (row["intervals"], row["missing_intervals"], row["samples_skipped_intervals"]) == (1, 0, 0)
    assert (row["span_s"], row["span_end"]) == (900, START + dt.timedelta(minutes=15))


def test_gaps() -> None:
    lake = Lake()
    for minute in (0, 15, 30, 75, 90):
        at, record = START + dt.timedelta(minutes=minute), lake.record()
        lake.add("smf74_1_record", record_id=record, interval_start=at, SMF74FLA=0x4000 if minute == 30 else 0)
        lake.device("2208", record=record, interval_start=at)
    row = one(lake.connect(), "SELECT * FROM data_quality")
    assert (row["intervals"], row["missing_intervals"], row["longest_gap_s"]) == (5, 2, 1800)
    assert (row["interval_s"], row["samples_skipped_intervals"]) == (900, 1)


@pytest.mark.parametrize(("log_h", "missing"), [(None, 4), (1, 0), (1.5, 2), (9, 4)])
def test_between_logs_that_state_their_span_nothing_is_missing(log_h: float | None, missing: int) -> None:
    """Two logs of an hour, an hour apart; the first one states its span, as long as its rows or longer."""
    lake = Lake()
    for minute in (*range(0, 60, 15), *range(120, 180, 15)):
        at: Row = {"system": "VMSYS", "interval_start": START + dt.timedelta(minutes=minute), "interval_s": 900.0}
        lake.add("fcx168", **at, addr="A100", type="3390-9", label_id="VMUSR1", rate_io=9.0, time_serv=0.5, line=minute)
        if log_h and minute in (0, 120):
            lake.add("fcx_page", **at | {"interval_s": 3600 * (1 if minute else log_h)}, report="fcx168", line=minute)
    row = one(lake.connect(), "SELECT * FROM data_quality")
    assert (row["intervals"], row["missing_intervals"]) == (8, missing)


def test_an_interval_of_several_records_that_lack_samples_counts_once() -> None:
    lake = Lake()
    for device in ("2208", "2209"):
        record = lake.record()
        lake.add("smf74_1_record", record_id=record, SMF74FLA=0x4000)
        lake.device(device, record=record)
    assert one(lake.connect(), "SELECT samples_skipped_intervals AS n FROM data_quality") == {"n": 1}


@pytest.mark.parametrize(
    ("fields", "mark"),
    [
        ({"SMF74CNF": 0}, "is_offline"),
        ({"SMF74CNF": 0x21}, "is_voided"),
        ({"SMF74CNX": 0x04}, "is_voided"),
        ({"SMF74CNF": 0x09}, "is_partial"),
        ({"SMF74COF": 3}, "connect_overflow"),
        ({"SMF74NSS": 1}, "samples_dropped"),
        ({"SMF74ATV": 60000}, "active_differs"),
        ({"SMF74CNN": 8_000_000, "SMF74ATV": 8_042_187}, "busier_than_possible"),
        # an I/O that waits for a device another system holds keeps its exposure: pend counts. 1.15 of 1
        ({"SMF74PEN": 8_000_000, "SMF74DVB": 8_000_000, "SMF74ATV": 8_035_156}, "busier_than_possible"),
        # 2.3 of 2
        ({"SMF74CNX": 0x20, "SMF74NUX": 2, "SMF74PEN": 16_200_000, "SMF74ATV": 16_235_156}, "busier_than_possible"),
        # HyperPAV's exposures are sampled, and their number may have changed: no contradiction
        ({"SMF74CNX": 0x22, "SMF74NUX": 1350, "SMF74PSM": 900, "SMF74PEN": 14_062_500, "SMF74ATV": 14_100_000}, None),
        ({"SMF74CNX": 0x30, "SMF74NUX": 2, "SMF74PEN": 16_200_000, "SMF74ATV": 16_235_156}, None),
        # a part of pend is no longer than pend; times divide by no more I/Os than were started
        ({"SMF74CMR": 2**31}, "parts_differ"),
        ({"SMF74DVB": 2**31}, "parts_differ"),
        ({"SMF74MEC": 2**32 - 1}, "parts_differ"),
        ({"SMF74QUE": 1800}, "pend_suspect"),
        ({"SMF74QUE": 900, "SMF74IOS": 2.7e9, "SMF74CNN": 3_000_000, "SMF74ATV": 3_042_187}, "wait_differs"),
    ],
)
def test_suspect_rows(fields: Row, mark: str | None) -> None:
    lake = Lake()
    lake.device("2208", **fields)
    row = one(lake.connect(), "SELECT * FROM device_check")
    assert {k for k, v in row.items() if v is True} == ({mark} if mark else set())
