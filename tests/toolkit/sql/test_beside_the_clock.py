"""What is measured some seconds or some lengths beside the devices is paired by the middle of the interval."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from sql_lake import START, all_rows, one
from view_rows import over

Row = dict[str, Any]


def after(minutes: float, seconds: float = 0) -> dt.datetime:
    return START + dt.timedelta(minutes=minutes, seconds=seconds)


def path(start: dt.datetime, taken_rate: float, lcu: str = "0012") -> Row:
    at = {"interval_start": start, "interval_s": 300.0, "lcu": lcu, "channel_path": "55"}
    return at | {"taken_rate": taken_rate, "cmr_ms": taken_rate / 100}


def test_paths_stand_on_the_clock_of_the_devices() -> None:
    measured = [{"interval_start": START}, {"interval_start": after(15)}]
    con = over(
        ("device_alignment", "lcu_alignment", "lcu_path_on_device_clock"),
        measured_interval=measured,
        lcu_interval=[m | {"lcu": "0012"} for m in measured],
        lcu_path_interval=[path(after(5 * n, 8), r) for n, r in enumerate((10.0, 20.0, 30.0))]
        + [path(after(0, 8), 2.0, lcu="00FF")],
    )
    row = one(con, "SELECT * FROM lcu_path_on_device_clock WHERE lcu = '0012'")
    assert (row["interval_start"], row["taken_rate"]) == (START, pytest.approx(20))
    # 10 x 0.1 + 20 x 0.2 + 30 x 0.3 ms over 60 I/Os
    assert row["cmr_ms"] == pytest.approx(14 / 60)
    own = one(con, "SELECT * FROM lcu_path_on_device_clock WHERE lcu = '00FF'")
    assert (own["interval_start"], own["taken_rate"]) == (after(0, 8), 2), "an LCU without devices"


def written(ssid: str, start: dt.datetime, seconds: float, delayed: float, destage_rate: float) -> Row:
    at = {"subsystem": ssid, "interval_start": start, "interval_s": seconds, "write_count": 1000.0}
    return at | {"nvs_delay_count": delayed, "destage_rate": destage_rate}


def of_boxes(rows: list[Row]) -> list[Row]:
    boxes = [{"subsystem": s, "box": "AB121"} for s in ("1800", "1900", "1A00")]
    con = over(("cache_box_alignment", "box_nvs_interval"), cache_subsystem_interval=rows, box_subsystem=boxes)
    return all_rows(con, "SELECT * FROM box_nvs_interval ORDER BY interval_start")


def test_subsystems_of_a_box_gathered_seconds_apart_are_one_interval_of_the_box() -> None:
    rows = [written("1800", after(15 * n), 900, 10, 1) for n in range(2)]
    rows += [written("1900", after(15 * n, 11), 900, 30, 2) for n in range(2)]
    rows += [written("1A00", after(5 * n, -4), 300, 1, 1 + n % 3) for n in range(6)]
    found = of_boxes(rows)
    assert [(r["interval_start"], r["interval_s"]) for r in found] == [(START, 900), (after(15), 900)]
    assert [(r["nvs_delay_count"], r["write_count"], r["subsystem"]) for r in found] == [(43, 5000, "1800")] * 2
    # 1 + 2 tracks a second, and the mean of 1, 2 and 3
    assert [r["destage_rate"] for r in found] == [pytest.approx(5), pytest.approx(5)]
    assert [r["steady_ratio"] for r in found] == [pytest.approx(43 / 5000)] * 2, "both at the ceiling, side by side"


def test_statistics_that_nothing_surrounds_stand_for_themselves() -> None:
    found = of_boxes([written("1800", START, 900, 10, 1), written("1900", after(180), 900, 20, 1)])
    assert [(r["interval_start"], r["nvs_delay_count"]) for r in found] == [(START, 10), (after(180), 20)]
