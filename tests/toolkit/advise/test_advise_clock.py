"""How long intervals are changes no answer: the same load in shorter ones says the same of aliases."""

import datetime as dt
from typing import Any

import duckdb
import pytest
from advise_rows import Row, applied, database, volume
from test_advise_closed import VOLUMES, day
from test_advise_pools import grown

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.predict import lake
from iosq.toolkit.predict.pav_box import Asked
from iosq.toolkit.predict.pav_lake import volume_answer

RULES = {r.code: r for r in all_rules()}
# there are as many more of them as they are shorter
COUNTED = {"bad intervals"}
COUNTS = {"alias_io_count", "alias_denied_count"}


def split(rows: list[Row], pieces: int) -> list[Row]:
    """The same load in this many intervals of equal length."""
    length = 900.0 / pieces
    return [
        row
        | {"interval_start": row["interval_start"] + n * dt.timedelta(seconds=length), "interval_s": length}
        | {name: row[name] / pieces for name in COUNTS & row.keys()}
        for row in rows
        for n in range(pieces)
    ]


def whole() -> list[Row]:
    """A system in the same box, whose intervals stay as they are: the box's clock is its."""
    return [volume(n, "OTHER", rate=20.0, system="SYSB", exposures=1.0) for n in range(8)]


def reported(code: str, pieces: int, **tables: list[Row]) -> dict[str, Any]:
    shorter = {name: split(rows, pieces) for name, rows in tables.items()}
    shorter["volume_interval"] += whole()
    (finding,) = applied(RULES[code], shorter)
    return stated(finding)


def stated(f: Finding) -> dict[str, Any]:
    steps = [(s.count, s.wait_ms.value, s.response_ms.low, s.io_rate.high) for s in f.curve.steps] if f.curve else []
    numbers = {n.name: n.value for n in f.numbers if n.name not in COUNTED}
    return numbers | {"lost": f.lost_s, "curve": [value for step in steps for value in step], "severity": f.severity}


def same(values: dict[str, Any]) -> dict[str, Any]:
    return {k: v if v is None or isinstance(v, str) else pytest.approx(v, rel=1e-6) for k, v in values.items()}


@pytest.mark.parametrize("pieces", [3, 15])
@pytest.mark.parametrize("elasticity", [0.5, 1.0])
def test_volumes_of_closed_workload(pieces: int, elasticity: float) -> None:
    rows = day(elasticity)
    once = reported("closed_load", 1, volume_interval=rows)
    assert reported("closed_load", pieces, volume_interval=rows) == same(once)


@pytest.mark.parametrize("code", ["closed_load", "alias_pool_dry"])
def test_pools(code: str) -> None:
    tables = grown(0.8)
    tables["lcu_interval"] = [r for r in tables["lcu_interval"] if r["hyperpav_aliases"] == 4]
    assert reported(code, 5, **tables) == same(reported(code, 1, **tables))


def answered(con: duckdb.DuckDBPyConnection) -> list[Row]:
    return list(volume_answer(con, "VOL001", "SYSA", Asked()).rows)


def test_a_what_if_asks_about_the_same() -> None:
    once, shorter = (answered(database(volume_interval=split(day(0.5), n) + whole())) for n in (1, 15))
    assert [r["io_rate"] for r in shorter] == pytest.approx([r["io_rate"] for r in once])
    assert [r["wait_ms"] for r in shorter] == pytest.approx([r["wait_ms"] for r in once])


def test_what_a_box_holds_is_a_mean_over_its_interval() -> None:
    con = database(volume_interval=split(day(0.5), 15) + whole())
    held = lake.by_interval(lake.readings(con, "z/OS"))
    assert {len(group) for group in held.values()} == {VOLUMES + 1}
    assert sum(r.in_service for r in list(held.values())[-1]) == pytest.approx(VOLUMES + 0.02)


def test_queues_of_one_minute_after_the_other_do_not_add_up() -> None:
    """Six minutes of a quarter hour: in each of them 20 I/Os are outstanding and 11 wait."""
    length, busy = 60.0, {"rate": 6000.0, "wait": 11 / 6, "pend": 0.0, "disc": 0.0, "conn": 1.5, "exposures": 9.0}
    minutes = [volume(0, **busy) | {"interval_start": volume(0)["interval_start"] + n * dt.timedelta(minutes=1),
               "interval_s": length} for n in range(4, 10)]  # fmt: skip
    (finding,) = applied(RULES["closed_load"], {"volume_interval": minutes + whole()})
    numbers = {n.name: n.value for n in finding.numbers}
    assert numbers["I/Os outstanding"] == pytest.approx(20)
    assert numbers["of them queued in the host"] == pytest.approx(11)
