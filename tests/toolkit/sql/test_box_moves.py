"""Volumes that move from box to box, and boxes that are replaced: each interval belongs to the box of its time."""

import datetime as dt
import itertools
from random import Random
from typing import Any

import pytest
from sql_lake import Lake, all_rows, cache_device
from view_rows import COMMON, EVER, over

from iosq.toolkit.sql.macros import expanded
from tests.length import tried
from tests.toolkit.sql.view_rows import HOUSED

BEGIN = dt.datetime(2026, 3, 2)
HOURS = 24 * 6
BOXES = {"2010": "AB121", "2011": "AB121", "3020": "CD472"}
HOMES = expanded('FROM volume_interval v {{ join_home("v") }}', "homes")
Row = dict[str, Any]


def _at(hour: float, late_s: float = 0) -> dt.datetime:
    return BEGIN + dt.timedelta(hours=hour, seconds=late_s)


def _subsystems() -> list[Row]:
    return [{"subsystem": s, "box": box, "serial": box} for s, box in BOXES.items()]


def _stays(random: Random) -> list[str | None]:
    """The subsystem of a volume at every hour: it moves now and then, at any hour, never twice within two days."""
    now, stays, last = random.choice([*BOXES]), [], 0
    for hour in range(HOURS):
        if hour >= last + 48 and random.random() < 0.02:
            now, last = random.choice([*BOXES]), hour
        stays.append(now)
    return stays


def _row(volume: str, hour: int, subsystem: str | None, lcu: str | None, late: tuple[str, float]) -> Row:
    name, late_s = late
    return COMMON | {
        "interval_start": _at(hour, late_s), "interval_s": 3600.0, "system": name, "volume": volume, "volser": volume,
        "device": volume[-1], "subsystem": subsystem, "lcu": lcu, "io_rate": 1.0, "service_ms": 1.0, "wait_ms": 0.0,
    }  # fmt: skip


