"""Made-up z/VM systems, read from their listing or monitor file: what is planted is found, and nothing else."""

from pathlib import Path

import numpy as np
import pytest

from tests.scoring import vm_trial
from tests.scoring.vm_site import VmSite
from tests.scoring.vm_troubles import LISTED, MONITORED


# a link, a path (monitor, listing), a dry pool, one volume alone, minidisk cache, a paging volume with a throttle
@pytest.mark.parametrize("seed", [4, 7, 13, 20, 25, 51, 139])
def test_what_is_planted_is_found_and_nothing_else(seed: int) -> None:
    outcome = vm_trial.tried(seed)
    assert outcome.called and all(is_found for *_, is_found in outcome.called) and outcome.remarks == []


def test_what_only_looks_like_trouble_is_none(tmp_path: Path) -> None:
    """All of it at once."""
    site = VmSite(600, 18, np.random.default_rng(1), is_monitor=False, first_hour=9)
    for kind in (k for k in LISTED if not k.expects):
        kind.plant(site, (site.hours >= 10) & (site.hours < 11.5))
    assert [f.text for f in vm_trial.found(site, tmp_path) if f.severity != "note"] == []


def test_kinds_are_of_both_sources() -> None:
    assert {k.name for k in MONITORED} - {k.name for k in LISTED} == {"pool_dry", "aliases_lost"}
