"""Virtual tape server: stated ratios come out, and what was put in is not sold as a prediction."""

import pytest

from iosq.models import machine
from iosq.models.studies import vts


def test_every_prediction_meets_its_statement() -> None:
    for check in vts.checks():
        if check.predicted is not None and check.published is not None:
            assert check.predicted == pytest.approx(check.published, rel=0.01, abs=4.0), check.subject


def test_dual_copy_is_derived_and_pooling_is_not() -> None:
    roles = {c.subject: c.role for c in vts.checks()}
    assert next(role for s, role in roles.items() if "dual copy" in s) == "scored"
    assert {role for s, role in roles.items() if "pools lt" in s or "pools ge" in s} == {"calibration"}


def test_directions_hold_and_missing_ones_give_their_reason() -> None:
    checks = vts.checks()
    assert sum(c.role == "direction" for c in checks) == 6
    assert all(c.predicted == 1 for c in checks if c.role == "direction")
    assert all(c.note for c in checks if c.role == "unpredicted")


def test_unpublished_rates_are_marked_assumed() -> None:
    for name in ("vts-b10", "vts-b20"):
        box = machine.load(name)
        for rate in ("controller_bytes_rate", "drive_premigration_bytes_rate", "drawer_bytes_rate"):
            assert box.parameters[rate].how == "assumed"
