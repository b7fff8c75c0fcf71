"""A box known by its elasticity alone: the measured state comes back, and nothing is claimed beyond what was seen."""

import numpy as np
import pytest

from iosq.models.pav.answers import fullest_station
from iosq.models.pav.box import BoxLoad
from iosq.models.pav.power_curve import PowerCurve


def load(*in_box: float) -> BoxLoad:
    return BoxLoad.of(np.array(in_box), 0.5, 1.0, False, False)


def curve(low: float, high: float) -> PowerCurve:
    return PowerCurve("box", 1000.0, 8.0, (low, high), 20.0, "test")


@pytest.mark.parametrize(("low", "high", "times"), [(0.0, 0.0, 1.0), (1.0, 1.0, 2.0), (0.25, 0.75, 2**0.5)])
def test_the_rate_grows_with_the_elasticity_from_the_measured_state(low: float, high: float, times: float) -> None:
    assert curve(low, high).rate(load(8.0, 16.0)) == pytest.approx([1000.0, 1000.0 * times])


def test_nine_draws_in_ten_lie_between_the_ends() -> None:
    drawn = curve(0.3, 0.7).rates(load(16.0), np.random.default_rng(1), 4000)[:, 0]
    ends = 1000 * 2 ** np.array([0.3, 0.7])
    assert ((drawn > ends[0]) & (drawn < ends[1])).mean() == pytest.approx(0.9, abs=0.02)
    assert drawn.max() <= 2000


def test_nothing_is_predicted_beyond_what_the_box_has_held() -> None:
    assert curve(0, 1).reaches(load(8.0, 20.0, 24.9, 25.1)).tolist() == [True, True, True, False]
    unseen = PowerCurve("box", 1000.0, 8.0, (0.0, 1.0), 0.0, "test")
    assert unseen.reaches(load(8.0, 8.1)).tolist() == [True, False]


def test_it_names_no_station() -> None:
    assert fullest_station(curve(0, 1), load(8.0)) == "the stations of the box are not known"
