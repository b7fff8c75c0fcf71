"""What the picture of a curve says: where the wait is cleared, which counts are worth drawing, the finding in words."""

import json
import math
from dataclasses import replace

import pytest

from iosq.models.pav.answers import Interval
from iosq.toolkit.advise.finding import Aliases, Curve, Effect, Finding, Step
from iosq.toolkit.advise.subject import volume
from iosq.toolkit.advise.text import expectation, expected
from iosq.toolkit.report.charts.predicted_effect import from_findings
from iosq.toolkit.report.effect import (
    COLUMNS,
    MARKS,
    NOTHING,
    RESPONSE,
    WAIT,
    Stated,
    cleared,
    in_words,
    points,
    shown,
    stated,
)

# I/Os per s, enough that a tenth of the response decides whether a wait is clear, not half an I/O
MANY = 5e4


def step(count: int, wait: float, spread: float = 0.0, rate: float = MANY, service: float = 1.0) -> Step:
    low, high = wait * (1 - spread), wait * (1 + spread)
    return Step(
        count,
        Interval(wait, low, high),
        Interval(wait + service, low + service, high + service),
        Interval(rate, rate, rate),
    )


def curve(*waits: float, now: int = 1, spread: float = 0.0, **more: object) -> Curve:
    steps = tuple(step(now + n, wait, spread if n else 0.0) for n, wait in enumerate(waits))
    return replace(Curve("aliases", now, steps, "a model"), **more)  # type: ignore[arg-type]


def unlimited(*waits: float) -> Curve:
    """A pool that may never catch up, whatever the count: bounds without an upper end."""
    bounds = [Interval(math.inf, wait, math.inf) for wait in waits]
    return curve(
        *waits, identifiable=False,
        steps=tuple(
            Step(1 + n, b, Interval(math.inf, 1.0 + b.low, math.inf), Interval(MANY, MANY, MANY))
            for n, b in enumerate(bounds)
        ),
    )  # fmt: skip


HALVED = curve(*(8.0 / 4**n for n in range(12)), spread=0.5)


def test_the_wait_is_cleared_where_its_bounds_fall_below_a_tenth_of_the_response() -> None:
    # 8, 2, 0.5, 0.125, 0.031: the low bound is below a tenth at 0.125, the high one at 0.031
    clear = cleared(HALVED)
    assert clear.possible and clear.sure
    assert (clear.possible.count, clear.sure.count) == (4, 5)
    assert clear.chosen is clear.sure


def test_a_wait_that_is_only_cleared_on_average_is_not_sure_to_be() -> None:
    # 0.08 ms, between 0.04 and 0.12
    clear = cleared(curve(8.0, 0.08, 0.01, spread=0.5))
    assert clear.possible and clear.sure
    assert (clear.possible.count, clear.sure.count) == (2, 3)


def test_useless_counts_are_left_out() -> None:
    assert [s.count for s in shown(HALVED)] == [1, 2, 3, 4, 5, 6, 7]


def test_a_curve_that_never_clears_ends_where_the_gain_does() -> None:
    flat = curve(9.0, 5.0, 4.01, *[4.0] * 20)
    assert cleared(flat).chosen is None
    assert [s.count for s in shown(flat)] == [1, 2, 3, 4, 5]
    assert in_words(flat).startswith("No number of aliases clears the wait: 4 more aliases take the response at the ")


def test_a_short_curve_is_drawn_whole() -> None:
    assert shown(curve(5.0, 0.01)) == curve(5.0, 0.01).steps


