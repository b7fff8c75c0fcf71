"""Bursts that overflow NVS: what the destage rates of the box's intervals tell about its ceiling, and what not."""

from __future__ import annotations

from typing import Any

import pytest
from advise_rows import applied, at, delay

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.finding import Finding

RULES = {r.code: r for r in all_rules()}
BURSTS = {4: 100.0, 12: 150.0}  # delayed writes of 1,000, by interval


def found(code: str, most: float, destage: float | None, late: dict[int, float]) -> list[Finding]:
    """Of a box that destages 100 tracks/s, so many in its bursts and `most` once without one."""
    rates = {n: destage if n in late else 100.0 for n in range(20)} | {17: most}
    boxes: list[dict[str, Any]] = [
        {"interval_start": at(n), "subsystem": "3020", "serial": "AB1", "interval_s": 900.0, "read_count": 100.0,
         "write_count": 1000.0, "nvs_delay_count": late.get(n, 0.0), "nvs_delay_ratio": late.get(n, 0.0) / 1000,
         "destage_rate": rate}
        for n, rate in rates.items()
    ]  # fmt: skip
    rows = [delay(n, "3020", late.get(n, 0.0)) for n in range(20)]
    return applied(RULES[code], {"nvs_delay": rows, "cache_subsystem_interval": boxes}, None)


def told(code: str, most: float, late: dict[int, float] | None = None) -> Finding:
    (finding,) = found(code, most, 960.0, late or BURSTS)
    return finding


def test_a_box_that_destages_more_at_other_times_was_not_at_its_ceiling() -> None:
    finding = told("nvs_burst", 1100.0)
    assert "without running at its ceiling" in finding.text and "nothing else in the box is short" in finding.advice
    assert finding.confidence == "medium" and finding.effect and finding.effect.identifiable
    assert "the box keeps up" in told("nvs_delay", 1100.0).advice


@pytest.mark.parametrize("most", [100.0, 960.0, 1000.0, 1050.0])
def test_the_most_it_ever_destaged_may_be_its_ceiling(most: float) -> None:
    finding = told("nvs_burst", most)
    assert f"up to 960 tracks/s; in no interval did it destage more than {max(most, 960.0):,.0f}." in finding.text
    assert "without" not in finding.text and "nothing else" not in finding.advice
    assert finding.confidence == "low" and finding.effect and not finding.effect.identifiable
    advice = told("nvs_delay", most).advice
    assert "can't be told" in advice and "keeps up" not in advice and "would absorb" not in advice


@pytest.mark.parametrize("code", ["nvs_burst", "nvs_delay"])
def test_one_fast_burst_of_several_is_enough_to_doubt(code: str) -> None:
    late = {**BURSTS, 17: 10.0}
    finding = told(code, 1100.0, late)
    assert "can't be told" in (finding.text if code == "nvs_burst" else finding.advice)


def test_a_box_whose_destage_is_not_recorded() -> None:
    assert found("nvs_burst", 1100.0, None, BURSTS) == []
    (finding,) = found("nvs_delay", 1100.0, None, BURSTS)
    assert "destage isn't recorded: whether more NVS would help can't be told" in finding.advice
