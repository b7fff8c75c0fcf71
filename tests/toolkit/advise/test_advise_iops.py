"""Busy I/O processors make pend, busy processors an interrupt that waits. More of it never weakens a finding."""

import random
from collections.abc import Container

import pytest
from advise_rows import Row, applied, at, database, volume
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


def test_a_busy_processor_without_a_queue_delays_nothing() -> None:
    rows = processors({n: [0.8, 0.9] for n in HOURS})
    (f,) = alone([r | {"queue_length": 0.04} for r in rows])
    assert f.severity == "note" and f.advice.startswith("Nothing now: no I/O waits for it") and "Hardly" in f.details
    (unknown,) = alone([r | {"queue_length": None} for r in rows])
    assert unknown.severity == "watch" and "Hardly" not in unknown.details


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


def interrupts(delays: list[float], system: str = "SYSA") -> list[Row]:
    """A volume whose interrupts wait, interval by interval."""
    return [volume(n, "VOL001", system=system, rate=50.0, interrupt_delay_ms=ms) for n, ms in enumerate(delays)]


def delayed(rows: list[Row], busy: float | None = None) -> list[Finding]:
    """With processors that busy at all times; with none recorded."""
    processors = [
        {"interval_start": at(n), "cpu": "00", "cpu_type": "CP", "busy_ratio": busy} for n in HOURS if busy is not None
    ]
    return applied(RULES["interrupt_delay"], {"volume_interval": rows, "cpu_interval": processors})


LATE_INTERRUPTS = [2.6 if n in LATE else 0.02 for n in HOURS]


@pytest.mark.parametrize(
    ("busy", "first"), [(0.99, "Give SYSA more"), (0.4, "See how many"), (None, "First see whether")]
)
def test_interrupts_that_wait_are_a_matter_of_processors(busy: float | None, first: str) -> None:
    (f,) = delayed(interrupts(LATE_INTERRUPTS) + interrupts([0.02] * 10, "SYSB"), busy)
    assert (f.severity, f.subject.names, f.advice.startswith(first)) == ("watch", ("SYSA",), True)
    assert (
        "In the best intervals they wait 0.02 ms. On other systems of the same volumes it is 0.02 ms then" in f.details
    )
    assert f.lost_s == pytest.approx(len(LATE) * 900 * 50 * 2.58e-3) and "aliases will not help" in f.advice


def test_another_system_shows_a_delay_that_never_ends_and_small_or_short_ones_are_nothing() -> None:
    always = interrupts([2.6] * 10)
    assert not delayed(always) and len(delayed(always + interrupts([0.02] * 10, "SYSB"))) == 1
    assert not delayed(interrupts([0.29 if n in LATE else 0.02 for n in HOURS]))
    counts = [len(delayed(interrupts(([0.02] * 4 + [0.7] * 6)[:end]))) for end in range(4, 11)]
    assert counts == [0, 0, 1, 1, 1, 1, 1]
