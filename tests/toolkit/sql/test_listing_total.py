"""What a listing prints as a total is compared with what its rows add up to."""

import datetime as dt
from typing import Any

import pytest
from sql_lake import Lake, all_rows

COMMON = {
    "system": "SYSA", "interval_start": dt.datetime(2026, 3, 2, 9), "interval_s": 900.0, "utc_offset_s": None,
    "file_id": "a" * 16,
}  # fmt: skip
DEVICE = {"lcu": "0042", "online": True, "pend_ms": 0.1, "disc_ms": 0.2, "conn_ms": 0.3, "iosq_ms": 0.1, "resp_ms": 0.7}


def lake_of(total: float | None, *rates: float | None, copies: int = 1, **more: Any) -> Lake:
    lake = Lake()
    for copy in range(copies):
        place = COMMON | {"file_id": "ab"[copy] * 16}
        for at, rate in enumerate(rates):
            row = DEVICE | {"device": f"0{at:04X}", "activity_rate": rate} | (more if rate is None else {})
            lake.add("rmf_dasd_device", **place, line=10 + at, **row)
        lake.add("rmf_dasd_total", **place, line=90, total="LCU", id="0042", activity_rate=total)
    return lake


@pytest.mark.parametrize(
    ("lake", "found"),
    [
        (lake_of(30.0, 10.0, 20.0), (30, 2, 30, True)),
        (lake_of(30.0, 10.0, 20.0, copies=2), (30, 2, 30, True)),
        (lake_of(30.2, 10.0, 20.0), (30.2, 2, 30, True)),
        (lake_of(31.0, 10.0, 20.0), (31, 2, 30, False)),
        (lake_of(20.0, 10.0, 20.0), (20, 2, 30, False)),
        (lake_of(40.0, 10.0, 20.0, None), (40, 3, 30, None)),
        (lake_of(40.0, 10.0, 20.0, None, message="OFFLINE"), (40, 3, 30, False)),
        (lake_of(20.0, 10.0, 20.0, None), (20, 3, 30, False)),
    ],
)
def test_an_lcu_and_its_devices(lake: Lake, found: tuple[Any, ...]) -> None:
    """Copies count once; a row without a known number may be what the total has more, never what it has less."""
    con = lake.connect()
    (row,) = all_rows(con, "SELECT printed_rate, printed_rows, rows_rate, adds_up FROM listing_total")
    assert tuple(row.values()) == found
    (given,) = all_rows(con, "SELECT totals_apart FROM data_quality")
    assert given == {"totals_apart": None if found[-1] is None else int(not found[-1])}


def test_paths_of_lcus_and_groups() -> None:
    lake = Lake()
    for at, (scope, name, path, rate) in enumerate(
        [("LCU", "0041", "90", 247.26), ("LCU", "0041", "91", 247.88), ("LCU", "0041", "*", 995.13),
         ("AMG", "00000002", "90", 741.25), ("AMG", "00000002", "91", 743.49), ("AMG", "00000002", "*", 1484.7)]
    ):  # fmt: skip
        key = {"lcu": name, "amg": "00000002"} if scope == "LCU" else {"amg": name}
        lake.add("rmf_ioq_lcu", **COMMON, line=at, scope=scope, path=path, taken_rate=rate, **key)
    found = all_rows(lake.connect(), "SELECT total, id, printed_rows, adds_up FROM listing_total ORDER BY total")
    assert [tuple(row.values()) for row in found] == [
        ("paths of a group", "00000002", 2, True),
        ("paths of an LCU", "0041", 2, False),
    ]
