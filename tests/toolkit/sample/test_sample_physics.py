"""Known answers of the queues, and laws that hold for the counters of any seed."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.toolkit.errors import RequestError
from iosq.toolkit.sample.day import Day, make_day
from iosq.toolkit.sample.physics import erlang_b, erlang_c
from iosq.toolkit.sample.sysplex import LARGEST_SCALE, sysplex

SEEDS = st.integers(0, 10_000)
FEW = settings(max_examples=4, deadline=None)


@given(st.floats(0.01, 0.98))
def test_one_server_waits_as_often_as_it_is_busy(load: float) -> None:
    assert erlang_c(np.array([1]), np.array([load]))[0] == pytest.approx(load)


@given(st.integers(1, 12), st.floats(0.05, 11))
def test_erlang_b_is_the_poisson_tail_formula(servers: int, load: float) -> None:
    terms = [load**k / math.factorial(k) for k in range(servers + 1)]
    assert erlang_b(np.array([servers]), np.array([load]))[0] == pytest.approx(terms[-1] / sum(terms))


def test_two_servers_known_answer() -> None:
    assert erlang_c(np.array([2]), np.array([1.0]))[0] == pytest.approx(1 / 3)


@given(SEEDS)
@FEW
def test_device_counters_obey_the_laws_of_a_volume(seed: int) -> None:
    day = make_day(seed)
    c, plex = day.devices, day.sysplex
    assert (c["ATV"] == c["PEN"] + c["DIS"] + c["CNN"]).all()
    assert (c["CMR"] + c["DVB"] <= c["PEN"]).all()
    assert (c["MEC"] <= c["SSC"]).all()
    assert c["MEC"].sum() > 0.999 * c["SSC"].sum()
    own = np.array([plex.lcus[v.lcu].pav in ("none", "static") for v in plex.volumes])
    capacity = day.state.demand.exposures[None, own, None] * plex.interval_s * 1000 / 0.128
    assert (c["ATV"][:, own] < 1.05 * capacity).all()
    assert (c["ALC"].max(axis=(1, 2)) <= [900, 1800]).all()


@given(SEEDS)
@FEW
def test_measured_and_sampled_queue_agree(seed: int) -> None:
    day = make_day(seed)
    queue = day.devices["IOS"][0] / 1e6 / day.sysplex.interval_s
    sampled = day.devices["QUE"][0] / 900
    busy = queue > 0.5
    assert busy.sum() > 30
    assert np.abs(sampled[busy] / queue[busy] - 1).max() < 0.45
    assert sampled[busy].sum() == pytest.approx(queue[busy].sum(), rel=0.03)


@given(SEEDS)
@FEW
def test_the_box_counts_every_systems_requests_once(seed: int) -> None:
    day = make_day(seed)
    c = day.cache
    requests = c["DRCR"] + c["DRSR"] + c["DWRC"] + c["DWSR"]
    assert (requests == day.devices["SSC"].sum(axis=0)).all()
    for hits, of in (("DCRH", "DRCR"), ("DRSH", "DRSR"), ("DWCH", "DWRC"), ("DWSH", "DWSR")):
        assert (c[hits] <= c[of]).all()
        assert (c[hits] >= 0).all()
    staged = requests - c["DCRH"] - c["DRSH"] - c["DWCH"] - c["DWSH"] - c["DFWB"]
    assert (staged >= 0).all()
    assert (c["DFWB"] <= c["DWRC"] + c["DWSR"]).all()
    assert (c["DFWC"] + c["DFWS"] == c["DWRC"] + c["DWSR"]).all()


def _destaged(day: Day, box: int) -> np.ndarray:
    members = [i for i, v in enumerate(day.sysplex.volumes) if v.box == box]
    return day.cache["DCTD"][members].sum(axis=0) / day.sysplex.interval_s


@given(SEEDS)
@FEW
def test_a_box_destages_no_faster_than_it_can(seed: int) -> None:
    day = make_day(seed)
    for number, box in enumerate(day.sysplex.boxes):
        assert (_destaged(day, number) <= box.destage_rate * 1.03).all()


@given(SEEDS)
@FEW
def test_alias_counters_fit_each_other(seed: int) -> None:
    day = make_day(seed)
    a, home = day.aliases, day.state.demand.aliases[None, :, None]
    assert (a["HNAI"] <= a["XANC"]).all()
    assert (a["XANC"] <= a["HTIO"]).all()
    assert (a["HAIU"] <= home).all()
    assert (a["HCAD"] <= a["HAIU"]).all()
    assert (a["HAIU"] == home)[a["HNAI"] > 0].all()
    assert (a["HIOQ"] > 0)[a["HNAI"] > 0].all()
    assert (a["XANC"] == a["XAUC"] + a["XNAG"]).all()
    assert a["XABC"].sum() == a["XALC"].sum() > 0
    members = [day.devices["SSC"][:, day.sysplex.members(i)].sum(axis=1) for i in range(len(day.sysplex.lcus))]
    assert (a["HTIO"] == np.stack(members, axis=1)).all()


def test_scale_multiplies_volumes_and_keeps_addresses_apart() -> None:
    plex = sysplex(LARGEST_SCALE)
    assert len(plex.volumes) == LARGEST_SCALE * len(sysplex(1).volumes)
    assert len({v.device for v in plex.volumes}) == len({v.volser for v in plex.volumes}) == len(plex.volumes)
    assert len({c.ssid for c in plex.lcus}) == len({c.number for c in plex.lcus}) == len(plex.lcus)


@pytest.mark.parametrize("scale", [0, LARGEST_SCALE + 1])
def test_scale_out_of_range_is_refused(scale: int) -> None:
    with pytest.raises(RequestError, match="scale"):
        sysplex(scale)
