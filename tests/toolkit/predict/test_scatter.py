"""Intervals of predictions are for measured means: spread of the model, and scatter around the curve of the box."""

import datetime as dt
import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from iosq.models.pav.answers import Interval
from iosq.models.studies.zvm_pav import cells
from iosq.toolkit.predict import headroom
from iosq.toolkit.predict.closed_load import Crowd
from iosq.toolkit.predict.elasticity import elasticity_scatter
from iosq.toolkit.predict.given import NOTHING
from iosq.toolkit.predict.measured import closed
from iosq.toolkit.predict.open_load import BoxState, Load, volume
from iosq.toolkit.predict.pav_box import NO_CURVE
from iosq.toolkit.predict.scatter import of_measured_mean, scatter_of

START = dt.datetime(2026, 3, 2)
FACTOR = 1.645 * math.sqrt(1 + 1 / 4)  # one interval before, four after


def test_scatter_alone_is_that_of_one_interval_and_of_an_hour() -> None:
    found = of_measured_mean(Interval(2.0, 2.0, 2.0), 0.05)
    assert (found.value, found.low, found.high) == (
        2.0,
        *(pytest.approx(2 * math.exp(s * 0.05 * FACTOR)) for s in (-1, 1)),
    )


def test_scatter_and_spread_add_as_squares() -> None:
    spread = 0.04 * FACTOR
    found = of_measured_mean(Interval(1.0, math.exp(-spread), math.exp(spread)), 0.03)
    assert math.log(found.high) == pytest.approx(0.05 * FACTOR) == -math.log(found.low)


@given(st.floats(0.01, 100), st.floats(0, 1), st.floats(0, 1), st.none() | st.floats(0, 1))
def test_an_interval_never_shrinks_and_is_never_empty(
    value: float, below: float, above: float, scatter: float | None
) -> None:
    """Unknown scatter is not 0."""
    plain = Interval(value, value * (1 - below), value * (1 + above))
    found = of_measured_mean(plain, scatter)
    assert 0 <= found.low <= plain.low * (1 + 1e-9) and plain.high <= found.high * (1 + 1e-9)
    assert found.low < value < found.high


def test_volumes_together_scatter_by_what_they_have_in_common_and_less_of_their_own() -> None:
    def of(count: int, single: float | None, common: float | None) -> float | None:
        row = {"io_rate": 50.0, "scatter_ratio": single, "box_scatter_ratio": common}
        return scatter_of([row] * count)

    assert of(1, 0.05, 0.03) == pytest.approx(0.05)
    assert of(4, 0.05, 0.03) == pytest.approx(math.hypot(0.03, 0.04 / 2))
    assert of(9, 0.05, 0.3) == pytest.approx(0.05), "where the mix of the box changes, that is not theirs"
    assert (of(4, 0.05, None), of(4, None, 0.03)) == (0.05, None)


def test_an_end_without_limit_stays() -> None:
    found = of_measured_mean(Interval(1.0, 0.0, math.inf), 0.1)
    assert (found.low, found.high) == (0.0, math.inf)


def test_open_loads_keep_todays_measurement_the_rate_and_the_wait() -> None:
    load = Load(400.0, 2.0, 2.0, 1.0)
    plain, wide = (volume(load, BoxState(4.0, 8, 0.7, (0.6, 0.8), None, s), NOTHING, range(4)) for s in (0.02, 0.2))
    assert wide.predictions[0] == plain.predictions[0]
    for one, other in zip(plain.predictions[1:], wide.predictions[1:], strict=True):
        assert (one.rate, one.wait_ms) == (other.rate, other.wait_ms)
        assert other.response_ms.low < one.response_ms.low and one.response_ms.high < other.response_ms.high
    assert (plain.fewest, plain.clears_wait, plain.most, plain.best) == (
        wide.fewest, wide.clears_wait, wide.most, wide.best
    )  # fmt: skip


def test_closed_loads_scatter_in_rate_and_response() -> None:
    curve = {"points": 40, "elasticity_ratio": 0.6, "fit_ratio": 0.9, "spread_ratio": 0.2}
    row = {**headroom.NOTHING, **NO_CURVE, **curve, "in_service_min": 1.0, "in_service_max": 20.0, "box": "the box"}
    row |= {"volume": "VOL000", "io_rate": 500.0, "in_service": 1.0, "queue_length": 3.0, "exposures": 1.0}
    row |= {"wait_ms": 6.0, "service_ms": 2.0, "own_read_ratio": 0.7, "interval_start": START}
    (plain, _), (wide, _) = (
        closed(Crowd([row | {"scatter_ratio": scatter}], [True]), range(4), NOTHING) for scatter in (0.02, 0.2)
    )
    assert wide.predictions[0] == plain.predictions[0]
    for one, other in zip(plain.predictions[1:], wide.predictions[1:], strict=True):
        assert other.rate.low < one.rate.low < one.rate.high < other.rate.high
        assert other.response_ms.high > one.response_ms.high
    assert wide.best == plain.best


@pytest.mark.parametrize("box", ["DS6800", "ESS F20"])
def test_scatter_around_the_curve_is_the_misfit_at_cells_that_the_curve_has_not_seen(box: str) -> None:
    """The study of PAV on z/VM: nine of ten steps between alias counts are inside."""
    inside = list(_left_out(box))
    assert 0.85 <= np.mean(inside) <= 0.95


def _left_out(box: str) -> Iterator[bool]:
    """Each group of a read mix and a number of workers in turn, predicted by the curve of the others."""
    every, known = cells(), cells().conditions
    at = np.flatnonzero(~every.defective & (known.controller == box))
    busy = np.log(np.minimum(known.population, known.aliases + 1))
    groups = {(known.read_ratio[i], known.workers[i]): [] for i in at}
    for i in at:
        groups[known.read_ratio[i], known.workers[i]].append(i)
    for left, own in groups.items():
        others = [np.array(group) for name, group in groups.items() if name != left]
        row, scatter = _curve([busy[g] for g in others], [(busy - np.log(every.rate))[g] for g in others])
        bounds = elasticity_scatter(row)
        assert bounds is not None
        for one in own:
            for other in own:
                step = busy[other] - busy[one]
                if step > 0.01:
                    low, high = np.exp(step * np.array(bounds))
                    found = of_measured_mean(Interval(float(np.sqrt(low * high)), float(low), float(high)), scatter)
                    yield found.low <= every.rate[other] / every.rate[one] <= found.high


def _curve(inside: list[np.ndarray], service: list[np.ndarray]) -> tuple[dict[str, float], float]:
    """As view box_curve has it: three of four groups scatter less."""
    fuller, slower = (np.concatenate([part - part.mean() for part in parts]) for parts in (inside, service))
    sums = (fuller**2).sum(), (fuller * slower).sum(), (slower**2).sum()
    row = {
        "points": len(fuller),
        "in_service_min": 1.0,
        "in_service_max": 8.0,
        "elasticity_ratio": 1 - sums[1] / sums[0],
    }
    row |= {"fit_ratio": sums[1] ** 2 / sums[0] / sums[2], "spread_ratio": math.sqrt(sums[2] / sums[0])}
    slope = sums[1] / sums[0]
    off = [(s - s.mean()) - slope * (n - n.mean()) for n, s in zip(inside, service, strict=True) if len(n) > 1]
    return row, float(np.quantile([math.sqrt((part**2).sum() / (len(part) - 1)) for part in off], 0.75))
