"""Devices of the listing section Synchronous I/O Device Activity, next to the other section and alone."""

from pathlib import Path

import pytest
from sql_lake import Lake, Row, all_rows

SYNC = {"sync_read_rate": 90.0, "sync_write_rate": 10.0, "sync_read_resp_ms": 0.02, "sync_write_resp_ms": 0.03}


def given(lake: Lake, root: Path) -> list[Row]:
    return all_rows(lake.open(root, asks="device_interval"), "SELECT * FROM device_interval ORDER BY device")


def test_a_device_that_stands_there_alone_is_a_row(tmp_path: Path) -> None:
    lake = Lake()
    lake.add("rmf_dasd_device", device="2208", line=7, activity_rate=100.0, resp_ms=1.0, volser="PAY001")
    lake.add("rmf_sync_device", device="02208", line=90, async_rate=99.0, async_resp_ms=9.0, **SYNC)
    alone = {"volser": "PAY002", "lcu": "0012", "cylinders": 10017, "async_rate": 300.0, "async_resp_ms": 0.5}
    lake.add("rmf_sync_device", device="02209", line=91, **alone, **SYNC)
    lake.add("rmf_sync_device", device="0220A", line=92, async_rate=0.0, **SYNC)
    near, row, idle = given(lake, tmp_path)
    assert (near["device"], near["io_rate"], near["total_io_rate"]) == ("02208", 100, 200), "its own section wins"
    assert (row["device"], row["volser"], row["lcu"], row["cylinders"]) == ("02209", "PAY002", "0012", 10017)
    assert (row["io_rate"], row["response_ms"], row["sync_read_rate"], row["is_sync_capable"]) == (300, 0.5, 90, True)
    # 300/s at 0.5 ms, 90/s at 0.02 ms, 10/s at 0.03 ms
    assert (row["total_io_rate"], row["total_response_ms"]) == (400, pytest.approx((150 + 1.8 + 0.3) / 400))
    assert (idle["total_io_rate"], idle["total_response_ms"]) == (100, pytest.approx(2.1 / 100))


def test_records_of_the_same_interval_win(tmp_path: Path) -> None:
    lake = Lake()
    lake.control()
    lake.device("2208")
    lake.add("rmf_sync_device", device="02208", line=91, **SYNC)
    assert [r["source"] for r in given(lake, tmp_path)] == ["smf74.1"]


def test_records_replace_no_device_that_they_lack(tmp_path: Path) -> None:
    lake = Lake()
    lake.control()
    lake.device("2208")
    lake.add("rmf_sync_device", device="02209", line=91, **SYNC)
    assert [(r["device"], r["source"]) for r in given(lake, tmp_path)] == [
        ("02208", "smf74.1"),
        ("02209", "rmf.device"),
    ]