@pytest.mark.parametrize("seed", tried(range(1), range(2)))
def test_every_interval_is_in_the_box_the_volume_was_in(seed: int) -> None:
    """By the plan of who was where; cache records are missing for some hours, a second system is seconds late."""
    random = Random(seed)
    plans = {f"VOL00{n}": _stays(random) for n in range(4)}
    rows = [
        _row(volume, hour, None if random.random() < 0.2 else stays[hour], None, late)
        for late in (("SYSA", 0.0), ("SYSB", 7.0))
        for volume, stays in plans.items()
        for hour in range(HOURS)
    ]
    # the hours around a move are in the data, so that the turn lies between them
    for row in rows:
        hour, stays = row["interval_start"].hour + 24 * (row["interval_start"] - BEGIN).days, plans[row["volume"]]
        if len(set(stays[max(hour - 1, 0) : hour + 2])) > 1:
            row["subsystem"] = stays[hour]
    con = over([*HOUSED, "volume_box"], volume_interval=rows, box_subsystem=_subsystems())
    found = all_rows(con, f"SELECT DISTINCT v.system, v.volume, v.interval_start, h.box {HOMES}")
    assert len(found) == len(rows)
    for row in found:
        hour = round((row["interval_start"] - BEGIN).total_seconds() // 3600)
        assert row["box"] == BOXES[plans[row["volume"]][hour]], (row, hour)
    for volume, stays in plans.items():
        turns = 1 + sum(a != b for a, b in itertools.pairwise(stays))
        assert len(all_rows(con, f"SELECT * FROM volume_box WHERE volume = '{volume}' AND system = 'SYSA'")) == turns


def test_without_cache_records_the_lcu_gives_the_box_of_the_time() -> None:
    rows = [_row("VOL001", hour, None, "0020" if hour < 60 else "0021", ("SYSA", 0.0)) for hour in range(HOURS)]
    rows += [_row("VOL002", hour, None, "0020", ("SYSA", 0.0)) for hour in range(HOURS)]
    con = over([*HOUSED], volume_interval=rows, box_subsystem=[])
    given = f"""
        SELECT h.box, h.volume, min(v.interval_start) AS first, count(*) AS n {HOMES}
        GROUP BY h.box, h.volume ORDER BY h.box, h.volume"""
    assert [(r["box"], r["volume"], r["first"], r["n"]) for r in all_rows(con, given)] == [
        ("LCU 0020", "VOL001", _at(0), 60),
        ("LCU 0020", "VOL002", _at(0), HOURS),
        ("LCU 0021", "VOL001", _at(60), HOURS - 60),
    ]


def test_there_and_back_within_a_day() -> None:
    """As at a test of HyperSwap: five hours of one day on the other box, whose name comes first or last."""
    for home, away in (("2010", "3020"), ("3020", "2010")):
        rows = [
            _row("VOL001", hour, away if 34 <= hour < 39 else home, None, late)
            for late in (("SYSA", 0.0), ("SYSB", 7.0))
            for hour in range(HOURS)
        ]
        con = over([*HOUSED], volume_interval=rows, box_subsystem=_subsystems())
        given = f"SELECT min(v.interval_start) AS first, count(*) AS n {HOMES} WHERE h.box = "
        (row,) = all_rows(con, f"{given} '{BOXES[away]}'")
        assert (row["first"], row["n"]) == (_at(34), 10)


def test_two_sites_with_one_volume_serial_stay_where_they_are() -> None:
    """It is in two boxes at once, day after day: nothing moved."""
    rows = [_row("VOL001", hour, "2010", None, ("SYSA", 0.0)) for hour in range(HOURS)]
    rows += [_row("VOL001", hour, "3020", None, ("SYSB", 7.0)) for hour in range(HOURS)]
    con = over([*HOUSED, "volume_box"], volume_interval=rows, box_subsystem=_subsystems())
    assert all_rows(con, "SELECT system, box, disk FROM volume_box ORDER BY 1") == [
        {"system": "SYSA", "box": "AB121", "disk": "VOL001 in 2010"},
        {"system": "SYSB", "box": "CD472", "disk": "VOL001 in 3020"},
    ]


def _replaced(days: int, last_of_old: int) -> Lake:
    """A box with two volumes, replaced at midnight under the same subsystem id."""
    lake = Lake()
    for day in range(days):
        for hour in (0, 6, 12, 18):
            start, serial = _at(24 * day + hour), "0000000ZZ999" if day <= last_of_old else "0000000AB121"
            record, devices = lake.record(), [cache_device("0201"), cache_device("0202")]
            lake.control(record=record, interval_start=start)
            for number in ("0201", "0202"):
                lake.device(number, record=record, interval_start=start)
            lake.cache(devices, ssid="1800", control={"NEDSEQN": serial}, common={"interval_start": start})
    return lake


def test_a_box_that_is_replaced_keeps_its_days() -> None:
    """The new serial number stands first in the alphabet; halfway between 18:00 and midnight it takes over."""
    con = _replaced(4, last_of_old=1).connect()
    turn = dt.datetime(2026, 3, 3, 21)
    assert all_rows(con, "SELECT * FROM box_subsystem ORDER BY since") == [
        EVER | {"subsystem": "1800", "until": turn, "box": "ZZ999", "serial": "0000000ZZ999",
                "control_unit_type": "002107", "boxes": None},
        EVER | {"subsystem": "1800", "since": turn, "box": "AB121", "serial": "0000000AB121",
                "control_unit_type": "002107", "boxes": None},
    ]  # fmt: skip
    by_day = "SELECT DISTINCT box, CAST(interval_start AS DATE) AS day FROM box_interval ORDER BY day, box"
    assert [(r["box"], r["day"].day) for r in all_rows(con, by_day)] == [
        ("ZZ999", 2), ("ZZ999", 3), ("AB121", 4), ("AB121", 5),
    ]  # fmt: skip


def test_what_came_later_changes_no_day_before() -> None:
    asked = "SELECT * FROM box_interval WHERE interval_start < TIMESTAMP '2026-03-04' ORDER BY box, interval_start"
    before, all_days = (all_rows(_replaced(days, last_of_old=1).connect(), asked) for days in (2, 4))
    assert before == all_days and before