@pytest.mark.parametrize(
    "drawn, words",
    [
        (HALVED, "4 more aliases take the response at the peak from 9 ms to 1.03 ms (1.02 to 1.05)"),
        (curve(5.0, 0.01), "1 more alias takes the response at the peak from 6 ms to 1.01 ms"),
        (
            curve(8.0, 0.15, 0.14, spread=0.5),
            "1 more alias may clear the wait and take the response at the peak from 9 ms to 1.15 ms (1.07 to 1.23)",
        ),
        (
            curve(5.0, 0.01, identifiable=False, counted="aliases in the pool"),
            "Only bounds are known: 1 more alias in the pool takes the response at the peak from 6 ms to between 1.01 "
            "and 1.01 ms",
        ),
        (
            curve(8.0, 6.0, 5.0, 5.0, spread=0.5, identifiable=False),
            "Only bounds are known, and no count is sure to clear the wait: 3 more aliases take the response at the "
            "peak from 9 ms to between 3.5 and 8.5 ms",
        ),
        (
            unlimited(8.0, 2.0, 0.0, 0.0),
            "Only bounds are known: 2 more aliases may clear the wait and take the response at the peak from today's "
            "to not less than 1 ms, with no limit above",
        ),
        (
            unlimited(0.05, 0.0),
            "Only bounds are known: 1 alias may be enough to clear the wait at the peak, or far too few; the response "
            "is not less than 1.05 ms, with no limit above",
        ),
        (curve(0.01, 0.0, 0.0, now=3), "Nothing to gain: with 3 aliases hardly anything waits at the peak"),
    ],
)
def test_the_title_says_what_the_picture_shows(drawn: Curve, words: str) -> None:
    assert in_words(drawn) == words


def test_a_gain_without_an_address_is_conditional() -> None:
    assert in_words(curve(8.0, 0.0, 0.0), Stated(fits=False)) == (
        "No address is left: 1 more alias would take the response at the peak from 9 ms to 1 ms"
    )


def test_a_rate_that_changes_is_stated() -> None:
    closed = curve(5.0, 0.01)
    faster = replace(closed, steps=(closed.steps[0], step(2, 0.01, rate=8e4)))
    assert in_words(faster).endswith(", and the rate from 50,000 to 80,000 I/Os per s")


def test_a_load_that_only_waits_elsewhere_does_not_gain() -> None:
    # the wait goes, the service time grows by as much: 9 ms whatever the count
    moved = [step(n, wait, service=9.0 - wait) for n, wait in enumerate((8.0, 4.0, 2.0, 0.0, 0.0))]
    words = in_words(replace(HALVED, now=0, steps=tuple(moved)))
    assert words == (
        "Aliases will not help: with 3 more aliases the response at the peak stays 9 ms, the wait only moves into the "
        "box"
    )
    faster = [step(n, 8.0 - n, rate=100.0 * (1 + n), service=1.0 + n) for n in range(5)]
    assert "will not help" not in in_words(replace(HALVED, now=0, steps=tuple(faster)))


@pytest.mark.parametrize("advised", [2, None])
def test_a_wait_that_is_short_relative_to_the_service_is_clear(advised: int | None) -> None:
    """0.15 ms of 2.95 ms: clearing it gains 5 % at most."""
    steps = tuple(step(1 + n, wait, service=2.8) for n, wait in enumerate((0.15, 0.06, 0.02, 0.01)))
    assert in_words(replace(HALVED, steps=steps), Stated(advised=advised)) == (
        "Nothing to gain: with 1 alias hardly anything waits at the peak"
    )


def test_a_count_that_is_advised_is_in_the_title_though_it_gains_nothing() -> None:
    moved = tuple(step(1 + n, wait, service=9.0 - wait) for n, wait in enumerate((8.0, 4.0, 0.0, 0.0, 0.0)))
    assert in_words(replace(HALVED, steps=moved), Stated(advised=3)) == (
        "2 more aliases clear the wait; no gain: the response at the peak stays 9 ms"
    )


def test_the_count_a_finding_advises_is_the_one_the_picture_is_about() -> None:
    given = Stated(advised=3)
    assert in_words(HALVED, given).startswith("2 more aliases take the response at the peak from 9 ms to 1.5 ms")
    assert _marked(HALVED, given) == [
        (1, MARKS[0], "left"), (3, MARKS[3], "left"), (4, MARKS[1], "left"), (5, MARKS[4], "right"),
    ]  # fmt: skip
    assert _marked(HALVED, Stated(advised=5)) == _marked(HALVED)
    assert shown(HALVED, 9)[-1].count == 11


def test_a_count_that_nothing_shows_is_not_called_now() -> None:
    unknown = replace(HALVED, is_now_known=False)
    assert _marked(unknown)[0] == (1, "if it has none", "left")
    assert "4 more aliases than none take the response" in in_words(unknown)


