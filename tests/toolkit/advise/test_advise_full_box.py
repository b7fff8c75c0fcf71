"""A full box and a full way to it: where service time grows shows them apart, and whether other boxes slow down too."""

from collections.abc import Sequence
from typing import Any

import pytest
from advise_rows import Row, applied, box, database, pool, volume

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import apply, run
from iosq.toolkit.sql.guard import query

RULE = next(r for r in all_rules() if r.code == "box_saturated")
# I/Os in box AB1, quarter hour by quarter hour; from two on it completes no more
INSIDE = (1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 6, 8)
BOXES = [box("2010", "AB1"), box("2011", "AB2")]


def filling(grows: str) -> list[Row]:
    """A volume of AB1 whose I/Os take longer and longer, in the part of service time that `grows`; one idles in AB2."""
    mine = []
    for n, inside in enumerate(INSIDE):
        rate = 400.0 if inside > 1 else 300.0
        parts = {"pend": 0.2, "disc": 0.1, "conn": 0.3}
        parts[grows] += 1e3 * inside / rate - 0.6
        queued = 2.0 if inside > 2 else 0.0
        more: Row = {"subsystem": "2010", "device_busy_ms": 0.0}
        mine.append(volume(n, "VOL001", rate=rate, wait=1e3 * queued / rate, **parts, **more))
    return mine + [volume(n, "VOL011", lcu="0011", subsystem="2011") for n in range(len(INSIDE))]


def answers(lcu: str, late_ms: float) -> list[Row]:
    """Command response time of an LCU, long while AB1 is full."""
    return [pool(n, lcu=lcu, cmr_ms=late_ms if inside > 1 else 0.1, response_ms=2.0) for n, inside in enumerate(INSIDE)]


def found(grows: str, other_ms: float = 0.1, **more: list[Row]) -> list[Finding]:
    return applied(RULE, tables(grows, other_ms) | more)


def tables(grows: str, other_ms: float) -> dict[str, Any]:
    late = answers("0010", 1.0) + answers("0011", other_ms)
    return {"volume_interval": filling(grows), "lcu_interval": late, "cache_subsystem_interval": BOXES}


def test_disconnect_that_grows_is_the_boxs_own() -> None:
    (finding,) = found("disc", other_ms=1.0)
    assert finding.subject.names == ("AB1",)
    assert "as with full channels" not in finding.advice


def test_device_busy_that_is_not_recorded_is_reported() -> None:
    rows = tables("disc", 1.0)
    unknown = rows | {"volume_interval": [r | {"device_busy_ms": None} for r in rows["volume_interval"]]}
    (known,), (finding,) = applied(RULE, rows), applied(RULE, unknown)
    assert "Device busy isn't recorded" in finding.details and "Device busy" not in known.details
    with database(asks="box_interval", **unknown) as con:
        assert query(con, "SELECT DISTINCT device_busy FROM box_interval").to_pylist() == [{"device_busy": None}]


@pytest.mark.parametrize("grows", ["pend", "conn"])
def test_time_on_the_way_may_be_the_ways_and_its_records_are_named(grows: str) -> None:
    (finding,) = found(grows)
    assert finding.confidence == "medium"
    assert "100 % of the growth of service time is pend and connect" in finding.advice
    assert "First look at types 73, 74.7 and 74.8 of the same time" in finding.advice


def test_two_boxes_that_slow_down_together_have_a_slow_way_and_it_is_reported() -> None:
    assert found("conn", other_ms=1.0) == []
    stated = run(database(**tables("conn", 1.0)))
    assert {f.subject.names for f in stated if f.code == "slow_path"} == {("0010",), ("0011",)}


@pytest.mark.parametrize(
    "wait, held, scale", [(range(4, 8), range(8, 12), 1.0), (range(12), range(3), 4.0), ((), (), 1)]
)
def test_a_reserve_does_not_fill_the_box_of_others(wait: Sequence[int], held: Sequence[int], scale: float) -> None:
    """One volume waits in the host at its usual rate, another one is held by a system elsewhere at other times."""
    rows = [volume(n, "VOL001", rate=500 * scale, wait=2.0 * (n in wait), device_busy_ms=0.0) for n in range(12)]
    for n in range(12):
        busy = 4.0 * (n in held)
        rows.append(volume(n, "VOL002", rate=50.0 * scale, pend=0.2 + busy, device_busy_ms=busy))
    assert applied(RULE, {"volume_interval": rows}) == []


def test_a_box_with_hardly_an_io_inside_is_not_full() -> None:
    small = [row | {name: row[name] / 10 for name in ("io_rate", "in_service")} for row in filling("disc")]
    whole = tables("disc", 1.0)
    assert applied(RULE, whole) and not applied(RULE, whole | {"volume_interval": small})


def test_intervals_without_device_busy_are_no_fuller_ones() -> None:
    """A held volume has the same times in all intervals; the last ones lack what part of them is device busy."""
    rows = [volume(n, "VOL001", rate=500, device_busy_ms=0.0 if n < 8 else None) for n in range(12)]
    rows += [volume(n, "VOL002", rate=50, pend=40.2, device_busy_ms=40.0 if n < 8 else None) for n in range(12)]
    with database(asks="box_curve box_interval", volume_interval=rows) as con:
        (curve,) = query(con, "SELECT in_service_min, in_service_max, elasticity_ratio FROM box_curve").to_pylist()
        (known,) = query(con, "SELECT max(in_service - device_busy) AS inside FROM box_interval").to_pylist()
    assert curve["in_service_min"] == pytest.approx(curve["in_service_max"]) == pytest.approx(known["inside"])


def test_one_volume_whose_pend_rises_gives_nothing_of_the_box() -> None:
    """No record shows device busy delay, as on z/VM: the many I/Os that are as quick as ever speak for the box."""
    rows = [volume(n, "VOL001", rate=500, wait=2.0 * (n in range(4, 8)), platform="z/VM") for n in range(12)]
    rows += [volume(n, "VOL002", rate=50, pend=4.2 if n > 7 else 0.2, platform="z/VM") for n in range(12)]
    con = database(volume_interval=rows)
    assert apply(con, RULE) == []
    (curve,) = query(con, "SELECT elasticity_ratio, slower_ratio FROM box_curve").to_pylist()
    assert curve == {"elasticity_ratio": None, "slower_ratio": pytest.approx(1 / 11, abs=0.01)}
    (finding,) = apply(con, next(r for r in all_rules() if r.code == "reserve_contention"))
    assert finding.subject.names == ("VOL002",) and ("pav_add_alias", finding.subject) in finding.covers
    assert "up to 4.2 ms in place of the usual 0.2" in finding.whole_text and finding.confidence == "low"


@pytest.mark.parametrize("risen, found", [((0,), 1), ((0, 1), 0), ((0, 1, 2), 0), ((), 0)])
def test_pend_that_rises_for_most_volumes_same_is_the_ways(risen: Sequence[int], found: int) -> None:
    def rows(**more: Any) -> list[Row]:
        return [
            volume(n, f"VOL00{v}", pend=5.0 if v in risen and n > 7 else 0.2, **more)
            for n in range(12)
            for v in range(3)
        ]

    rule = next(r for r in all_rules() if r.code == "reserve_contention")
    assert len(applied(rule, {"volume_interval": rows()})) == found
    assert not applied(rule, {"volume_interval": rows(device_busy_ms=0.0, cmr_ms=0.1)}), "then it is recorded"
