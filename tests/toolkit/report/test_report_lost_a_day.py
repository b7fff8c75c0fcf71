"""Time lost a day: findings, tables and pages mean the same by it, and less than a day is carried nowhere."""

import pytest
from advise_rows import at, box, database, volume

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import apply
from iosq.toolkit.advise.text import as_text, cost
from iosq.toolkit.advise.window import a_day
from iosq.toolkit.report.places import BOXES, LCUS
from iosq.toolkit.report.table import rows_of, tables
from iosq.toolkit.show.numbers import duration
from iosq.toolkit.sql.questions import ask

RESERVE = next(r for r in all_rules() if r.code == "reserve_contention")
VOLUMES = next(t for t in tables() if t.name == "volumes")


@pytest.mark.parametrize("hours", [0.25, 3, 24, 48, 100])
def test_a_day_is_one_thing_everywhere(hours: float) -> None:
    """100 I/Os a second that lose nothing but 4 ms in a reserve lose 0.4 h an hour: 9.6 h a day, and 1.2 h in three."""
    rows = [
        volume(n, wait=0.0, pend=4.0, disc=0.0, device_busy_ms=4.0, subsystem="3010") for n in range(int(4 * hours))
    ]
    con = database(("pav_candidate",), volume_interval=rows, cache_subsystem_interval=[box("3010", "0000CD472")])
    expected_h = 0.4 * min(hours, 24)
    assert a_day(0.4 * 3600 * hours, hours / 24) == pytest.approx(3600 * expected_h)
    assert [f.lost_s for f in apply(con, RESERVE)] == ([pytest.approx(3600 * expected_h)] if hours > 1 else [])
    given = [*rows_of(con, VOLUMES, ()), *ask(con, LCUS).to_pylist(), *ask(con, BOXES).to_pylist()]
    assert len(given) == 3 and all(r["lost_h"] == pytest.approx(expected_h) for r in given)


@pytest.mark.parametrize("idle", [False, True])
def test_days_without_work_are_days_of_the_span(idle: bool) -> None:
    """Four hours of one morning that lose 0.4 h each, in four days: 0.4 h a day, whether or not it stands idle else."""
    lost = [volume(n, wait=0.0, pend=4.0, disc=0.0, device_busy_ms=4.0, subsystem="3010") for n in range(16)]
    others = [volume(n, "VOL002", lcu="0020") for n in range(384)]
    rest = [volume(n, rate=0.0, subsystem="3010") | {"response_ms": None} for n in range(16, 384)] if idle else []
    (lcu,) = (v["lcu"] for v in lost[:1])
    con = database(
        ("pav_candidate",), volume_interval=lost + others + rest, cache_subsystem_interval=[box("3010", "0000CD472")]
    )
    assert [f.lost_s for f in apply(con, RESERVE)] == [pytest.approx(0.4 * 3600)]
    given = [r for r in rows_of(con, VOLUMES, ()) if r["volume"] == "VOL001"]
    given += [r for r in ask(con, LCUS).to_pylist() if r["unit"] == lcu] + ask(con, BOXES).to_pylist()
    assert len(given) == 3 and all(r["lost_h"] == pytest.approx(0.4) for r in given)


@pytest.mark.parametrize(
    ("held", "days"),
    [
        ([*range(10)], 1.0),
        ([24 * day + hour for day in range(5) for hour in range(10)], 5.0),
        ([*range(36)], 1.5),
        ([*range(0, 96, 2)], 4.0),
    ],
)
def test_days_are_those_with_data(held: list[int], days: float) -> None:
    """Ten hours of each of five days; a day and a half; every other hour of four days."""
    rows = [{"interval_start": at(4 * n), "interval_s": 3600.0} for n in held]
    (row,) = database(("measured_span",), measured_interval=rows).execute("SELECT days FROM measured_span").fetchall()
    assert row == (pytest.approx(days),)


@pytest.mark.parametrize(
    ("intervals", "span"), [(12, "in the 3 h measured"), (95, "in the 23 h 40 min measured"), (96, "a day")]
)
def test_the_loss_of_less_than_a_day_is_of_the_time_measured(intervals: int, span: str) -> None:
    rows = [volume(n, wait=0.0, pend=4.0, device_busy_ms=4.0, subsystem="3010") for n in range(intervals)]
    con = database(("pav_candidate",), volume_interval=rows, cache_subsystem_interval=[box("3010", "0000CD472")])
    (found,) = apply(con, RESERVE)
    assert cost(found) == f"{duration(3600 * 0.1 * intervals)} of I/O time {span}"
    assert f"costs {cost(found)}" in as_text([found])
