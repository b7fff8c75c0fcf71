"""What every study owes its reader."""

import pytest

from iosq.models.studies.catalog import Study, studies
from iosq.models.studies.check import Check


@pytest.mark.parametrize("found", studies().values(), ids=list(studies()))
def test_every_check_says_where_it_stands(found: Study) -> None:
    checks = found.checks()
    assert checks
    assert found.title
    for check in checks:
        assert check.study == found.name
        assert check.role in ("calibration", "scored", "direction", "unpredicted")
        assert check.subject
        assert check.unit
        assert (check.predicted is None) == (check.role == "unpredicted"), check
        assert check.note or check.role != "unpredicted", check
    assert len({(c.subject, c.unit) for c in checks}) > 0.9 * len(checks)


def test_errors() -> None:
    def check(predicted: float | None, published: float, role: str = "scored") -> Check:
        return Check("s", "x", "ms", predicted, published, role)

    assert check(11, 10).error_ratio == pytest.approx(0.1)
    assert check(None, 10).error_ratio is None
    assert check(1, 0).error_ratio is None


def test_the_public_channel_statements() -> None:
    checks = {c.subject: c for c in studies()["channels"].checks()}
    assert all(c.predicted == 1 for c in checks.values() if c.role == "direction")
    assert abs(checks["escon rate left at 20 km, roughly"].error_ratio or 1) < 0.12
    assert checks["ficon channel of ds8100, highest seen"].error_ratio == pytest.approx(6000 / 9130 - 1, abs=0.01)
