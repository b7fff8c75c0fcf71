"""Each planted trouble shows in the counters, there and then; the rest of the sysplex is quiet."""

import json
from pathlib import Path

import numpy as np
import pytest

from iosq.toolkit.errors import RequestError
from iosq.toolkit.sample import write
from iosq.toolkit.sample.day import Day, make_day
from iosq.toolkit.sample.planting import Planted, scenarios
from iosq.toolkit.sample.sysplex import SAMPLE
from tests.days import CLINIC, WEEK

SEEDS = (1, 2, 77)


@pytest.fixture(scope="module", params=SEEDS)
def day(request: pytest.FixtureRequest) -> Day:
    return make_day(request.param)


def planted(name: str) -> Planted:
    return next(scenarios(plan)[name] for plan in (SAMPLE, CLINIC, WEEK) if name in scenarios(plan)).planted[0]


def span(day: Day, name: str) -> list[int]:
    return list(planted(name).intervals(day.sysplex))


def rest(day: Day, name: str) -> list[int]:
    inside = set(span(day, name))
    ramp = {i + d for i in inside for d in (-2, -1, 1, 2)}
    return [i for i in range(day.sysplex.intervals) if i not in inside | ramp]


def iosq_ms(day: Day) -> np.ndarray:
    c = day.devices
    return c["IOS"] / np.maximum(c["SSC"], 1) / 1000


def disc_ms(day: Day) -> np.ndarray:
    c = day.devices
    return c["DIS"] * 0.128 / np.maximum(c["MEC"], 1)


def service_ms(day: Day) -> np.ndarray:
    c = day.devices
    return c["ATV"] * 0.128 / np.maximum(c["MEC"], 1)


def test_hot_volume_queues_for_its_exposures_at_the_peak(day: Day) -> None:
    volume = day.sysplex.volume(planted("hot_volume").subject)
    wait, service = iosq_ms(day)[0, volume], service_ms(day)[0, volume]
    assert (wait[span(day, "hot_volume")] > service[span(day, "hot_volume")]).all()
    assert (wait[rest(day, "hot_volume")] < 0.1 * service[rest(day, "hot_volume")]).all()
    assert day.state.demand.exposures[volume] == 2


def test_volumes_without_a_part_in_it_do_not_wait(day: Day) -> None:
    dry = set(day.sysplex.members(day.sysplex.lcu(planted("alias_pool_dry").subject)))
    hot = {day.sysplex.volume(planted("hot_volume").subject)}
    quiet = [i for i in range(len(day.sysplex.volumes)) if i not in dry | hot]
    assert iosq_ms(day)[:, quiet].max() < 0.4


def test_alias_pool_runs_dry_in_the_window_only(day: Day) -> None:
    lcu = day.sysplex.lcu(planted("alias_pool_dry").subject)
    denied = day.aliases["HNAI"][0, lcu] / day.aliases["HTIO"][0, lcu]
    assert (denied[span(day, "alias_pool_dry")] > 0.05).all()
    assert (denied[rest(day, "alias_pool_dry")] < 0.001).all()
    others = [i for i in range(len(day.sysplex.lcus)) if i != lcu]
    assert day.aliases["HNAI"][:, others].sum() < 1e-4 * day.aliases["HTIO"][:, others].sum()
    members = day.sysplex.members(lcu)
    assert iosq_ms(day)[0][members][:, span(day, "alias_pool_dry")].mean() > 1


def test_nvs_delays_only_on_the_troubled_box_in_the_evening(day: Day) -> None:
    inside = span(day, "nvs_evening")
    box = 1
    troubled = [v.box == box for v in day.sysplex.volumes]
    healthy = [not t for t in troubled]
    assert day.cache["DFWB"][healthy].sum() == 0
    assert day.cache["DFWB"][troubled][:, rest(day, "nvs_evening")].sum() == 0
    assert (day.cache["DFWB"][troubled][:, inside].sum(axis=0) > 1000).all()


