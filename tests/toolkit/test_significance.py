"""Student's t and false discovery rates against known answers."""

import math

import pytest

from iosq.toolkit.significance import false_discovery, incomplete_beta, t_quantile, two_sided_p


@pytest.mark.parametrize(("freedom", "t"), [(1, 12.706), (5, 2.571), (10, 2.228), (30, 2.042), (120, 1.980)])
def test_the_printed_table_of_t(freedom: int, t: float) -> None:
    assert two_sided_p(t, freedom) == pytest.approx(0.05, abs=5e-5)
    assert t_quantile(0.95, freedom) == pytest.approx(t, abs=5e-4)


def test_closed_forms() -> None:
    for t in (0.1, 1.0, 7.0, 500.0):
        assert two_sided_p(t, 1) == pytest.approx(1 - 2 / math.pi * math.atan(t))  # Cauchy
        assert two_sided_p(t, 2) == pytest.approx(1 - t / math.sqrt(2 + t * t), abs=1e-12)
    assert two_sided_p(0.0, 9) == pytest.approx(1)
    assert incomplete_beta(2, 3, 0.4) == pytest.approx(0.5248)
    assert incomplete_beta(2, 3, 0.4) + incomplete_beta(3, 2, 0.6) == pytest.approx(1)


def test_the_example_of_benjamini_and_hochberg() -> None:
    p = [
        0.0001,
        0.0004,
        0.0019,
        0.0095,
        0.0201,
        0.0278,
        0.0298,
        0.0344,
        0.0459,
        0.3240,
        0.4262,
        0.5719,
        0.6528,
        0.7590,
        1.0,
    ]
    assert sum(q <= 0.05 for q in false_discovery(p)) == 4  # their paper of 1995, section 3.2
    assert false_discovery(p[::-1])[::-1] == pytest.approx(false_discovery(p))
    assert false_discovery([]) == []
