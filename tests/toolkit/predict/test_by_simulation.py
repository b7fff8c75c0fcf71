"""The event simulation with the closed form it checks."""

import pytest

from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import by_simulation
from iosq.toolkit.predict.pav_numbers import Numbers


def test_the_formula_lies_in_the_simulations_interval() -> None:
    rows = by_simulation.answer(Numbers(rate=300, service_ms=5), 3).rows
    assert [row["agrees"] for row in rows] == [None, True, True, True]
    assert rows[1]["wait_ms"] == pytest.approx(5 * 0.75**2 / (1 - 0.75**2), rel=0.1)
    assert rows[1]["wait_low_ms"] < rows[1]["wait_ms"] < rows[1]["wait_high_ms"]
    assert rows[0]["busy_percent"] == pytest.approx(150)


def test_a_wrong_formula_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = by_simulation.mmc
    monkeypatch.setattr(by_simulation, "mmc", lambda rate, service, servers: right(0.9 * rate, service, servers))
    assert not any(row["agrees"] for row in by_simulation.answer(Numbers(rate=300, service_ms=5), 1).rows)


@pytest.mark.parametrize(
    ("numbers", "place"),
    [
        (Numbers(rate=100), "--by-simulation"),
        (Numbers(rate=100, service_ms=5, pool=3), "--pool"),
        (Numbers(rate=100, service_ms=5, requesters=2), "--requesters"),
        (Numbers(rate=1000, service_ms=5), "--aliases"),
    ],
)
def test_what_it_cannot_check_is_refused(numbers: Numbers, place: str) -> None:
    with pytest.raises(RequestError, match=place):
        by_simulation.answer(numbers, 2)
