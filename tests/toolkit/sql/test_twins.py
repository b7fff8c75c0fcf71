"""Serials that two systems name in two subsystems at once are two volumes, and a volume that moves is one."""

import datetime as dt

import pytest
from view_rows import over

from iosq.toolkit.advise.twins import volumes_told_twice

DAY = dt.datetime(2026, 3, 10, 8)


def said(*stays):
    """What is said of one volume where each stay is (system, subsystem, first hour, hours), in quarters of an hour."""
    rows = [
        {"volume": "V00001", "volser": "V00001", "system": system, "subsystem": subsystem, "io_rate": 10.0}
        | {"interval_start": DAY + dt.timedelta(hours=first, minutes=15 * quarter)}
        for system, subsystem, first, hours in stays
        for quarter in range(int(4 * hours))
    ]
    with over([], volume_interval=rows) as con:
        return volumes_told_twice(con)


def test_two_sites_of_one_serial_are_told():
    told = said(("SYSA", "2000", 0, 6), ("SYSB", "3000", 0, 6))
    assert told.startswith("Volume serial V00001 stands in several subsystems at once, 2000 and 3000")
    assert "SYSA and SYSB" in told


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
def test_one_volume_is_not_told(stays):
    assert said(*stays) == ""