def test_what_is_not_advised_is_not_marked_so() -> None:
    given = Stated(advises=False)
    assert (5, MARKS[4], "right") in _marked(HALVED, given)
    assert in_words(HALVED, given).startswith(
        "Aliases will not help: with 4 more aliases the response at the peak goes"
    )


def test_bounds_without_an_end_can_be_drawn() -> None:
    drawn = [dict(zip(COLUMNS, p, strict=True)) for p in points(unlimited(8.0, 2.0, 0.0, 0.0), Stated(today=10.0))]
    json.dumps(drawn, allow_nan=False)
    # the highest end known is 9 ms, with the count there is
    assert {r["high"] for r in drawn} == {1.5 * 9.0}
    assert {r["limit"] for r in drawn} == {"no limit"}
    assert [r["ms"] for r in drawn if r["line"] == RESPONSE] == [10.0, None, None, None]


def test_between_bounds_there_is_no_line() -> None:
    drawn = [dict(zip(COLUMNS, p, strict=True)) for p in points(replace(HALVED, identifiable=False))]
    assert [(r["count"], r["ms"]) for r in drawn if r["ms"] is not None] == [(1, 9.0), (1, 8.0)]
    assert all(r["high"] > r["low"] for r in drawn if r["count"] > 1)


def about(effect: Effect | None = None, aliases: Aliases | None = None) -> Finding:
    return Finding("act", volume("A", "S"), "", "", (), "", 0.0, effect=effect, aliases=aliases)


def response(*ends: float, now: float = 2.85, unit: str = "ms", what: str = "response at the peak") -> Effect:
    return Effect(what, unit, now, *ends, "a model")


def test_a_finding_says_where_it_starts_and_what_it_advises() -> None:
    assert stated(about(response(1.0, 1.0, 1.0), Aliases("add", 1, 3, 5))) == Stated(2.85, 5)
    assert stated(about(response(1.0, 1.0, 1.0), Aliases("add", 1, 3, None))) == Stated(2.85, 3)
    assert stated(about(response(0.0, 0.0, 0.0, unit="I/Os"), Aliases("too_many", 9, 3, 3))) == Stated(advises=False)


@pytest.mark.parametrize(
    "effect, words",
    [
        (response(0.0, 0.0, 0.00371), "response at the peak: 2.85 ms now, then 0 ms; a model"),
        (response(0.0, 0.0, 0.2), "response at the peak: 2.85 ms now, then 0 ms (0 to 0.2); a model"),
        (response(1.0, 0.9, 1.2), "response at the peak: 2.85 ms now, then 1 ms (0.9 to 1.2); a model"),
        (response(0.0, 0.0, 0.0, now=0.0), "response at the peak: 0 ms, as now; a model"),
    ],
)
def test_next_to_nothing_is_called_nothing(effect: Effect, words: str) -> None:
    assert expected(effect) == words


def test_an_effect_that_changes_nothing_is_promised_by_notes_only() -> None:
    same, shorter = about(response(2.845, 2.7, 2.9)), about(response(2.6, 2.5, 2.9))
    assert (expectation(same), expectation(about())) == ("", "")
    assert "now, then 2.6 ms" in expectation(shorter) and "no gain" in expectation(replace(same, severity="note"))


def test_now_and_the_advised_count_are_marked_once_each() -> None:
    assert {row[1] for row in points(HALVED)} == {WAIT, RESPONSE}
    assert _marked(HALVED) == [(1, MARKS[0], "left"), (4, MARKS[1], "left"), (5, MARKS[2], "right")]
    assert _marked(curve(5.0, 0.01)) == [(1, MARKS[0], "left"), (2, MARKS[2], "right")]


def _marked(drawn: Curve, given: Stated = NOTHING) -> list[tuple[int, str, str]]:
    rows = [dict(zip(COLUMNS, p, strict=True)) for p in points(drawn, given)]
    return [(r["count"], r["mark"], r["side"]) for r in rows if r["mark"]]


def test_a_chart_of_findings_without_curves_has_no_rows() -> None:
    assert from_findings([]) == []
