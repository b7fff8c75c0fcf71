"""Write ceilings: limits of both laws, and the NVS law against a simulation of the store it describes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.models.pav.ceiling import NvsLaw, law_from_two, power_ceiling, rewrites
from iosq.toolkit.errors import RequestError

MODEST = settings(max_examples=30, deadline=None)


def test_block_unit_has_a_closed_form():
    share = np.array([0.05, 0.3, 0.8])
    assert 1 + rewrites(share, 1) == pytest.approx(1 / (1 - share), rel=1e-6)


def test_endless_footprint_leaves_the_destage_rate():
    assert NvsLaw(0.3, 1000).ceiling(1e7) == pytest.approx(1000, rel=1e-3)
    assert power_ceiling(np.asarray(1000.0), np.asarray(1e-6), np.asarray(1.4)) == pytest.approx(1000, rel=1e-3)


def test_power_law_doubles_at_its_footprint():
    assert power_ceiling(np.asarray(500.0), np.asarray(1.0), np.asarray(2.7)) == pytest.approx(1000)


def simulated_rewrites(store_blocks, footprint_blocks, unit_blocks, rng):
    """Writes per destaged unit once a first-in-first-out store of blocks has filled."""
    queue, held, blocks, destaged, writes = [], {}, 0, 0, 0
    for step in range(120_000):
        block = int(rng.integers(footprint_blocks))
        unit = block // unit_blocks
        if unit not in held:
            held[unit] = set()
            queue.append(unit)
        if block not in held[unit]:
            held[unit].add(block)
            blocks += 1
        while blocks > store_blocks:
            blocks -= len(held.pop(queue.pop(0)))
            destaged += step > 40_000
        writes += step > 40_000
    return writes / destaged


@pytest.mark.parametrize("unit", [1, 12])
def test_law_agrees_with_a_simulated_store(unit):
    footprint, store = 12_000, 1_500
    simulated = simulated_rewrites(store, footprint, unit, np.random.default_rng(3))
    assert 1 + rewrites(store / footprint, unit) == pytest.approx(simulated, rel=0.02)


@MODEST
@given(st.floats(0.02, 0.4), st.floats(300, 2000), st.floats(0.5, 3), st.floats(1.5, 8))
def test_two_footprints_give_the_law_back(store, rate, footprint, apart):
    law = NvsLaw(store, rate)
    known = np.array([footprint, footprint * apart])
    found = law_from_two(known, law.ceiling(known))
    assert found.nvs_gb == pytest.approx(store, rel=1e-3)
    assert found.ceiling(footprint * 3) == pytest.approx(law.ceiling(footprint * 3), rel=1e-3)


@pytest.mark.parametrize(
    ("footprints", "ceilings", "name"),
    [([1, 1], [5, 4], "footprints_gb"), ([1, 2], [4, 5], "ceilings"), ([1, -2], [5, 4], "footprints_gb")],
)
def test_impossible_measurements_name_themselves(footprints, ceilings, name):
    with pytest.raises(RequestError, match=name):
        law_from_two(footprints, ceilings)
