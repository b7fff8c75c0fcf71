"""Systems share a disk, not a name: equal volume serials in two boxes are two volumes, whoever reserves one of them."""

import re
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import duckdb
import pytest
from sql_lake import START, Lake, Row, all_rows, cache_device, found, one

from iosq.toolkit.advise.data_quality import notice, question
from iosq.toolkit.sql.catalog import needed, views
from iosq.toolkit.sql.connect import WHOLE
from iosq.toolkit.sql.filter import Filter
from tests.settle import settle

INTERVALS = 8
HELD = {"SMF74DVB": 351_562, "SMF74PEN": 365_625}  # 5 ms of device busy delay per I/O
RESERVES = {"SMF74RSV": 225}


class Site(NamedTuple):
    """A system and the disk PAY001 that it uses; `ssid` and `serial` are of its cache statistics, if it has any."""

    system: str
    device: str
    ssid: str = ""
    serial: str = ""
    lcu: str = "0012"
    fast: float = 3000.0  # of 3000 writes


HERE = Site("SYSA", "2208", "2010", "0000000AB121")
THERE = Site("SYSB", "3308", "3020", "0000000CD472", lcu="0044")


def lake(waiting: Site, *others: Site) -> duckdb.DuckDBPyConnection:
    return rows_of(waiting, *others).connect()


def rows_of(waiting: Site, *others: Site) -> Lake:
    """Two hours of quarters in which the first system waits for the device and the others reserve theirs."""
    made = Lake()
    for place in range(INTERVALS):
        for site in (waiting, *others):
            _measured(made, site, START + timedelta(minutes=15 * place), HELD if site == waiting else RESERVES)
    return made


def _measured(made: Lake, site: Site, start: object, more: Row) -> None:
    common: Row = {"interval_start": start, "system": site.system}
    record = made.record()
    made.control(record=record, **common)
    given: Row = {"SMF74SER": "PAY001", "SMF74LCU": site.lcu}
    made.device(site.device, record=record, **common, **given, **more)
    if site.ssid:
        counts = {"DRCR": 6000.0, "DCRH": 5000.0, "DWRC": 3000.0, "DFWC": site.fast}
        device = cache_device(site.device, **counts) | {"R745DVOL": "PAY001"}
        control = {"NEDSEQN": site.serial} if site.serial else {}
        made.cache([device], ssid=site.ssid, common=common, control=control)


def shared(con: duckdb.DuckDBPyConnection) -> dict[str, tuple[int, float]]:
    """Systems and I/Os of each volume of shared_volume_interval."""
    sql = "SELECT volume, max(systems) AS systems, sum(io_count) AS ios FROM shared_volume_interval GROUP BY volume"
    return {r["volume"]: (r["systems"], r["ios"]) for r in all_rows(con, sql)}


IOS = 9000.0 * INTERVALS


def test_names_of_volumes_begin_with_their_serial() -> None:
    """Filters read no more of a file than such names."""
    both = [{c.name: c for c in v.columns} for v in views()]
    meanings = {of["volume"].meaning for of in both if {"volume", "volser"} <= of.keys()}
    assert all(re.match("Volume serial; (without one|where several)|Volume as in", words) for words in meanings)
    rows = all_rows(lake(HERE, THERE), "SELECT volume, volser FROM shared_volume_interval")
    assert any(r["volume"] != r["volser"] for r in rows)
    assert all(r["volume"].startswith(r["volser"]) for r in rows)


def test_one_serial_in_two_known_boxes_is_two_volumes() -> None:
    con = lake(HERE, THERE)
    assert shared(con) == {"PAY001 in 2010": (1, IOS), "PAY001 in 3020": (1, IOS)}
    assert {r["volser"] for r in all_rows(con, "SELECT volser FROM shared_volume_interval")} == {"PAY001"}
    (finding,) = found(con, "reserve_contention")
    assert "The holder is a system without records then" in finding.details
    assert "SYSB" not in finding.whole_text
    assert (finding.confidence, finding.numbers[3].value) == ("medium", None)


def test_one_serial_in_two_subsystems_of_one_box_is_two_volumes() -> None:
    """A copy that another system uses."""
    con = lake(HERE, THERE._replace(serial=HERE.serial))
    assert shared(con) == {"PAY001 in 2010": (1, IOS), "PAY001 in 3020": (1, IOS)}
    assert one(con, "SELECT DISTINCT box, volumes, systems FROM box_interval") == {
        "box": "AB121", "volumes": 2, "systems": 2,
    }  # fmt: skip