def test_nvs_delays_are_time_in_disconnect(day: Day) -> None:
    members = day.sysplex.members(day.sysplex.lcu("0021"))
    inside, outside = span(day, "nvs_evening"), rest(day, "nvs_evening")
    disc = disc_ms(day)[0][members]
    assert (disc[:, inside].mean(axis=1) > 2 * disc[:, outside].mean(axis=1)).all()
    writes = day.cache["DWRC"][members][:, inside].sum() + day.cache["DWSR"][members][:, inside].sum()
    extra = (disc[:, inside].mean() - disc[:, outside].mean()) * day.devices["SSC"].sum(axis=0)[members][
        :, inside
    ].sum()
    delayed = day.cache["DFWB"][members][:, inside].sum()
    assert 0.05 < delayed / writes < 0.3
    assert 20 < extra / delayed < 40


def test_low_hit_ratio_is_the_lowest_of_its_subsystem(day: Day) -> None:
    volume = day.sysplex.volume(planted("low_hit_ratio").subject)
    ratio = day.cache["DCRH"].sum(axis=1) / day.cache["DRCR"].sum(axis=1)
    members = day.sysplex.members(day.sysplex.volumes[volume].lcu)
    assert ratio[volume] < 0.5
    assert min(ratio[i] for i in members if i != volume) > 0.8


@pytest.mark.parametrize("seed", SEEDS)
def test_without_scenarios_nothing_is_wrong(seed: int) -> None:
    day = make_day(seed, names=("healthy",))
    assert day.cache["DFWB"].sum() == 0
    assert iosq_ms(day).max() < 0.4
    assert day.aliases["HNAI"].sum() < 1e-4 * day.aliases["HTIO"].sum()


@pytest.mark.parametrize("plan", [SAMPLE, CLINIC, WEEK])
def test_every_scenario_names_subjects_that_exist(plan: str) -> None:
    plex = make_day(1, plan=plan).sysplex
    known = {"volume": {v.volser for v in plex.volumes}, "lcu": {c.number for c in plex.lcus}}
    known |= {"subsystem": {c.ssid for c in plex.lcus}, "record": {"78.3"}}
    known |= {"box": {b.serial.lstrip("0") for b in plex.boxes}}
    known["channel"] = {f"1.{path}" for lcu in plex.lcus for path in lcu.channels}
    planted = [p for scenario in scenarios(plan).values() for p in scenario.planted]
    assert planted
    for p in planted:
        assert p.subject in known[p.subject_kind]
        assert set(p.systems) <= {s.sid for s in plex.systems}


def test_the_clinic_is_written_as_dumps_too_and_a_plan_knows_its_own_scenarios_only(tmp_path: Path) -> None:
    *dumps, truth = write(tmp_path, plan=CLINIC, names=("hot_pav",), intervals=range(18, 22))
    assert all(path.stat().st_size for path in dumps)
    assert [p["subject"] for p in json.loads(truth.read_text())["planted"]] == ["HOT003"]
    with pytest.raises(RequestError, match="no scenario hot_pav"):
        write(tmp_path, names=("hot_pav",))


def test_records_that_are_not_collected_are_not_written(tmp_path: Path) -> None:
    *_, truth = write(tmp_path, plan=WEEK, intervals=range(24, 26))
    kinds = {kind for file in json.loads(truth.read_text())["files"].values() for kind in file["records"]}
    assert "74.1" in kinds and "78.3" not in kinds


def test_every_day_of_a_week_has_the_same_humps() -> None:
    day = make_day(1, names=(), plan=WEEK)
    rate = day.state.rate.sum(axis=(0, 1)).reshape(8, 24)
    assert (rate[:, 9:12].mean(axis=1) > 3 * rate[:, 5:7].mean(axis=1)).all()


def test_full_channels_hold_up_the_lcu_behind_them_only() -> None:
    day = make_day(1, plan=CLINIC)
    lcu, span_ = day.sysplex.lcu("0070"), span(day, "channel_full")
    calm = make_day(1, plan=CLINIC, names=())
    members = day.sysplex.members(lcu)
    assert (service_ms(day)[0, members][:, span_] > 1.3 * service_ms(calm)[0, members][:, span_]).all()
    others = day.sysplex.members(day.sysplex.lcu("0018"))[:3]
    assert np.allclose(day.state.conn_ms[others], calm.state.conn_ms[others])


def test_addresses_of_a_full_lcu_are_all_in_use() -> None:
    day = make_day(1, plan=CLINIC)
    assert day.state.demand.exposures[day.sysplex.members(day.sysplex.lcu("001A"))].sum() == 256
