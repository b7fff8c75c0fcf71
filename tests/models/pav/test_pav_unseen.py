"""An open load on a box that never saw the like: bounds with what to measure, never a machine file's curve."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.models.machine import load as load_machine
from iosq.models.pav.box import Seen
from iosq.models.pav.machine import box_from_machine
from iosq.models.pav.open_answers import what_if_open, what_if_pool
from iosq.models.pav.open_load import OpenVolumes

DS8100 = box_from_machine(load_machine("ds8100"))
COUNTS = range(5)


def waiting(read_ratio=0.5, footprint_gb=1.0, volumes=3):
    return OpenVolumes.of([180.0] * volumes, 4.0, 4.0, 1, read_ratio, footprint_gb)


def only(in_box=(1.0, 40.0), read_ratio=(0.0, 1.0), footprint_gb=(0.1, 10.0)):
    return replace(DS8100, seen=Seen(in_box, read_ratio, footprint_gb, (False, True)))


def asked(box, volumes):
    return what_if_open(box, volumes, COUNTS, np.random.default_rng(1))


@pytest.mark.parametrize(
    ("box", "volumes", "known"),
    [
        (only(read_ratio=(0.0, 0.66)), waiting(read_ratio=1.0), "100 % reads (it saw 0 to 66 %)"),
        (only(in_box=(0.1, 0.5)), waiting(), "about 2 I/Os in the box (it saw 0)"),
        (only(footprint_gb=(0.1, 2.0)), waiting(), "3 GB of data (it saw 2)"),
    ],
)
def test_what_the_machine_never_saw_has_bounds_only(box, volumes, known):
    what_if = asked(box, volumes)
    assert not what_if.identifiable
    assert known in what_if.settle
    for its, unknown_box in zip(what_if.predictions, asked(None, volumes).predictions, strict=True):
        assert its.response_ms.low <= unknown_box.response_ms.low
        assert its.response_ms.high >= unknown_box.response_ms.high


@settings(max_examples=10, deadline=None)
@given(st.floats(0.0, 1.0), st.floats(0.5, 60.0), st.floats(0.05, 12.0))
def test_a_machine_that_saw_less_is_never_surer(read_ratio, most_inside, footprint_gb):
    volumes, rng = waiting(read_ratio, footprint_gb, volumes=6), np.random.default_rng
    free, fenced = (
        what_if_pool(box, volumes, COUNTS, rng(1), current=0)
        for box in (replace(DS8100, seen=None), only((0.5, most_inside), (0.3, 0.7), (0.1, 2.0)))
    )
    for every, its in zip(free.predictions, fenced.predictions, strict=True):
        if its.identifiable:
            assert its == every
        else:
            width = its.response_ms.high - its.response_ms.low
            assert its.aliases == 0 or width >= 0.99 * (every.response_ms.high - every.response_ms.low)
    assert bool(fenced.settle) == (not fenced.identifiable)
