"""Listings between two sightings of their system's clock that differ: no interval is lost unsaid."""

import datetime as dt
import random
from typing import Any

import pytest
from sql_lake import Lake, all_rows

from iosq.toolkit.advise.data_quality import notice

HOUR = dt.timedelta(hours=1)
SPRING = dt.datetime(2026, 3, 8, 7)  # 2:00 becomes 3:00 five hours behind UTC
AUTUMN = dt.datetime(2026, 11, 1, 6)  # 2:00 becomes 1:00 four hours behind UTC


def seen(lake: Lake, system: str, at: dt.datetime, offset: int) -> None:
    lake.add("mon_d1r4", system=system, MRHDRTOD=at, utc_offset_s=3600 * offset)
    lake.add("mon_d6r4", system=system, MRHDRTOD=at)


def page(lake: Lake, system: str, at: dt.datetime | None, minutes: int, line: int, rate: float) -> None:
    common = {"system": system, "interval_start": at, "interval_s": 60.0 * minutes, "utc_offset_s": None, "line": line}
    lake.add("fcx168", **common, addr="A100", type="3390-9", label_id="VMPAG1", rate_io=rate, time_pend=0.1,
             time_disc=0.2, time_conn=0.3, time_serv=0.6, time_resp=0.7)  # fmt: skip


def local(hour: float, day: dt.datetime) -> dt.datetime:
    return day.replace(hour=0) + dt.timedelta(hours=hour)


SPRING_HOURS = [0, *range(3, 24)]
QUARTERS = [1 + n / 4 for n in range(4)] + [3 + n / 4 for n in range(5)]
HALVES = [0, 0.5, 1, 1.5, None, None, 2, 2.5]
NIGHTS: list[tuple[list[Any], int, Any, Any, list[float]]] = [
    # a day's hours between Saturday noon and Monday noon: the page of two o'clock is missing, and that of one
    (SPRING_HOURS, 60, (-14, -5), (33, -4), [5, *range(7, 28)]),
    (QUARTERS, 15, (-1.75, -5), (2, -4), [6 + n / 4 for n in range(9)]),
    # the hour that is passed twice: its second rows have no time, and the first of the two is taken
    (HALVES, 30, (-3, -4), (2, -5), [4, 4.5, 5, 5.5, 7, 7.5]),
]  # fmt: skip


@pytest.mark.parametrize(("hours", "minutes", "before", "after", "utc"), NIGHTS, ids=["day", "quarters", "autumn"])
def test_clocks_were_changed_where_the_printed_time_jumps(
    hours: list[float | None], minutes: int, before: tuple[float, int], after: tuple[float, int], utc: list[float]
) -> None:
    lake, change = Lake(), AUTUMN if None in hours else SPRING
    for ahead, offset in (before, after):
        seen(lake, "VMS", change + dt.timedelta(hours=ahead), offset)
    for line, hour in enumerate(hours):
        page(lake, "VMS", None if hour is None else local(hour, change), minutes, line, 200.0 + line)
    rows = all_rows(lake.connect(), "SELECT interval_start, io_rate FROM device_interval ORDER BY io_rate")
    assert [r["interval_start"] for r in rows] == [local(h, change) for h in utc]
    assert [r["io_rate"] for r in rows] == [200 + n for n, h in enumerate(hours) if h is not None]


def printed(
    rng: random.Random, minutes: int, change: dt.datetime, offsets: tuple[int, int]
) -> list[dt.datetime | None]:
    """What a listing around a change of clocks prints, some pages missing; what goes back in time has none."""
    pages: list[dt.datetime | None] = []
    for n in range(-rng.randrange(1, 20), rng.randrange(1, 20)):
        at = change + n * dt.timedelta(minutes=minutes)
        given = at + offsets[at >= change] * HOUR
        if rng.random() < 0.9:
            pages.append(None if any(p and p >= given for p in pages) else given)
    return pages


def test_rows_of_a_listing_come_out_in_its_order_or_are_reported() -> None:
    rng, lake, orders = random.Random(8), Lake(), {}
    for n in range(60):
        system, minutes, forward = f"VM{n:03}", rng.choice((15, 20, 30, 60)), rng.random() < 0.6
        change, offsets = (SPRING, (-5, -4)) if forward else (AUTUMN, (-4, -5))
        pages = printed(rng, minutes, change, offsets)
        for sign, offset in zip((-1, 1), offsets, strict=True):
            seen(lake, system, change + sign * dt.timedelta(minutes=20 * minutes + rng.randrange(4000)), offset)
        for line, at in enumerate(pages):
            page(lake, system, at, minutes, line, line + 1.0)
        orders[system] = [line + 1.0 for line, at in enumerate(pages) if at is not None]
    con = lake.connect()
    sql = "SELECT system, io_rate FROM device_interval ORDER BY system, interval_start, io_rate"
    found: dict[str, list[float]] = {system: [] for system in orders}
    for row in all_rows(con, sql):
        found[row["system"]].append(row["io_rate"])
    assert found == orders, "a change of clocks between the pages keeps them apart in every one of these"
    assert all_rows(con, "SELECT system FROM listing_clock WHERE clashes") == []


def test_intervals_that_no_change_of_clocks_keeps_apart_are_reported() -> None:
    """From sighting to sighting without a gap: 25 hours have 24 to be in, and the one too many is reported."""
    lake = Lake()
    for ahead, offset in ((-14, -5), (10, -4)):
        seen(lake, "VMS", SPRING + dt.timedelta(hours=ahead), offset)
    for line in range(25):
        page(lake, "VMS", local(line - 12, SPRING), 60, line, line + 1.0)
    con = lake.connect()
    ((out,),) = con.execute("SELECT count(*) FROM device_interval").fetchall()
    ((given,),) = con.execute("SELECT count(*) FROM listing_clock WHERE clashes").fetchall()
    assert (out, given) == (24, 1)
    assert notice(con, "superseded_listings").startswith("Ignored: 1 interval of VMS's listings. Clocks were changed")
