"""The study's data: counts and laws that do not depend on any model."""

import numpy as np
import pytest

from iosq.models.studies.zvm_pav import cells, configurations
from iosq.models.studies.zvm_pav.load import box_load, turnaround


def test_it_is_a_full_factorial():
    have = cells().conditions
    levels = {tuple(row) for row in zip(have.controller, have.read_ratio, have.workers, have.aliases, strict=True)}
    assert len(cells()) == len(levels) == 3 * 4 * 7 * 5


def test_the_defective_cells_are_those_that_break_littles_law():
    product = cells().rate * cells().response_ms / 1e3 / cells().conditions.workers
    suspicious = (product < 0.9) & (cells().response_ms > 1.1)
    assert set(np.flatnonzero(suspicious)) == set(np.flatnonzero(cells().defective))


def test_footprint_is_half_a_gigabyte_per_worker_level():
    assert configurations()["DS8100"].footprint_gb_per_worker == pytest.approx(0.4895, abs=1e-4)


def test_volumes_on_one_lss_have_one_cluster_of_cache():
    assert {box.controller: box.usable_cache_gb for box in configurations().values()} == {
        "ESS F20": 16,
        "DS8100": 16,
        "DS6800": 2,
    }


def test_what_the_box_sees():
    have = cells().conditions
    load = box_load(have, 8)
    at = np.flatnonzero((have.workers == 5) & (have.aliases == 2))
    assert load.in_box[at] == pytest.approx(24)
    assert load.queued[at].all() and load.aliased[at].all()
    single = np.flatnonzero(have.workers == 1)
    assert not load.queued[single].any() and not load.aliased[single].any()


def test_turnaround_is_a_small_part_of_a_request():
    known = turnaround(cells(), cells().conditions)
    assert 0 < known.min() < known.max() < 0.15