def test_a_volume_that_two_systems_share_is_one() -> None:
    con = lake(HERE, HERE._replace(system="SYSB"))
    assert shared(con) == {"PAY001": (2, 2 * IOS)}
    (finding,) = found(con, "reserve_contention")
    assert "System SYSB has volume" in finding.text and "while SYSA" in finding.text
    assert "taken from its serial" not in finding.whole_text
    assert finding.confidence == "high"


def test_a_volume_whose_cache_one_system_gathers_is_one() -> None:
    con = lake(HERE, HERE._replace(system="SYSB", ssid=""))
    assert shared(con) == {"PAY001": (2, 2 * IOS)}
    (finding,) = found(con, "reserve_contention")
    assert finding.confidence == "high"


@pytest.mark.parametrize(
    ("waiting", "other"),
    [
        (Site("SYSA", "2208"), Site("SYSB", "2208")),
        (Site("SYSA", "2208"), Site("SYSB", "3308", lcu="0044")),
        (HERE, THERE._replace(ssid=HERE.ssid)),
    ],
    ids=["no cache statistics", "other numbers", "one subsystem id in two boxes"],
)
def test_a_finding_says_that_the_box_is_not_known(waiting: Site, other: Site) -> None:
    con = lake(waiting, other)
    assert shared(con) == {"PAY001": (2, 2 * IOS)}
    (finding,) = found(con, "reserve_contention")
    assert "System SYSB has volume" in finding.text and "while SYSA" in finding.text
    assert (
        "is one disk on both is taken from its serial alone: no record shows which box it is in" in finding.whole_text
    )
    assert finding.confidence == "medium"


def test_a_finding_says_that_one_system_alone_gives_the_box() -> None:
    (finding,) = found(lake(HERE, Site("SYSB", "3308")), "reserve_contention")
    assert "taken from its serial alone: SYSB has it at another LCU or device number" in finding.whole_text
    assert finding.confidence == "medium"


def test_a_system_that_does_not_give_which_of_two_disks_it_uses_stands_alone() -> None:
    con = lake(HERE, THERE, Site("SYSC", "2208"))
    assert shared(con) == {"PAY001 in 2010": (1, IOS), "PAY001 in 3020": (1, IOS), "PAY001 of SYSC": (1, IOS)}
    (finding,) = found(con, "reserve_contention")
    assert "The holder is a system without records then, or SYSC" in finding.details
    assert "Several disks have this serial. No record shows whether SYSC" in finding.whole_text
    given = one(con, "SELECT max(subsystem) AS s, max(read_ratio) AS r FROM volume_interval WHERE system = 'SYSC'")
    assert given == {"s": None, "r": None}


def test_cache_statistics_of_a_disk_are_not_its_duplicates() -> None:
    """The one writes past its cache, the other does not."""
    con = lake(HERE._replace(fast=0.0), THERE)
    names = "volume, volser, box, subsystem, fast_write_ratio"
    given = all_rows(con, f"SELECT DISTINCT {names} FROM disconnect_interval ORDER BY 1")
    assert [tuple(row.values()) for row in given] == [
        ("PAY001 in 2010", "PAY001", "AB121", "2010", 0.0),
        ("PAY001 in 3020", "PAY001", "CD472", "3020", 1.0),
    ]


@pytest.mark.parametrize(
    ("asked", "is_known"),
    [
        (Filter(systems=("SYSA",)), True),
        (Filter(volumes=("PAY001",)), True),
        (Filter(volumes=("OWN001",)), False),
        (Filter(systems=("SYSD",)), False),
    ],
)
def test_a_part_of_the_lake_is_reported_of_the_duplicates_in_it(tmp_path: Path, asked: Filter, is_known: bool) -> None:
    """However narrow the query is, PAY001 of SYSA is one of two."""
    rows = rows_of(HERE, THERE)
    for n in range(INTERVALS):
        common: Row = {"interval_start": START + timedelta(minutes=15 * n), "system": "SYSD"}
        record = rows.record()
        rows.control(record=record, **common)
        rows.device("4400", record=record, **common, SMF74SER="OWN001", SMF74LCU="0055")
    asks = f"{question('duplicate_volsers').sql} shared_volume_interval"
    con = rows.open(tmp_path, where=asked, asks=asks)
    settle(con, [view.name for view in needed(asks)], WHOLE)
    given = notice(con, "duplicate_volsers")
    assert ("2010 by SYSA and 3020 by SYSB" in given) == is_known
    assert bool(given) == is_known
    if is_known:
        names = {r["volume"] for r in all_rows(con, "SELECT DISTINCT volume FROM shared_volume_interval")}
        assert names - {"OWN001"} == {"PAY001 in 2010", "PAY001 in 3020"}
