"""Volumes that are not measured for a time: a box is not emptier for it, and no advice is narrower."""

import datetime as dt
import random
from collections.abc import Callable
from typing import Any

import pytest
from sql_lake import START
from view_rows import over

from iosq.toolkit.predict.elasticity import elasticity_bounds
from tests.toolkit.sql.view_rows import HOUSED, SUMMED

VIEWS = (*HOUSED, "volume_box", *SUMMED, "_box_volume", "box_volume_interval", "box_curve")
Work = Callable[[int], tuple[float, float]]  # I/Os per second and service time of an interval


def volume(box: int, number: int, at: int, rate: float, service_ms: float) -> dict[str, Any]:
    serial = f"V{box:02}{number:03}"
    given = {"interval_start": START + at * dt.timedelta(minutes=15), "volume": serial, "volser": serial}
    given |= {
        "lcu": f"{box:04X}",
        "io_rate": rate,
        "service_ms": service_ms,
        "wait_ms": 1.0,
        "queue_length": rate / 1e3,
    }
    return given | {"in_service": rate * service_ms / 1e3, "device": f"0{box:02X}{number:02X}"}


def curves(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    con = over(VIEWS, volume_interval=rows)
    found = con.sql("SELECT * FROM box_curve").to_arrow_table().to_pylist()
    return {r["box"]: r for r in found}


def test_a_steady_box_among_them_volumes_are_missing_gives_nothing_of_other_loads() -> None:
    rng, rows = random.Random(2), []
    for box in range(8):
        work = [(rng.uniform(5, 300), rng.uniform(0.3, 6)) for _ in range(rng.randint(3, 5))]
        lacking = {at: set(rng.sample(range(len(work)), rng.randint(1, len(work) - 1)))
                   for at in rng.sample(range(12), rng.randint(1, 6))}  # fmt: skip
        rows += [
            volume(box, n, at, *work[n]) for at in range(12) for n in range(len(work)) if n not in lacking.get(at, ())
        ]
    found = curves(rows)
    assert len(found) == 8
    assert [box for box, row in found.items() if elasticity_bounds(row) is not None] == []


@pytest.mark.parametrize("idle", [True, False], ids=["an idle volume", "a volume of half the load"])
def test_a_box_with_fuller_hours_is_measured_as_before_where_none_is_missing(idle: bool) -> None:
    """Known answer: service times stay, so the rate keeps pace; rows of a volume that does nothing are measurements."""
    loads = [50.0 * (1 + at % 4) for at in range(16)]
    rows = [volume(1, n, at, load, 2.0) for at, load in enumerate(loads) for n in range(2)]
    rows += [volume(1, 9, at, 0 if idle else 2 * load, 2.0) for at, load in enumerate(loads) if idle or at != 3]
    (row,) = curves(rows).values()
    assert elasticity_bounds(row) == (pytest.approx(1), pytest.approx(1))
    assert row["points"] == (16 if idle else 15)
    assert row["in_service_max"] == pytest.approx(0.4 * (2 if not idle else 1) * 2)


@pytest.mark.parametrize(("share", "left_out"), [(0.045, 0), (0.0495, 0), (0.0505, 1), (0.054, 1)])
def test_an_interval_is_left_out_where_more_than_a_twentieth_is_missing(share: float, left_out: int) -> None:
    loads = [100.0 * (1 + at % 4) for at in range(16)]
    rows = [volume(1, 0, at, load, 2.0) for at, load in enumerate(loads)]
    # steady, and not measured once, when the other does 100 I/Os per second
    rows += [volume(1, 1, at, 100 * share / (1 - share), 2.0) for at in range(16) if at != 4]
    (row,) = curves(rows).values()
    assert row["points"] == 16 - left_out


def test_where_no_volume_is_missing_nothing_is_whatever_the_order_of_rows() -> None:
    """The load expected there and the load found are added up in orders of their own: 0.1 + 0.2 + 0.3 is two."""
    rng = random.Random(5)
    rows = [volume(1, n, at, rng.uniform(1, 300), rng.uniform(0.3, 6)) for n in range(60) for at in range(4)]
    for _ in range(2):
        rng.shuffle(rows)
        con = over(VIEWS, volume_interval=rows)
        assert con.sql("SELECT DISTINCT missing_ratio FROM box_interval").fetchall() == [(0.0,)]
