"""A listing that has no offset from UTC, next to records of another system of its box: hours never mix."""

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sql_lake import Lake, all_rows

from iosq.toolkit.advise.data_quality import notice, question
from tests.materialised import materialised

TEN = dt.datetime(2026, 3, 2, 10)  # local time; records say one hour ahead of UTC
QUARTER = dt.timedelta(minutes=15)
SYSB = [1.0, 2.0, 3.0, 4.0]  # I/Os per second, quarter by quarter from ten on
LISTED = {"device": "02208", "volser": "VOL208", "lcu": "0012", "online": True, "pend_ms": 0.1, "disc_ms": 0.2,
          "conn_ms": 0.3, "iosq_ms": 0.0, "resp_ms": 0.6}  # fmt: skip


def listed(lake: Lake, start: dt.datetime, *rates: float, system: str = "SYSA") -> None:
    for at, rate in enumerate(rates):
        place = {"interval_start": start + at * QUARTER, "interval_s": 900.0, "utc_offset_s": None, "system": system}
        lake.add("rmf_dasd_device", **place, file_id=system * 4, line=at + 1, activity_rate=rate, **LISTED)


@contextmanager
def opened(lake: Lake) -> Iterator[Any]:
    """Views as tables: most of each answer would be planning what the one before was planned from."""
    with materialised(
        lake.connect(), ["box_interval shared_volume_interval volume_interval", question("clocks").sql]
    ) as con:
        yield con


def lake_of(start: dt.datetime, *rates: float) -> Lake:
    lake = Lake()
    for at, rate in enumerate(SYSB):
        utc = TEN - dt.timedelta(hours=1) + at * QUARTER
        common = {"system": "SYSB", "interval_start": utc, "interval_s": 900.0, "utc_offset_s": 3600}
        lake.control(record=10 + at, **common)
        lake.device("2208", record=10 + at, SMF74SSC=int(900 * rate), SMF74MEC=int(900 * rate), **common)
    listed(lake, start, *rates)
    return lake


def boxes(con: Any) -> list[tuple[Any, ...]]:
    sql = "SELECT box, local_start, systems, io_rate FROM box_interval ORDER BY box, interval_start"
    return [tuple(row.values()) for row in all_rows(con, sql)]


def volumes(con: Any) -> list[tuple[Any, ...]]:
    sql = "SELECT local_start, systems, io_rate FROM shared_volume_interval ORDER BY interval_start"
    return [tuple(row.values()) for row in all_rows(con, sql)]


def test_the_same_hours_of_local_time_show_the_offset() -> None:
    together = [(TEN + at * QUARTER, 2, 11.0 * rate) for at, rate in enumerate(SYSB)]
    with opened(lake_of(TEN, 10.0, 20.0, 30.0, 40.0)) as con:
        assert boxes(con) == [("LCU 0012", *row) for row in together]
        assert volumes(con) == together
        (row,) = all_rows(con, "SELECT DISTINCT utc_offset_s FROM volume_interval WHERE system = 'SYSA'")
        assert row == {"utc_offset_s": None}, "what is assumed is not reported as recorded"
        assert notice(con, "clocks") == (
            "The listing of SYSA has no offset from UTC. For boxes and shared volumes +01:00 is assumed, as of other "
            "systems on the same boxes that cover the same local hours."
        )


@pytest.mark.parametrize(
    ("start", "rates"), [(TEN - dt.timedelta(hours=1), (10.0, 20.0, 30.0, 40.0)), (TEN, (5.0,) * 12)]
)
def test_other_hours_are_kept_apart_and_none_is_lost(start: dt.datetime, rates: tuple[float, ...]) -> None:
    own = [(TEN + at * QUARTER, 1, rate) for at, rate in enumerate(SYSB)]
    others = [("LCU 0012 by the clock of SYSA", start + at * QUARTER, 1, rate) for at, rate in enumerate(rates)]
    with opened(lake_of(start, *rates)) as con:
        assert boxes(con) == [*(("LCU 0012", *row) for row in own), *others]
        assert volumes(con) == own
        assert "Its I/Os are not added to other systems'" in notice(con, "clocks")


def test_listings_alone_and_records_of_another_week_are_as_before() -> None:
    """Where no record is near there is nothing to mistake the local time for."""
    lake = Lake()
    for system in ("SYSA", "SYSC"):
        listed(lake, TEN, 10.0, 20.0, system=system)
    with opened(lake) as con:
        assert boxes(con) == [("LCU 0012", TEN, 2, 20.0), ("LCU 0012", TEN + QUARTER, 2, 40.0)]
        assert not notice(con, "clocks")
    with opened(lake_of(TEN + dt.timedelta(days=7), 10.0)) as con:
        assert {row[0] for row in boxes(con)} == {"LCU 0012"}
        assert not notice(con, "clocks")
