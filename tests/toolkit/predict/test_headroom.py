"""What path and back end have left, from what is recorded of them."""

from typing import Any

import pytest

from iosq.toolkit.predict.elasticity import elasticity_scatter
from iosq.toolkit.predict.headroom import NOTHING, SHARED, headroom, longest, missing_records

LIMITS = SHARED.limits()
EASE: dict[str, Any] = {
    "service_ms": 1.4, "cmr_ms": 0.11, "start_delay_ms": 0.01, "disc_ms": 1.0, "miss_ms": 0.9, "copy_ms": None,
    "back_end_ms": 6.0, "back_end_best_ms": 5.8, "channel_used_ratio": 0.2,
}  # fmt: skip


def test_the_fullest_channel_says_how_far_it_goes() -> None:
    assert headroom([EASE], LIMITS) == pytest.approx(2.5)
    assert headroom([EASE | {"channel_used_ratio": 0.01}], LIMITS) == LIMITS["most_times"]
    assert headroom([EASE, EASE | {"channel_used_ratio": 0.25}], LIMITS) == pytest.approx(2.0)


@pytest.mark.parametrize(
    "short",
    [{"cmr_ms": 0.6}, {"start_delay_ms": 0.5}, {"miss_ms": 0.5}, {"back_end_ms": 9.0}, {"channel_used_ratio": 0.6},
     {"back_end_ms": 30.0, "back_end_best_ms": 30.0}],
)  # fmt: skip
def test_what_is_short_leaves_nothing(short: dict[str, Any]) -> None:
    assert headroom([EASE, EASE | short], LIMITS) is None


def test_what_is_not_recorded_claims_nothing_and_is_named() -> None:
    assert headroom([], LIMITS) is None
    assert headroom([EASE | {"channel_used_ratio": None}], LIMITS) is None
    assert missing_records([EASE, EASE | {"channel_used_ratio": None}]) == ["73"]
    assert missing_records([NOTHING]) == ["73", "74.1", "74.5"]
    assert missing_records([EASE]) == []


def test_a_site_sets_what_is_at_ease() -> None:
    own = SHARED.limits({"headroom": {"channel_full": 0.3, "most_times": 1.2}})
    assert headroom([EASE], own) == pytest.approx(1.2)
    assert headroom([EASE | {"channel_used_ratio": 0.35}], own) is None


def test_only_a_good_part_of_the_longest_queue_matters() -> None:
    rows = [EASE, EASE | {"cmr_ms": None}]
    assert longest(rows, [10.0, 0.5], LIMITS) == rows[:1]
    assert longest(rows, [10.0, 1.5], LIMITS) == rows
    assert longest([], [], LIMITS) == []


@pytest.mark.parametrize(("copy_ms", "times"), [(0.5, 2.0), (0.2, None), (None, None)])
def test_a_second_box_independent_of_load_leaves_twice_as_much_at_most(
    copy_ms: float | None, times: float | None
) -> None:
    mirrored = EASE | {"miss_ms": 0.5, "copy_ms": copy_ms}
    assert headroom([mirrored], LIMITS) == times
    assert headroom([mirrored | {"channel_used_ratio": 0.4}], LIMITS) == (times and pytest.approx(1.25))
    assert headroom([EASE | {"copy_ms": copy_ms}], LIMITS) == pytest.approx(2.5), "misses explain it anyway"


def test_a_curve_without_a_fit_explains_nothing() -> None:
    """Twice the scatter then, as of a fit of none; all of it explained leaves no doubt."""
    row: dict[str, Any] = {
        "elasticity_ratio": 0.5,
        "spread_ratio": 0.1,
        "points": 99,
        "in_service_max": 9.0,
        "in_service_min": 1.0,
    }
    bounds = [elasticity_scatter(row | {"fit_ratio": fit}) for fit in (None, 0.0, 0.75, 1.0)]
    assert bounds == [pytest.approx(b) for b in ((0.3, 0.7), (0.3, 0.7), (0.4, 0.6), (0.5, 0.5))]
