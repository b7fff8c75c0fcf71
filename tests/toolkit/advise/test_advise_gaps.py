"""Records that lack next to a trouble are named: it may have been longer."""

import pytest
from advise_rows import at, database, path, volume

from iosq.toolkit.advise.engine import run

BEFORE = "No records of SYSA are there for 08:15-10:45 on 2026-03-02: it may have begun earlier"
AFTER = "No records of SYSA are there for 11:30-24:00 on 2026-03-02: it may have lasted longer"


@pytest.mark.parametrize(
    ("measured", "says"),
    [
        ([*range(10)], []),
        ([-4, *range(7, 10)], [BEFORE]),
        ([*range(10), 60], [AFTER]),
        ([-4, *range(7, 10), 60], [BEFORE, AFTER]),
        ([*range(4), *range(6, 10)], []),  # an hour before it
    ],
)
def test_hours_without_records_next_to_a_trouble_are_named(measured: list[int], says: list[str]) -> None:
    """A path that is slow from 10:45 to 11:30."""
    con = database(lcu_interval=path(3.0), measured_interval=[{"interval_start": at(n)} for n in measured])
    (f,) = (f for f in run(con) if f.code == "slow_path")
    assert [s for s in (BEFORE, AFTER) if s in f.details] == says
    assert ("No records" in f.details) == bool(says)


def test_systems_that_lack_the_same_time_share_a_sentence() -> None:
    both = ("SYSA", "SYSB")
    con = database(
        lcu_interval=[{**row, "system": s} for row in path(3.0) for s in both],
        measured_interval=[{"interval_start": at(n), "system": s} for n in (-4, *range(7, 10)) for s in both],
    )
    details = ". ".join(f.details for f in run(con) if f.code == "slow_path")
    assert BEFORE.replace("SYSA", "SYSA and SYSB") in details and details.count("No records") == 1


@pytest.mark.parametrize(
    ("lacks", "shares", "says"), [(range(7, 10), True, True), (range(8), True, False), (range(7, 10), False, False)]
)
def test_another_system_without_records_then_may_have_a_part_in_it(lacks: range, shares: bool, says: bool) -> None:
    """Only if it has these volumes, and lacks all of that time."""
    volumes = [
        {**volume(n, "VOL001", lcu="0011"), "system": s} for n in range(4) for s in ("SYSA", "SYSB")[: 1 + shares]
    ]
    measured = [
        {"interval_start": at(n), "system": s}
        for s in ("SYSA", "SYSB")
        for n in range(-1, 12)
        if s == "SYSA" or n not in lacks
    ]
    con = database(lcu_interval=path(3.0), volume_interval=volumes, measured_interval=measured)
    (f,) = (f for f in run(con) if f.code == "slow_path")
    assert ("No records of SYSB are there for 10:45-11:30 on 2026-03-02: it may have a part in it" in f.details) == says
