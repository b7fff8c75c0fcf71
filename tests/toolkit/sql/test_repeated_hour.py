"""The hour that clocks pass twice, in listings of their own: two hours never merge, and no row becomes an exposure."""

import datetime as dt
from typing import Any

import pytest
from sql_lake import Lake, all_rows

NIGHT = dt.datetime(2025, 10, 26, 2, 0)  # 2:00 to 3:00 in central Europe, once an hour ahead of UTC less than before
RMF = ("rmf_dasd_device", {"device": "02208", "volser": "PAY001", "lcu": "0012", "online": True, "pend_ms": 0.1,
                           "disc_ms": 0.2, "conn_ms": 0.3, "iosq_ms": 0.1, "resp_ms": 0.7},
       "activity_rate")  # fmt: skip
FCX = ("fcx108", {"addr": "0220", "label_id": "PAY001", "paths": 4, "time_pend": 0.1, "time_disc": 0.2,
                  "time_conn": 0.3, "time_serv": 0.6, "time_resp": 0.7}, "rate_io")  # fmt: skip


@pytest.mark.parametrize(("table", "row", "rate"), [RMF, FCX], ids=["RMF", "z/VM"])
@pytest.mark.parametrize("files", [("a", "b"), ("b", "a"), ("a", "a")], ids=["in order", "turned", "one file"])
def test_hours_of_two_listings_neither_add_up_nor_mix(
    table: str, row: dict[str, Any], rate: str, files: tuple[str, str]
) -> None:
    """A listing has no zone: the hour that is there twice is one row with the numbers of one of the two."""
    lake = Lake()
    for place, (file, given) in enumerate(zip(files, (100.0, 300.0), strict=True)):
        common = {"interval_start": NIGHT, "interval_s": 3600.0, "utc_offset_s": None, "file_id": file * 16}
        lake.add(table, **common, line=7 + 90 * place, **(row | {rate: given}))
    con = lake.connect()
    (found,) = all_rows(con, "SELECT io_rate, exposures, service_ms FROM volume_interval")
    assert found["io_rate"] in (100, 300)
    assert (found["exposures"] or 1, found["service_ms"]) == (1, pytest.approx(0.6))
    (device,) = all_rows(con, "SELECT io_rate FROM device_interval")
    assert device["io_rate"] == found["io_rate"]
    given = all_rows(con, "SELECT io_rate, counted_rate, devices, printing FROM listing_repeat")
    left, printing = 400 - found["io_rate"], 1 + (files[0] == files[1])
    assert given == [{"io_rate": left, "counted_rate": found["io_rate"], "devices": 1, "printing": printing}]


SHIFTS = {"shorter": (0, -0.002), "longer": (0, 0.4), "later": (1, 0), "earlier": (-1, 0), "both": (1, -1)}


@pytest.mark.parametrize("shift", SHIFTS.values(), ids=SHIFTS)
@pytest.mark.parametrize(("table", "row", "rate"), [RMF, FCX], ids=["RMF", "z/VM"])
@pytest.mark.parametrize("files", [("a", "b"), ("b", "a"), ("a", "a")], ids=["in order", "turned", "one file"])
def test_an_interval_printed_with_and_without_fractions_is_one(
    table: str, row: dict[str, Any], rate: str, files: tuple[str, str], shift: tuple[int, float]
) -> None:
    lake = Lake()
    for hour, length in ((9, 900.0), (12, 3600.0)):
        for place, (file, given) in enumerate(zip(files, (100.0, 300.0), strict=True)):
            start = NIGHT.replace(hour=hour) + place * dt.timedelta(seconds=shift[0])
            common = {"interval_start": start, "interval_s": length + place * shift[1], "utc_offset_s": None}
            lake.add(table, **common, file_id=file * 16, line=7 + 90 * place + hour, **(row | {rate: given}))
    con = lake.connect()
    rows = all_rows(con, "SELECT io_rate FROM device_interval ORDER BY interval_start")
    given = all_rows(con, "SELECT io_rate, counted_rate FROM listing_repeat ORDER BY printed_start")
    assert given == [{"io_rate": 400 - r["io_rate"], "counted_rate": r["io_rate"]} for r in rows] and len(rows) == 2


@pytest.mark.parametrize(("start", "length"), [(0, 3600.0), (2, 60.0), (60, 60.0)])
def test_intervals_that_only_begin_near_each_other_are_two(start: int, length: float) -> None:
    lake = Lake()
    for shift, size, given in ((0, 60.0, 100.0), (start, length, 300.0)):
        common = {"interval_start": NIGHT + dt.timedelta(seconds=shift), "interval_s": size, "utc_offset_s": None}
        lake.add(RMF[0], **common, file_id="a" * 16, line=7 + shift, **(RMF[1] | {RMF[2]: given}))
    assert all_rows(lake.connect(), "SELECT * FROM listing_repeat") == []


@pytest.mark.parametrize(("table", "row", "rate"), [RMF, FCX], ids=["RMF", "z/VM"])
def test_a_listing_and_its_copy_are_not_reported_as_a_repeated_hour(table: str, row: dict[str, Any], rate: str) -> None:
    lake = Lake()
    for file in "ab":
        common = {"interval_start": NIGHT, "interval_s": 3600.0, "utc_offset_s": None, "file_id": file * 16}
        lake.add(table, **common, line=7, **(row | {rate: 100.0 if file == "a" else 100.4}))
    assert all_rows(lake.connect(), "SELECT * FROM listing_repeat") == []


def test_records_of_the_two_hours_are_two_rows_with_their_own_numbers() -> None:
    lake = Lake()
    for place, (offset, started) in enumerate(((7200, 3600), (3600, 7200))):
        utc = dt.datetime(2025, 10, 26, 0, 0) + dt.timedelta(hours=place)
        common = {"interval_start": utc, "interval_s": 3600.0, "utc_offset_s": offset, "record_id": 10 + place}
        lake.add("smf74_1_device_control", SMF74SUB="0020", SMF74ENF=0x20, **common)
        lake.device(
            "2208", record=10 + place, SMF74SSC=started, **{k: v for k, v in common.items() if k != "record_id"}
        )
    rows = all_rows(lake.connect(), "SELECT local_start, io_rate FROM volume_interval ORDER BY interval_start")
    assert rows == [{"local_start": NIGHT, "io_rate": 1}, {"local_start": NIGHT, "io_rate": 2}]
