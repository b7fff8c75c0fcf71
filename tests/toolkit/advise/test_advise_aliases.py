"""Aliases and their effect: against M/M/c, and the limits of what a box may do."""

import pytest

from iosq.models.pav.answers import is_clear
from iosq.models.queueing.stations import mmc_wait_ms
from iosq.toolkit.advise.aliases import Need, more, pool_need, volume_need
from iosq.toolkit.advise.finding import Known
from iosq.toolkit.predict.elasticity import elasticity_bounds
from iosq.toolkit.predict.open_load import BoxState, Load


def need_of(rate: float, ends: tuple[float, float] | None, in_box: float = 1000.0) -> Need:
    """Of a volume with two exposures and 2 ms of service, Poisson arrivals."""
    load = Load(rate, float(mmc_wait_ms(rate, 2.0, 2)), 2.0, 2)
    return volume_need(load, BoxState(in_box, 10, None, ends), Known())


def test_in_a_box_that_scales_poisson_arrivals_need_what_mmc_says() -> None:
    need = need_of(750.0, (1.0, 1.0))
    fewest = next(c for c in range(2, 20) if is_clear(mmc_wait_ms(750.0, 2.0, c), 2.0, 750.0))
    assert need.fewest == need.most == fewest - 1
    assert need.effect.value == pytest.approx(2.0 + mmc_wait_ms(750.0, 2.0, fewest), rel=1e-3)
    assert need.effect.identifiable


def test_in_a_full_box_clearing_the_wait_saves_next_to_nothing() -> None:
    scales, full = (need_of(950.0, (e, e), in_box=1.9).effect for e in (1.0, 0.0))
    assert scales.value < 0.5 * scales.now
    assert full.value > 0.85 * full.now


def test_an_unmeasured_box_gives_bounds_that_hold_both() -> None:
    unknown = need_of(950.0, None, in_box=4.0).effect
    ends = [need_of(950.0, (e, e), in_box=4.0).effect.value for e in (0.0, 1.0)]
    assert not unknown.identifiable
    assert "their number hardly varied, or only single volumes got slower" in unknown.basis
    assert unknown.low < unknown.high
    assert unknown.low <= min(ends) * 1.05 and unknown.high >= max(ends) * 0.9


def test_a_larger_pool_never_makes_its_volumes_wait_longer() -> None:
    loads = [Load(900.0, 1.5, 1.5)] * 4
    need = pool_need(loads, 4, BoxState(5.4, 4, None, (1.0, 1.0)), Known())
    assert need.fewest is not None and need.most is not None
    assert 4 < need.fewest <= need.most
    assert need.effect.high < need.effect.now


@pytest.mark.parametrize(("ends", "text"), [((0.3, 0.9), "3 (2 to 4) more aliases"), (None, "2 to 6 more aliases")])
def test_between_bounds_no_count_is_likelier(ends: tuple[float, float] | None, text: str) -> None:
    assert need_of(990.0, ends, in_box=4.0).columns(1)["count"] == text


def row(**more: float) -> dict[str, float]:
    base = {
        "points": 20,
        "in_service_max": 10.0,
        "in_service_min": 2.5,
        "elasticity_ratio": 0.5,
        "fit_ratio": 0.9,
        "spread_ratio": 0.6,
    }
    return base | more


def test_elasticity_has_bounds_and_needs_points_that_differ() -> None:
    low, high = elasticity_bounds(row()) or (0, 0)
    assert (low + high) / 2 == pytest.approx(0.5)
    assert high - low == pytest.approx(4 * 0.6 * (0.1 / 18) ** 0.5)
    assert elasticity_bounds(row(points=4)) is None
    assert elasticity_bounds(row(in_service_min=9.0)) is None
    assert elasticity_bounds(row(elasticity_ratio=1.4, fit_ratio=1.0)) == (1.0, 1.0)


def test_a_box_at_ease_is_reported_and_lies_between_the_bounds_of_an_unknown_one() -> None:
    load = Load(950.0, float(mmc_wait_ms(950.0, 2.0, 2)), 2.0, 2)
    eased = volume_need(load, BoxState(4.0, 10, None, (0.0, 0.1), 2.5), Known()).effect
    unknown = need_of(950.0, None, in_box=4.0).effect
    assert eased.identifiable and "had room" in eased.basis
    assert unknown.low * 0.95 <= eased.low <= eased.high <= unknown.high * 1.05


@pytest.mark.parametrize(
    ("fewest", "likely", "most", "text"),
    [
        (1, 1, None, "at least 1 more alias, 1 likely"),
        (5, 28, None, "at least 5 more aliases, 28 likely"),
        (1, None, None, "at least 1 more alias"),
        (2, 3, 3, "2 to 3 more aliases"),
        (3, 12, 31, "12 (3 to 31) more aliases"),
    ],
)
def test_a_likely_count_is_named_where_none_is_certain(
    fewest: int, likely: int | None, most: int | None, text: str
) -> None:
    assert more(fewest, likely, most, 0) == text
