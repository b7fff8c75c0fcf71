"""Intervals from the spread of a machine file's numbers."""

import math
from dataclasses import replace

import numpy as np
import pytest

from iosq.models.machine import Machine, Parameter, load
from iosq.models.tape import TapeLoad
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import channel, dump, nvs, spread, tape


def machine(**spreads):
    units = {"rate": "per s", "share": "ratio", "paths": "count"}
    values = {"rate": 100.0, "share": 0.95, "paths": 4.0}
    numbers = {n: Parameter(v, units[n], "s", "measured", spreads.get(n)) for n, v in values.items()}
    return Machine("m", "m", "x", {**numbers, spread.MISFIT: Parameter(0.0, "ratio", "s", "measured")})


def test_numbers_move_by_their_spread_and_counts_do_not():
    drawn = machine(rate=0.1, share=0.2).drawn(2000, np.random.default_rng(0))
    rates = np.log([m.value("rate") for m in drawn])
    assert rates.std() == pytest.approx(0.1, rel=0.1)
    assert rates.mean() == pytest.approx(math.log(100), abs=0.01)
    assert {m.value("paths") for m in drawn} == {4.0}
    assert max(m.value("share") for m in drawn) <= 1


def test_the_interval_of_one_number_is_that_of_the_normal_distribution():
    asked = {"rate": 100.0}
    low, high = spread.ends(machine(rate=0.1), lambda m: {"rate": m.value("rate")}, asked)["rate"]
    assert (low, high) == pytest.approx((100 * math.exp(-0.1645), 100 * math.exp(0.1645)), rel=0.08)
    exact = spread.ends(machine(rate=0.0), lambda m: {"rate": m.value("rate")}, asked)["rate"]
    assert exact == pytest.approx((100.0, 100.0))


def test_a_stated_misfit_widens_the_interval_like_a_spread_of_the_answer():
    asked, exact = {"rate": 100.0}, machine(rate=0.0)
    missed = {**exact.parameters, spread.MISFIT: Parameter(0.1, "ratio", "s", "measured")}
    off = replace(exact, parameters=missed)
    low, high = spread.ends(off, lambda m: {"rate": m.value("rate")}, asked)["rate"]
    assert (low, high) == pytest.approx((100 * math.exp(-0.1645), 100 * math.exp(0.1645)), rel=0.08)
    assert "10.0 % that the model missed" in spread.basis(off)


def test_a_file_without_misfit_takes_that_of_all_models():
    numbers = {n: p for n, p in machine(rate=0.0).parameters.items() if n != spread.MISFIT}
    bare = replace(machine(rate=0.0), parameters=numbers)
    low, high = spread.ends(bare, lambda m: {"rate": m.value("rate")}, {"rate": 100.0})["rate"]
    wide = 1.645 * spread.POOLED
    assert (low, high) == pytest.approx((100 * math.exp(-wide), 100 * math.exp(wide)), rel=0.04)
    assert "models of other machines missed" in spread.basis(bare)


def test_machines_that_saturate_leave_the_upper_end_open():
    def refuses(m):
        if m.value("rate") > 100:
            raise RequestError("saturated")
        return {"wait": 1.0}

    assert spread.ends(machine(rate=0.1), refuses, {"wait": 1.0})["wait"] == (1.0, math.inf)


def test_every_answer_from_a_machine_file_has_an_interval():
    asked = {"block_bytes": [4096], "tasks": [3], "distance_km": [0.0], "read_ratio": 1.0, "volumes": 8}
    (link,) = channel.answer("ficon", **asked, exposures=1, channels=1).rows
    assert link["io_rate_low"] < 0.98 * link["io_rate"] < 1.02 * link["io_rate"] < 1.05 * link["io_rate_high"]
    (card,) = nvs.machine_answer(nvs.Burst(seconds=30, write_rate=700), machine="ibm3990-6").rows
    assert card["full_after_low_s"] < card["full_after_s"] < card["full_after_high_s"]
    (tapes,) = tape.answer(tape.Setting(), TapeLoad(jobs=32)).rows
    assert tapes["peak_bytes_rate_low"] < tapes["peak_bytes_rate"] < tapes["peak_bytes_rate_high"]
    (escon,) = tape.answer(tape.Setting(), TapeLoad(jobs=32, escon_count=4, ficon_count=0)).rows
    assert escon["peak_bytes_rate_low"] < 0.99 * escon["peak_bytes_rate"] < 0.99 * escon["peak_bytes_rate_high"]
    (dumped,) = dump.answer(4.5, machine="sadump-ess", volumes=1).rows
    again = load("sadump-ess").value("repeatability_ratio")
    assert dumped["dump_high_s"] > (1 + again) * dumped["dump_s"]


def test_how_channels_are_chosen_is_part_of_the_interval():
    """Two channels serve twice the work a little sooner, since an I/O may choose; how it does is not known."""
    asked = {"block_bytes": [4096], "distance_km": [0.0], "read_ratio": 1.0, "volumes": 16, "exposures": 1}
    one = channel.answer("se700", **asked, tasks=[3], channels=1).rows[0]
    two = channel.answer("se700", **asked, tasks=[6], channels=2).rows[0]
    assert 2 * one["io_rate"] < two["io_rate"] < 1.1 * 2 * one["io_rate"]
    width = [float(np.log(row["io_rate_high"] / row["io_rate_low"])) for row in (one, two)]
    assert width[1] > 1.3 * width[0]
