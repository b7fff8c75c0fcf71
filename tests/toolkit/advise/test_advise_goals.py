"""A finding says which service class misses its goal in its hours, if that class waits for disks then."""

import pytest
from advise_rows import Row, applied, at, database, path, volume

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.finding import Finding

# a path is slow in the intervals 7 to 9
SLOW, SPAN = range(7, 10), range(24)
ONLHI = (
    "Service class ONLHI (importance 1) misses its goal on SYSA then: performance index 2.1, 45 % of its samples "
    "delayed for disk I/O; "
)
UNKNOWN, KNOWN = "no record shows which volumes it waits for", "its jobs use volumes of this finding"


def goals(
    name: str = "ONLHI", *, index: float = 2.1, late: float = 0.45, usual: float = 0.05, **more: object
) -> list[Row]:
    """A service class that is well but in the slow intervals."""
    one: Row = {"service_class": name, "period": 1, "importance": 1, "is_report_class": False} | more
    slow = {n: n in SLOW for n in SPAN}
    return [
        one | {"interval_start": at(n), "performance_index": index if is_slow else 0.7,
               "disk_delay_ratio": late if is_slow else usual}
        for n, is_slow in slow.items()
    ]  # fmt: skip


def details(*classes: list[Row], user: str = "VOL002") -> str:
    used = {"interval_start": at(8), "service_class": "ONLHI", "job": "CICS", "volser": user, "io_count": 9.0}
    con = database(
        lcu_interval=path(3.0),
        volume_interval=[volume(n, "VOL001", lcu="0011") for n in SPAN],
        service_class_interval=[row for of in classes for row in of],
        dataset_interval=[used],
    )
    (f,) = (f for f in run(con) if f.code == "slow_path")
    return f.details


@pytest.mark.parametrize(("user", "link"), [("VOL001", KNOWN), ("VOL002", UNKNOWN)])
def test_a_class_that_waits_for_disks_and_misses_its_goal_is_named(user: str, link: str) -> None:
    assert details(goals(), user=user).endswith(ONLHI + link)


@pytest.mark.parametrize(
    "other",
    [
        goals(index=0.9),
        goals(usual=0.4),  # it always waits
        goals(late=0.04, usual=0.0),
        goals(is_report_class=True),
        goals(system="SYSB"),
        [row for row in goals() if row["interval_start"] != at(8)][:8],  # a third of the hours
    ],
)
def test_a_class_that_the_trouble_does_not_hurt_is_not_named(other: list[Row]) -> None:
    assert "Service class" not in details(other)


def test_the_most_important_class_comes_first() -> None:
    low, high, worse = goals("BATCH", importance=4, index=9.0), goals(), goals("CICS", index=3.0)
    text = details(low, high, worse)
    assert text.index("CICS (importance 1)") < text.index("ONLHI") and "BATCH" not in text
    assert text.endswith("1 more class misses its goal then")


def starved(name: str = "BATCH", *, cpu: float = 0.25, disk: float = 0.01, **more: object) -> list[Row]:
    """A service class that misses its goal for six hours."""
    known = {"importance": 3, "performance_index": 2.8, "cpu_delay_ratio": cpu, "disk_delay_ratio": disk} | more
    return [row | known for row in goals(name)]


def missed(*rows: Row) -> list[Finding]:
    (rule,) = (r for r in all_rules() if r.code == "goal_missed")
    return applied(rule, {"service_class_interval": rows})


@pytest.mark.parametrize(
    "rows",
    [
        starved(cpu=0.09),
        starved(disk=0.06),
        starved(disk_delay_ratio=None),
        starved(performance_index=1.1),
        starved(is_report_class=True),
        starved()[:3],
    ],
)
def test_a_goal_missed_for_cpu_is_a_note_on_that_alone(rows: list[Row]) -> None:
    (f,) = missed(*starved(), *starved("ONLINE", importance=1))
    assert (f.severity, f.subject.systems) == ("note", ("SYSA",))
    assert f.text.startswith("Service class ONLINE of SYSA misses its goal for CPU, not for disks")
    assert "25 % of its samples are delayed for CPU, 1 % for disk I/O" in f.details
    assert f.details.endswith("Classes that miss their goals so: BATCH, ONLINE")
    assert missed(*rows) == []
