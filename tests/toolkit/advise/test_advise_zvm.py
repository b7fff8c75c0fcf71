"""Rules about what only z/VM measures, from rows."""

from __future__ import annotations

from typing import Any

import pytest
from advise_rows import Row, applied, database, volume

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import pav_lake
from iosq.toolkit.predict.pav_box import Asked

RULES = {r.code: r for r in all_rules()}
ZVM: Row = {"platform": "z/VM", "system": "VMSYS", "lcu": None, "exposures": 1.0}
QUICK: Row = {"pend": 0.1, "disc": 0.1, "conn": 0.3}


def emulated(interval: int, queue: float, device_type: str = "9336", **more: Any) -> Row:
    """A device on FCP: nothing is known of the parts of its service."""
    row = volume(interval, "EDEV01", rate=50.0, wait=20 * queue, device="00A10", device_type=device_type, **ZVM)
    return row | {"service_ms": 20.0, "response_ms": 20.0 + 20 * queue, "in_service": 1.0, **more}


def neighbour(interval: int) -> Row:
    return volume(interval, "CKD001", rate=30.0, device="0A200", device_type="3390-9", **QUICK, **ZVM)


def found(code: str, *rows: Row) -> list[Finding]:
    return applied(RULES[code], {"volume_interval": list(rows)})


def day(*of: Row) -> dict[str, list[Row]]:
    return {"volume_interval": [*of, *(neighbour(n) for n in range(4))]}


def test_an_emulated_device_that_queues_is_a_matter_of_fcp_paths() -> None:
    (finding,) = found("no_alias_device", *(emulated(n, 3.0 if n else 0.1) for n in range(4)))
    assert finding.text.startswith(
        "I/Os queue for emulated device EDEV01 (9336 at 0A10) on VMSYS (09:15-10:00 on 2026-03-02): 3.0 queued, 60.0 ms"
    )
    assert all(word in finding.advice for word in ("FCP paths", "D6R24", "Aliases are not possible"))
    assert finding.aliases is not None and finding.aliases.verdict == "wont_help"
    assert finding.lost_s == 3 * 3.0 * 900


@pytest.mark.parametrize("queue", [0.0, 0.4])
def test_a_short_queue_of_an_emulated_device_is_left_alone(queue: float) -> None:
    assert found("no_alias_device", *(emulated(n, queue) for n in range(4))) == []


@pytest.mark.parametrize("device_type", ["3390-9", "3380", "9345", None])
def test_devices_that_take_aliases_are_left_to_the_other_rules(device_type: str | None) -> None:
    assert found("no_alias_device", *(emulated(n, 3.0, device_type) for n in range(4))) == []


@pytest.mark.parametrize("device_type", ["9336", "9336-10", "3370", "FBA"])
def test_no_rule_asks_for_aliases_of_a_device_that_takes_none(device_type: str) -> None:
    with database(["pav_candidate"], **day(*(emulated(n, 3.0, device_type) for n in range(4)))) as con:
        (row,) = con.execute("SELECT verdict, reason FROM pav_candidate WHERE volume = 'EDEV01'").fetchall()
        findings = run(con, topic="pav")
    assert row[0] == "will_not_help" and row[1].startswith(f"a device of type {device_type} takes no aliases")
    assert [f.code for f in findings] == ["no_alias_device"]


def test_the_what_if_refuses_a_device_that_takes_no_aliases() -> None:
    rows = day(*(emulated(n, 3.0) for n in range(4)))
    with database(**rows) as con, pytest.raises(RequestError, match="type 9336, which takes no aliases"):
        pav_lake.volume_answer(con, "EDEV01", None, Asked())
