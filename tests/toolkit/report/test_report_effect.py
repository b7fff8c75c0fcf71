"""What the picture of a curve says: where the wait is cleared, which counts are worth drawing, the finding in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from iosq.toolkit.advise.finding import Curve, Span, Step
from iosq.toolkit.report.charts.predicted_effect import CHART
from iosq.toolkit.report.effect import COLUMNS, MARKS, RESPONSE, WAIT, cleared, in_words, points, shown


def step(count: int, wait: float, spread: float = 0.0, rate: float = 500.0, service: float = 1.0) -> Step:
    low, high = wait * (1 - spread), wait * (1 + spread)
    return Step(
        count, Span(wait, low, high), Span(wait + service, low + service, high + service), Span(rate, rate, rate)
    )


def curve(*waits: float, now: int = 1, spread: float = 0.0, **more: object) -> Curve:
    steps = tuple(step(now + n, wait, spread if n else 0.0) for n, wait in enumerate(waits))
    return replace(Curve("aliases", now, steps, "a model"), **more)  # type: ignore[arg-type]


HALVED = curve(*(8.0 / 4**n for n in range(12)), spread=0.5)


def test_the_wait_is_cleared_where_its_bounds_fall_below_a_tenth_of_a_millisecond() -> None:
    # 8, 2, 0.5, 0.125, 0.031: the low bound is below 0.1 at 0.125, the high one at 0.031
    clear = cleared(HALVED)
    assert clear.possible and clear.sure
    assert (clear.possible.count, clear.sure.count) == (4, 5)
    assert clear.chosen is clear.sure


def test_a_wait_that_is_only_cleared_on_average_is_not_sure_to_be() -> None:
    # 0.08 ms, between 0.04 and 0.12
    clear = cleared(curve(8.0, 0.08, 0.01, spread=0.5))
    assert clear.possible and clear.sure
    assert (clear.possible.count, clear.sure.count) == (2, 3)


def test_counts_nobody_would_choose_are_left_out() -> None:
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
        (HALVED, "4 more aliases take the response at the peak from 9 to 1.03 ms (1.02 to 1.05)"),
        (curve(5.0, 0.01), "1 more alias takes the response at the peak from 6 to 1.01 ms (1.01 to 1.01)"),
        (
            curve(8.0, 0.15, 0.14, spread=0.5),
            "1 more alias may clear the wait and take the response at the peak from 9 to 1.15 ms (1.07 to 1.23)",
        ),
        (
            curve(5.0, 0.01, identifiable=False, counted="aliases in the pool"),
            "Not identifiable, only bounds: 1 more alias in the pool takes the response at the peak from 6 to between "
            "1.01 and 1.01 ms",
        ),
        (curve(0.01, 0.0, 0.0, now=3), "Nothing to gain: 3 aliases leave no wait at the peak"),
    ],
)
def test_the_title_says_what_the_picture_shows(drawn: Curve, words: str) -> None:
    assert in_words(drawn) == words


def test_a_rate_that_changes_is_said() -> None:
    closed = curve(5.0, 0.01)
    faster = replace(closed, steps=(closed.steps[0], step(2, 0.01, rate=800.0)))
    assert in_words(faster).endswith(", and the rate from 500 to 800 I/Os per s")


def test_now_and_the_advised_count_are_marked_once_each() -> None:
    assert {row[1] for row in points(HALVED)} == {WAIT, RESPONSE}
    assert _marked(HALVED) == [(1, MARKS[0], "left"), (4, MARKS[1], "left"), (5, MARKS[2], "right")]
    assert _marked(curve(5.0, 0.01)) == [(1, MARKS[0], "left"), (2, MARKS[2], "right")]


def _marked(drawn: Curve) -> list[tuple[int, str, str]]:
    rows = [dict(zip(COLUMNS, p, strict=True)) for p in points(drawn)]
    return [(r["count"], r["mark"], r["side"]) for r in rows if r["mark"]]


def test_a_chart_of_findings_without_curves_has_no_rows() -> None:
    assert CHART.found is not None
    assert CHART.found([]) == []
