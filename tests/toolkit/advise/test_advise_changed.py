"""A volume that got exposures since it waited (open load): what was measured with them counts."""

from __future__ import annotations

import pytest
from advise_rows import Row, applied, database, volume

from iosq.toolkit.advise import changed
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.predict import pav_lake
from iosq.toolkit.predict.pav_box import Asked

RULE = next(r for r in all_rules() if r.code == "pav_add_alias")


def waiting(intervals: range, exposures: float, wait: float = 10.0, rate: float = 300.0) -> list[Row]:
    return [volume(n, rate=rate, wait=wait, conn=1.8, exposures=exposures) for n in intervals]


def said(*parts: list[Row]) -> Finding:
    seen = [row for part in parts for row in part]
    worst = max(seen, key=lambda r: r["queue_length"])
    candidate = {
        "volume": "VOL001", "lcu": "0010", "verdict": "add", "exposures": worst["exposures"],
        "peak_start": worst["interval_start"], "is_hyperpav": False, "wait_share_ratio": 0.5, "io_rate": 200.0,
        "wait_ms": 5.0, "response_ms": 7.0,
    }  # fmt: skip
    (finding,) = applied(RULE, {"volume_interval": seen, "pav_candidate": [candidate]})
    return finding


BEFORE = waiting(range(4), 1.0)


def test_a_wait_that_ended_with_the_exposures_it_got_asks_for_nothing() -> None:
    finding = said(BEFORE, waiting(range(4, 8), 3.0, wait=0.0))
    assert (finding.severity, finding.aliases) == ("note", None)
    assert "had a queue of 3 I/Os on SYSA for its 1 exposure" in finding.text
    assert "it has 3 exposures, as many I/Os came, and they no longer wait" in finding.text


@pytest.mark.parametrize(
    ("since", "verdict"),
    [
        (waiting(range(4, 8), 3.0, wait=0.0, rate=9.0), "cant_tell"),  # no such work came
        (waiting(range(4, 8), 3.0, wait=5.0), "add"),  # it waits still
        (waiting(range(4, 8), 1.0, wait=0.0), "add"),  # nothing was changed
        ([*waiting(range(-4, 0), 3.0, wait=0.0, rate=9.0), *waiting(range(4, 8), 3.0, wait=0.0, rate=9.0)], "add"),
    ],
    ids=["unseen", "waits", "unchanged", "come and go"],
)
def test_anything_less_leaves_the_wait_to_be_told(since: list[Row], verdict: str) -> None:
    finding = said(BEFORE, since)
    assert finding.aliases is not None and finding.aliases.verdict == verdict
    assert finding.severity == ("act" if verdict == "add" else "watch")


def test_what_waits_still_is_asked_about_with_the_exposures_there_are_now() -> None:
    before, since = said(BEFORE), said(BEFORE, waiting(range(4, 8), 2.0, wait=5.0))
    assert before.aliases and since.aliases and since.aliases.fewest
    assert (before.aliases.now, since.aliases.now) == (0, 1)
    assert since.aliases.fewest > 1
    assert "(now 0)" in before.advice
    assert "(now 1)" in since.advice
    assert {n.name: n.value for n in since.numbers}["exposures, the base included"] == 2
    assert "5.0 ms per I/O at the peak" in since.text


NOW = waiting(range(4, 8), 1.0)


@pytest.mark.parametrize(
    ("tried", "most"),
    [
        (waiting(range(-4, 0), 2.0, wait=0.0), 1),
        (waiting(range(-4, 0), 4.0, wait=0.0, rate=450.0), 3),
        (waiting(range(-8, -4), 4.0, wait=0.0) + waiting(range(-4, 0), 3.0, wait=0.0, rate=450.0), 2),
        (waiting(range(-4, 0), 2.0, wait=0.0, rate=150.0), None),  # less came
        (waiting(range(-4, 0), 2.0, wait=4.0), None),  # it waited with them
        ([row | {"interval_s": 60.0} for row in waiting(range(-4, 0), 2.0, wait=0.0)], None),  # too short a time
        ([row | {"conn_ms": 0.2, "service_ms": 0.9} for row in waiting(range(-4, 0), 1.0, wait=0.0)], None),
    ],
    ids=["as much", "more", "fewest", "less work", "waits", "short", "same count"],
)
def test_exposures_taken_away_that_were_enough_are_what_it_needs(tried: list[Row], most: int | None) -> None:
    finding = said(tried, NOW)
    assert finding.aliases
    if most is None:
        assert "as was measured" not in finding.advice
        return
    assert (finding.aliases.most, finding.aliases.likely) == (most, most)
    assert f"Give it {most} more" in finding.advice or f"to {most} more" in finding.advice
    assert (
        f"with {most} as many I/Os did not wait, as was measured. It had them until 10:00 on 2026-03-02"
        in finding.advice
    )
    assert finding.effect is not None and finding.effect.value == pytest.approx(2.5)


def test_the_what_if_says_of_exposures_taken_away_what_advice_says() -> None:
    seen = [*waiting(range(-4, 0), 3.0, wait=0.0, rate=450.0), *NOW]
    finding = said(seen)
    answer = pav_lake.volume_answer(database(volume_interval=seen), "VOL001", "SYSA", Asked())
    assert finding.curve is not None
    rows = {row["aliases"]: row for row in answer.rows}
    for step in finding.curve.steps:
        if step.count in rows:
            assert rows[step.count]["response_high_ms"] == pytest.approx(step.response_ms.high)
            assert rows[step.count]["io_rate"] == pytest.approx(step.io_rate.value) == pytest.approx(300)
    assert rows[2]["measured"] and rows[2]["clears_wait"]


def test_a_volume_of_unknown_exposures_is_taken_to_have_its_base_only() -> None:
    """With two there was no gain; whether the one that waits has two is not known."""
    tried = {
        "since_exposures": 2.0, "is_new": True, "before_exposures": 1.0, "before_outstanding": 4.0, "in_service": 1.0,
        "queue_length": 3.0, "since_rate": 100.0, "before_rate": 100.0,
    }  # fmt: skip
    assert changed.is_in_vain(tried | {"exposures": 2.0}, 1.05)
    assert not changed.is_in_vain(tried | {"exposures": None}, 1.05)
