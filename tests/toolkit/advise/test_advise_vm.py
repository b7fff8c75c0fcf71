"""Made-up z/VM systems, read from their listing or monitor file: what is planted is found, and nothing else."""

from pathlib import Path

import numpy as np
import pytest

from tests.scoring.trial import Planted, judged
from tests.scoring.troubles import Kind
from tests.scoring.vm_site import VmSite
from tests.scoring.vm_trial import found, tried
from tests.scoring.vm_troubles import LISTED, MONITORED

TROUBLES = [k for k in LISTED if k.expects]
POOLED = [k for k in MONITORED if k not in LISTED]


def shift(*, is_monitor: bool) -> VmSite:
    """Nine to noon."""
    return VmSite(600, 18, np.random.default_rng(1), is_monitor, first_hour=9)


@pytest.mark.parametrize(
    ("kind", "is_monitor"),
    [*((k, False) for k in TROUBLES), *((k, True) for k in POOLED)],
    ids=lambda given: getattr(given, "name", ""),
)
def test_what_is_planted_is_found_and_nothing_else(kind: Kind, is_monitor: bool, tmp_path: Path) -> None:
    site = shift(is_monitor=is_monitor)
    planted = Planted(kind, kind.plant(site, (site.hours >= 10) & (site.hours < 11.5)))
    outcome = judged(1, "0.125", [planted], found(site, tmp_path))
    assert outcome.called == [(kind.name, "with its records", True)] and outcome.remarks == []


def test_what_only_looks_like_trouble_is_none(tmp_path: Path) -> None:
    """All of it at once."""
    site = shift(is_monitor=False)
    for kind in (k for k in LISTED if not k.expects):
        kind.plant(site, (site.hours >= 10) & (site.hours < 11.5))
    assert [f.text for f in found(site, tmp_path) if f.severity != "note"] == []


def test_a_random_system_is_judged() -> None:
    """A path to a part of the volumes of a monitor file that is a day long."""
    outcome = tried(7)
    assert outcome.called == [("slow_path", "with its records", True)] and outcome.remarks == []
