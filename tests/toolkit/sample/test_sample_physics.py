"""Known answers of the queues, and laws that hold for the counters of any seed."""

from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.toolkit.errors import RequestError
from iosq.toolkit.sample.counters import TRANSFER_UNIT_BYTES
from iosq.toolkit.sample.day import Day, make_day
from iosq.toolkit.sample.demand import over_days
from iosq.toolkit.sample.records.channel import _rows as channel_rows
from iosq.toolkit.sample.records.storage import _Box as Storage
from iosq.toolkit.sample.sysplex import LARGEST_SCALE, sysplex

SEEDS = st.integers(0, 10_000)
FEW = settings(max_examples=4, deadline=None)


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


@pytest.mark.parametrize("scale", [1, 8])
def test_no_channel_does_more_than_it_can(scale: int) -> None:
    day = make_day(1, scale)
    rows = [r for i in range(2, 96, 24) for r in channel_rows(day, 0, i)[0] if r["CMG"] == 2]
    seconds = day.sysplex.interval_s
    assert max(r["TUC"] / (r["MCU"] * seconds) for r in rows) <= 1
    assert max(r["TBC"] / (r["MBC"] * seconds) for r in rows) <= 1
    moved = [max(r["TRU"], r["TWU"]) * r["US"] * 8 / seconds for r in rows]
    assert max(moved) <= rows[0]["SPD"] * 1e8
    assert min(r["TUC"] for r in rows) > 0


@pytest.mark.parametrize("scale", [1, 8])
def test_whoever_uses_nearly_all_exposures_waits(scale: int) -> None:
    state = make_day(1, scale).state
    shared = np.array([state.sysplex.lcus[v.lcu].pav in ("hyper", "super") for v in state.sysplex.volumes])
    exposures = np.where(shared[None, :, None], 1 + state.alias_need, state.demand.exposures[None, :, None])
    full = state.rate * state.service_ms / 1000 > 0.95 * exposures
    assert full.any() == (scale == 8)
    assert (state.wait_ms[full] > 0.002).all()


def test_work_grows_from_day_to_day_and_rests_at_weekends() -> None:
    plex = sysplex(1, days=14)
    factor = over_days(plex).reshape(14, -1)[:, 0]
    assert factor[0] == 1, "the first day is the day of a sample of one day"
    weekend = [i for i in range(14) if (plex.date + timedelta(days=i)).weekday() >= 5]
    assert len(weekend) == 4
    working = [factor[i] for i in range(14) if i not in weekend]
    assert working == sorted(working)
    assert working[-1] > working[0]
    assert max(factor[weekend]) < 0.6 * max(working)


def test_the_first_of_many_days_is_the_day_alone_but_for_chance() -> None:
    one, many = make_day(1), make_day(1, days=3)
    assert many.state.rate.shape[2] == 3 * 96
    assert many.state.rate[:, :, :96].sum() == pytest.approx(one.state.rate.sum(), rel=0.02)
    hot = many.sysplex.volume("DB2003")
    peaks = [many.state.wait_ms[0, hot, 96 * d + 40] for d in range(3)]
    assert min(peaks) > 1, "troubles come back every day"


def test_a_later_day_has_the_same_volumes_grown_and_noise_of_its_own() -> None:
    first, later, many = make_day(1), make_day(1, first_day=2), make_day(1, days=3)
    assert later.sysplex.date - first.sysplex.date == timedelta(days=2)
    grown = over_days(many.sysplex)[-1]
    assert over_days(later.sysplex) == pytest.approx(grown)
    asked, more = (d.state.demand.rate.sum(axis=(0, 2)) for d in (first, later))
    work = np.corrcoef(asked, more)[0, 1]
    assert work > 0.98, "a volume that is busy on one day is busy on others"
    assert more.sum() / asked.sum() == pytest.approx(grown, rel=0.1)
    assert not np.array_equal(first.devices["SSC"], later.devices["SSC"])
    assert (make_day(1, first_day=2).devices["SSC"] == later.devices["SSC"]).all()


@pytest.mark.parametrize(("scale", "days"), [(1, 0), (1, 449), (28, 17)])
def test_more_days_than_there_is_room_for_are_refused(scale: int, days: int) -> None:
    with pytest.raises(RequestError, match="days are not between 1 and"):
        sysplex(scale, days=days)


@given(SEEDS)
@FEW
def test_synchronous_requests_end_in_one_way_each(seed: int) -> None:
    day = make_day(seed)
    c = day.devices
    able = np.array([day.sysplex.lcus[v.lcu].sync_ratio > 0 for v in day.sysplex.volumes])
    assert (c["SQR"][0, able].sum(axis=1) > 0).all()
    assert not c["SQR"][1].any(), "an older release does none"
    assert not c["SQR"][:, ~able].any()
    assert (c["SCMR"] <= 0.2 * np.maximum(c["SQR"], 20)).all()
    lost = sum(c[n] for n in ("SLBR", "SLBW", "STOR", "STOW", "SOR", "SOW"))
    assert 0.001 < lost.sum() / (c["SQR"] + c["SQW"]).sum() < 0.02


@pytest.mark.parametrize("scale", [1, 2, 8])
def test_no_link_of_a_box_moves_more_than_it_can(scale: int) -> None:
    """8 Gb/s are 800 MB in a second, each way; the boxes of a larger sysplex have more adapters."""
    day = make_day(1, scale)
    for box in {lcu.box for lcu in day.sysplex.lcus}:
        for interval in range(0, 96, 8):
            ways = [link.get(w, 0) for link in Storage(day, box).links(interval) for w in ("ERB", "EWB", "PSB")]
            assert 0 < max(ways) * TRANSFER_UNIT_BYTES < 8e8 * 900
