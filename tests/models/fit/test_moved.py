"""A known box meets one measured rate: it moves there as far as it must, and forgets nothing else."""

from dataclasses import replace

import numpy as np
import pytest

from iosq.models.fit.moved import moved
from iosq.models.machine import load
from iosq.models.pav.box import Box, BoxLoad, Seen, parameter_table
from iosq.models.pav.machine import box_from_machine
from iosq.models.pav.residual import Kernel, Left

MEDIANS = {name: row.median for name, row in parameter_table().items() if row.when == "always"}
NOW = BoxLoad.of([8.0], [0.5], [1.0], False, True)
WIDE = BoxLoad.of([8.0, 40.0], [0.4, 0.9], [1.0, 5.0], True, True)


def box(spread=0.2):
    return Box("x", MEDIANS, spreads=dict.fromkeys(MEDIANS, spread), misfit=0.01, seen=Seen.of(WIDE))


def after(known, factor, least=0.05):
    rate = factor * float(known.rate(NOW)[0])
    return moved(known, NOW, rate, least, np.random.default_rng(1)), rate


@pytest.mark.parametrize("factor", [0.7, 1.0, 1.3])
def test_it_gives_the_measured_rate(factor):
    there, rate = after(box(), factor)
    assert float(there.rate(NOW)[0]) == pytest.approx(rate, rel=0.04)
    low, high = np.quantile(there.rates(NOW, np.random.default_rng(0), 400), [0.05, 0.95])
    assert low < rate < high


def test_what_the_curve_left_out_at_states_of_another_box_is_not_taken_along():
    short = replace(box(), left=Left(WIDE, np.log([1.1, 0.9]), Kernel(0.3, 1.0)))
    there, rate = after(short, 1.0)
    assert float(there.rate(NOW)[0]) == pytest.approx(rate, rel=0.04)
    plain = replace(short, left=None)
    again = moved(plain, NOW, rate, 0.05, np.random.default_rng(1))
    assert there.rate(WIDE) == pytest.approx(again.rate(WIDE))


def test_what_was_seen_stays_seen_and_the_measured_mix_with_it():
    there, _ = after(replace(box(), seen=Seen.of(BoxLoad.of([8.0, 40.0], [0.9, 1.0], [1.0, 5.0], True, True))), 1.1)
    assert there.seen is not None
    assert (there.seen.read_ratio, there.seen.in_box, there.seen.aliased) == ((0.5, 1.0), (8, 40), (False, True))
    assert not there.reaches(BoxLoad.of([80.0], [0.5], [1.0], True, True))[0]


def test_a_box_that_is_well_known_moves_less_elsewhere():
    firm, loose = (after(box(spread), 0.8, least=0.01)[0] for spread in (0.02, 0.5))
    far = BoxLoad.of([8.0], [1.0], [0.5], True, False)
    start = float(box().rate(far)[0])
    assert abs(np.log(float(firm.rate(far)[0]) / start)) < abs(np.log(float(loose.rate(far)[0]) / start))


def test_parameter_sets_of_the_file_are_moved_too():
    known, _ = after(box(), 1.0)
    again, rate = after(known, 0.8)
    assert len(again.draws["write_ms"]) == len(known.draws["write_ms"])
    assert float(again.rate(NOW)[0]) == pytest.approx(rate, rel=0.05)


def test_it_does_not_become_another_box():
    """Twenty times the rate is not a box of this type, whatever was measured."""
    there, rate = after(box(0.05), 20.0)
    assert float(there.rate(NOW)[0]) < rate / 5


def test_the_answer_hangs_little_on_the_draw():
    """Counts within 2 % of the best are compared: from draw to draw a rate moves by a tenth of that."""
    known = box_from_machine(load("ds8100"))
    more = BoxLoad.of([16.0, 24.0, 40.0], [0.5], [1.0], True, True)
    rate = 1.1 * float(known.rate(NOW)[0])
    rates = [moved(known, NOW, rate, 0.05, np.random.default_rng(seed)).rate(more) for seed in range(8)]
    assert (np.std(rates, axis=0) / np.mean(rates, axis=0)).max() < 0.0035


@pytest.mark.parametrize("machine", ["ess-f20", "ds8100", "ds6800"])
@pytest.mark.parametrize("factor", [0.83, 1.2])
def test_a_rate_without_aliases_does_not_show_that_they_slow_a_box_down(machine, factor):
    """It shows how fast the box is: where the type loses nothing by the first alias, neither does this one."""
    known = box_from_machine(load(machine))
    for reads in (0.0, 0.33, 0.66, 1.0):
        states = BoxLoad.of([8.0, 16.0, 40.0], reads, 2.4, [0.0, 1.0, 1.0], [1.0, 1.0, 0.0])
        before = known.rate(states)
        there = moved(known, states.pick([0]), factor * float(before[0]), 0.05, np.random.default_rng(1))
        after = there.rate(states)
        assert (before[1:] >= 0.99 * before[0]).all()
        assert (after[1:] >= 0.98 * after[0]).all()
