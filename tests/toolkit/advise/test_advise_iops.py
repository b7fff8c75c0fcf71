"""A busy I/O processor: pend that it makes is its finding, and more of it never weakens that."""

from __future__ import annotations

import random
from collections.abc import Container

import pytest
from advise_rows import Row, applied, at, database
from test_advise_pend import HOURS, LATE, RULES, day

from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.finding import Finding


def processors(shares: dict[int, list[float]]) -> list[Row]:
    """Of each interval, how busy each processor is."""
    return [
        {
            "platform": "z/OS", "system": "SYSA", "interval_start": at(n), "interval_s": 900.0, "utc_offset_s": 3600,
            "iop": f"{i:02}", "busy_ratio": busy, "queue_length": 9 * busy, "retried_ratio": busy / 10,
        }
        for n, each in shares.items() for i, busy in enumerate(each)
    ]  # fmt: skip


def one_busy(bad: Container[int], busy: float = 0.9, others: float = 0.02) -> list[Row]:
    return processors({n: [others, busy if n in bad else 0.3, others] for n in HOURS})


def found(rows: list[Row], late: int = 0, when: Container[int] = LATE) -> list[Finding]:
    """With volumes that start late then, and do twice the I/Os."""
    tables = {
        name: [r | {"io_rate": r["io_rate"] * (1 + (r["pend_ms"] > 1))} for r in each]
        for name, each in day(late, when=when).items()
    }
    return [f for f in run(database(iop_interval=rows, **tables)) if f.code in ("iop_busy", "pend_unexplained")]


@pytest.mark.parametrize("when", [LATE, (1, 2, 7, 8)])
def test_pend_that_rises_with_a_busy_processor_is_one_finding_about_it(when: Container[int]) -> None:
    """Whether it comes back on the same day or not."""
    (f,) = found(one_busy(when), late=4, when=when)
    assert (f.code, f.severity) == ("iop_busy", "act")
    assert f.advice.startswith("Spread the channels over the I/O processors")
    assert "2 other processors: 2 % busy in the mean then. Up to 8.1 requests" in f.whole_text


def test_pend_at_other_times_has_another_cause() -> None:
    assert {f.code for f in found(one_busy(range(4)), late=4)} == {"iop_busy", "pend_unexplained"}


def test_processors_without_room_are_too_few() -> None:
    (f,) = alone(processors({n: [0.8, 0.9] for n in HOURS}))
    assert f.severity == "watch" and f.advice.startswith("Add I/O processors (SAPs)")
    assert "No other processor has room then" in f.whole_text


def alone(rows: list[Row]) -> list[Finding]:
    return applied(RULES["iop_busy"], {"iop_interval": rows})


@pytest.mark.parametrize("seed", range(2))
def test_more_busy_intervals_never_end_it_and_room_is_no_finding(seed: int) -> None:
    rng = random.Random(seed)
    busy, others = rng.uniform(0.71, 1.0), rng.uniform(0.0, 0.6)
    assert not alone(one_busy(HOURS, rng.uniform(0.0, 0.69), others))
    counts = [len(alone(one_busy(range(end), busy, others))) for end in range(5)]
    assert counts == [0, 0, 1, 1, 1]


@pytest.mark.parametrize(("later", "number"), [(0, 1), (4, 2)])
def test_partitions_that_report_the_same_processors_are_one_finding(later: int, number: int) -> None:
    both = one_busy(range(2, 6)) + [r | {"system": "SYSB"} for r in one_busy(range(2 + later, 6 + later))]
    found = alone(both)
    assert len(found) == number
    assert ("I/O processor 01 of SYSA and SYSB is up to 90 % busy" in found[0].text) == (number == 1)
    assert {s.names for f in found for s in f.places} == {("SYSA",), ("SYSB",)}
