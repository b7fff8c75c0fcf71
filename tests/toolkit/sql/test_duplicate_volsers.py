"""Serials that two systems name in two subsystems at once are two volumes, and a volume that moves is one."""

import datetime as dt
from random import Random

import pytest
from sql_lake import all_rows
from view_rows import over

from iosq.toolkit.advise.data_quality import notice
from tests.length import tried
from tests.toolkit.sql.view_rows import HOUSED

DAY = dt.datetime(2026, 3, 10, 8)


def measured(*stays):
    """Rows of one volume where each stay is (system, subsystem, first hour, hours), in quarters of an hour."""
    return [
        {"volume": "V00001", "volser": "V00001", "system": system, "subsystem": subsystem, "io_rate": 10.0}
        | {"interval_start": DAY + dt.timedelta(hours=first, minutes=15 * quarter)}
        for system, subsystem, first, hours in stays
        for quarter in range(int(4 * hours))
    ]


def text(*stays):
    """What is reported of one volume with such stays."""
    with over([*HOUSED, "volume_box"], volume_interval=measured(*stays)) as con:
        return notice(con, "duplicate_volsers")


def test_two_sites_of_one_serial_are_reported():
    given = text(("SYSA", "2000", 0, 6), ("SYSB", "3000", 0, 6))
    assert given.startswith("Duplicate volser V00001: several subsystems have it at once")
    assert "2000 by SYSA and 3000 by SYSB" in given
    assert "It is unknown" not in given


def test_a_system_that_does_not_give_which_of_two_it_uses_is_named():
    given = text(("SYSA", "2000", 0, 6), ("SYSB", "3000", 0, 6), ("SYSC", None, 0, 6))
    assert "It is unknown which of them SYSC uses" in given


@pytest.mark.parametrize(
    "stays",
    [
        [("SYSA", "2000", 0, 6), ("SYSB", "2000", 0, 6)],
        [("SYSA", "2000", 0, 3), ("SYSB", "2000", 0, 3.5), ("SYSA", "3000", 3, 3), ("SYSB", "3000", 3.5, 3)],
        [("SYSA", "2000", 0, 3), ("SYSB", "3000", 3, 3)],
        [("SYSA", "2000", 0, 6), ("SYSB", None, 0, 6)],
    ],
    ids=["shared", "moved", "one after the other", "one gathers"],
)
def test_one_volume_is_not_reported(stays):
    assert text(*stays) == ""


@pytest.mark.parametrize("seed", tried(range(3), range(8)))
def test_what_is_reported_is_what_is_taken_to_be_in_one_box(seed):
    """Two systems name subsystems at random: the volume moves from box to box, or is two volumes that stay in one."""
    random, now, stays = Random(seed), {}, []
    for hour in range(24):
        if hour == 0 or random.random() < 0.15:
            now = {system: random.choice(["2000", "3000"]) for system in ("SYSA", "SYSB")}
        stays += [(system, subsystem, hour, 1) for system, subsystem in now.items()]
    boxes = [{"subsystem": name, "box": f"BOX{name}"} for name in {name for _, name, *_ in stays}]
    rows = [row | {"service_ms": 1.0, "wait_ms": 0.0} for row in measured(*stays)]
    with over([*HOUSED, "volume_box"], volume_interval=rows, box_subsystem=boxes) as con:
        homes = all_rows(con, "SELECT system, box, disk FROM volume_box")
        one_each = len(homes) == len({home["system"] for home in homes})
        assert (notice(con, "duplicate_volsers") != "") == (one_each and len({home["disk"] for home in homes}) == 2)
        # what is one disk is in one box at a time, what is two has a box for each
        assert (len({home["disk"] for home in homes}) == 2) <= (len({home["box"] for home in homes}) == 2)
