"""Migration: known queueing answers through the whole path, then what a planner asks."""

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike, NDArray

from iosq.models import channel, machine, migrate
from iosq.models.fit.calibrate import calibrate
from iosq.models.fit.prior import weak_prior
from iosq.models.migrate import TRANSFER
from iosq.models.migrate.targets import CurveTarget, Target, mean_inside, target_of
from iosq.models.migrate.workload import MeasuredVolume
from iosq.models.pav.box import Seen
from iosq.models.studies.zvm_pav import Cells, cells, configurations
from iosq.models.studies.zvm_pav.load import points_of
from iosq.toolkit.errors import RequestError

Floats = NDArray[np.float64]
ONE = MeasuredVolume("VOL001", 50.0, 0.7, 0.8, 4096.0, 2.0, 0.3, 4.0, 1.0, 1.0, 1.0, 2.84)
DISK = target_of(machine.load("ibm3990-6"))
DS8100 = target_of(machine.load("ds8100"))


def _set(count: int, **change: float) -> list[MeasuredVolume]:
    return [replace(ONE, volume=f"VOL{i:03}", **change) for i in range(count)]  # type: ignore[arg-type]


def _one_server(in_box: ArrayLike) -> Floats:
    """X(n) = 1000 whatever n: the box is M/M/1."""
    return np.full(np.shape(in_box), 1000.0)


def _four_servers(in_box: ArrayLike) -> Floats:
    """X(n) = 100 min(n, 4): the box is M/M/4."""
    return 100.0 * np.minimum(in_box, 4)


def _fitted(known: Cells) -> CurveTarget:
    points = points_of(known, configurations()["ESS F20"])
    box = calibrate("fitted", points, weak_prior(), np.random.default_rng(1)).known
    return CurveTarget(name="fitted", calibrated_on="", caveats=(), box=box)


def test_a_constant_curve_is_m_m_1() -> None:
    load = migrate.together(_set(8, io_rate=100.0))
    assert mean_inside(_one_server, load) == pytest.approx(0.8 / 0.2)


def test_a_full_box_never_answers() -> None:
    for rate in (125.0, 130.0):
        load = migrate.together(_set(8, io_rate=rate))
        assert mean_inside(_one_server, load) == math.inf


def test_a_linear_curve_is_m_m_4() -> None:
    """Offered 3 on 4 servers: Erlang C 0.5094, 3 + 0.5094 x 3 inside."""
    load = migrate.together(_set(8, io_rate=37.5))
    assert mean_inside(_four_servers, load) == pytest.approx(3 + 0.5094 * 3, rel=1e-3)


def test_littles_law_holds_over_volumes_of_different_mix() -> None:
    volumes = [replace(ONE, volume="R", read_ratio=1.0), replace(ONE, volume="W", read_ratio=0.2, io_rate=20.0)]
    load = migrate.together(volumes)
    assert isinstance(DS8100, CurveTarget)
    times, rate = DS8100.service_ms(load, volumes), partial(DS8100.rate, load=load)
    inside = sum(v.io_rate * t / 1e3 for v, t in zip(volumes, times, strict=True))
    assert inside == pytest.approx(mean_inside(rate, load))
    assert times[0] < times[1]


def test_a_box_sees_each_volume_as_often_as_it_works() -> None:
    """60/s with half reads (0.8 hit), 20/s with reads only (0.2 hit): 50 reads, 28 hits of 80 I/Os."""
    first = replace(ONE, io_rate=60.0, read_ratio=0.5, read_hit_ratio=0.8, bytes_per_io=4096.0)
    second = replace(ONE, io_rate=20.0, read_ratio=1.0, read_hit_ratio=0.2, bytes_per_io=8192.0)
    load = migrate.together([first, second])
    assert (load.io_rate, load.read_ratio, load.read_hit_ratio) == pytest.approx((80.0, 50 / 80, 28 / 50))
    assert (load.bytes_per_io, load.footprint_gb) == pytest.approx((5120.0, 2 * ONE.footprint_gb))
    assert load.shares == pytest.approx((0.75, 0.25))


def test_burstiness_is_kept() -> None:
    poisson = migrate.host_wait_ms(50.0, ONE.service_ms, 1)
    assert ONE.burst_ratio == pytest.approx(2.0 / poisson)
    row = migrate.forecast(DS8100, _set(4)).volumes[0]
    assert row.wait_ms == pytest.approx(migrate.host_wait_ms(50.0, row.service_ms, 1) * ONE.burst_ratio)
    assert replace(ONE, wait_ms=0.0).burst_ratio == 1.0


def test_growth_saturates_where_it_says() -> None:
    for exposures, station in ((40.0, "back-end paths"), (1.0, "exposures")):
        work = _set(60, io_rate=5.0, exposures=exposures)
        found = migrate.forecast(DISK, work)
        assert found.growth_max > 1
        assert found.saturates_first == station
        for share, finite in ((0.995, True), (1.005, False)):
            again = migrate.forecast(DISK, work, growth=share * found.growth_max)
            assert math.isfinite(again.response_ms) == finite
            assert again.growth_max == pytest.approx(found.growth_max, rel=1e-3)
    full = migrate.forecast(DISK, _set(60, io_rate=5.0, exposures=40.0), growth=20)
    assert full.response_ms == math.inf
    assert full.utilization["back-end paths"] > 1


def test_densities() -> None:
    found = migrate.forecast(DISK, _set(60, io_rate=5.0))
    assert found.density_needed == pytest.approx(300 / (60 * 2.84))
    assert found.density_offered == pytest.approx(300 / max(found.utilization.values()) / 180)
    assert migrate.forecast(DS8100, _set(4)).density_offered is None


def test_intervals_hold_the_value_and_grow_with_load() -> None:
    light, heavy = (migrate.forecast(DS8100, _set(8, exposures=4.0), growth=g) for g in (1, 8))
    for found in (light, heavy):
        assert found.response_low_ms < found.response_ms < found.response_high_ms
    assert heavy.response_high_ms / heavy.response_ms > light.response_high_ms / light.response_ms


def test_the_newer_box_answers_faster() -> None:
    work = _set(32, io_rate=8.0)
    assert migrate.forecast(DS8100, work).response_ms < migrate.forecast(DISK, work).response_ms
    assert migrate.forecast(DS8100, work).volumes[0].measured_response_ms == ONE.response_ms


def test_channels_can_be_the_first_limit() -> None:
    escon = migrate.Front(channel.from_machine(machine.load("escon")), 1)
    work = _set(8, io_rate=200.0, bytes_per_io=27998.0, read_ratio=1.0, exposures=4.0)
    assert migrate.forecast(DS8100, work, front=escon).saturates_first == "channels"
    wider = replace(escon, count=256)
    assert migrate.forecast(DS8100, work, front=wider).saturates_first != "channels"
    with pytest.raises(RequestError, match="channels = 0"):
        migrate.forecast(DS8100, work, front=replace(escon, count=0))


def test_boxes_for_rate_capacity_and_slots() -> None:
    work = _set(60, io_rate=5.0)
    most = migrate.forecast(DISK, work).growth_max
    assert migrate.boxes_needed(DISK, work, response_ms=1e6).boxes == 1
    assert migrate.boxes_needed(DISK, work, growth=1.9 * most * migrate.FULLEST).boxes == 2
    assert migrate.boxes_needed(replace(DISK, capacity_gb=60.0), work, response_ms=1e6).boxes == 3
    assert migrate.boxes_needed(replace(DISK, capacity_gb=1e6), _set(130, io_rate=1.0), response_ms=1e6).boxes == 3
    with pytest.raises(RequestError, match="no number of ibm3990-6 boxes"):
        migrate.boxes_needed(DISK, work, response_ms=0.5)


def test_more_boxes_than_needed_answer_faster() -> None:
    work = _set(40, io_rate=10.0)
    slow = migrate.forecast(DISK, work).response_ms
    half = migrate.forecast(DISK, work[:20]).response_ms
    assert half < slow
    assert migrate.boxes_needed(DISK, work, response_ms=(slow + half) / 2).boxes == 2


def test_dealing_keeps_every_volume_once() -> None:
    work = [replace(ONE, volume=str(i), io_rate=float(i)) for i in range(1, 12)]
    hands = migrate.dealt(work, 3)
    assert sorted(v.volume for hand in hands for v in hand) == sorted(v.volume for v in work)
    rates = [sum(v.io_rate for v in hand) for hand in hands]
    assert max(rates) / min(rates) < 1.35


@settings(max_examples=12, deadline=None)
@given(st.floats(0.5, 60), st.floats(0, 1), st.floats(0, 1), st.floats(1, 8), st.floats(1.01, 1.5))
def test_more_work_never_answers_faster(
    rate: float, reads: float, hits: float, exposures: float, growth: float
) -> None:
    work = _set(6, io_rate=rate, read_ratio=reads, read_hit_ratio=hits, exposures=exposures)
    for target in (DISK, DS8100):
        now, later = (migrate.forecast(target, work, growth=g) for g in (1.0, growth))
        assert later.response_ms >= now.response_ms * (1 - 1e-9)
        assert later.growth_max == pytest.approx(now.growth_max, rel=1e-3)
        assert all(r.response_ms == pytest.approx(r.wait_ms + r.service_ms) for r in now.volumes)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"read_ratio": 1.5}, "VOL001: read_ratio"),
        ({"io_rate": -1.0}, "VOL001: io_rate"),
        ({"bytes_per_io": 0.0}, "VOL001: bytes_per_io"),
        ({"exposures": 0.5}, "VOL001: exposures"),
        ({"wait_ms": math.nan}, "VOL001: wait_ms"),
    ],
)
def test_nonsense_is_named(change: dict[str, float], named: str) -> None:
    with pytest.raises(RequestError, match=named):
        replace(ONE, **change)  # type: ignore[arg-type]


def test_the_assumption_about_transfers_is_stated_where_any_volume_has_one() -> None:
    still, moving = replace(ONE, conn_ms=0.0), replace(ONE, conn_ms=1.0)
    for volumes, text in (([still, still], False), ([still, moving], True), ([moving, moving], True)):
        assert (TRANSFER in migrate.forecast(DISK, volumes).caveats) is text


def test_impossible_requests() -> None:
    with pytest.raises(RequestError, match="no volume"):
        migrate.forecast(DISK, [])
    with pytest.raises(RequestError, match="no volume"):
        migrate.forecast(DISK, _set(3, io_rate=0.0))
    with pytest.raises(RequestError, match="growth = 0"):
        migrate.forecast(DISK, _set(3), growth=0)
    with pytest.raises(RequestError, match="growth = 0 must"):  # of the wish, not of a volume
        migrate.grown(_set(3), 0)
    with pytest.raises(RequestError, match="65 volumes do not fit the 64"):
        migrate.forecast(DISK, _set(65))
    with pytest.raises(RequestError, match="kind tape"):
        target_of(machine.load("vts-b20"))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.floats(1, 60), st.floats(0, 1), st.floats(0, 9)), min_size=1, max_size=6),
    st.sampled_from([DISK, DS8100]),
)
def test_no_io_is_shorter_than_its_transfer(drawn: list[tuple[float, float, float]], target: Target) -> None:
    volumes = [
        replace(ONE, volume=f"VOL{n:03}", io_rate=rate, read_ratio=reads, conn_ms=conn, exposures=9.0)
        for n, (rate, reads, conn) in enumerate(drawn)
    ]
    found = migrate.forecast(target, volumes)
    for volume, row in zip(volumes, found.volumes, strict=True):
        assert row.service_ms >= volume.conn_ms
    assert found.response_low_ms <= found.response_ms <= found.response_high_ms


def test_what_a_small_hit_transfers_is_known_within_the_hit() -> None:
    """The share of transfer in a hit is unknown: all of it at least, nothing at most."""
    short = migrate.forecast(DS8100, _set(1, io_rate=1.0, conn_ms=0.0, wait_ms=0.0))
    long = migrate.forecast(DS8100, _set(1, io_rate=1.0, conn_ms=5.0, wait_ms=0.0))
    hit_ms = machine.load("ds8100").value("read_hit_ms")
    assert long.response_ms - short.response_ms == pytest.approx(5 - hit_ms / 2, abs=0.05)
    wide, narrow = (f.response_high_ms - f.response_low_ms for f in (long, short))
    assert wide - narrow == pytest.approx(hit_ms, abs=0.02)


@settings(max_examples=15, deadline=None)
@given(st.floats(0.0, 1.0), st.floats(1.0, 120.0), st.floats(0.05, 3.0), st.floats(0.3, 1.0), st.floats(0.3, 9.0))
def test_a_machine_that_saw_less_is_less_sure_and_says_what_it_never_saw(
    reads: float, rate: float, gb: float, least: float, most_gb: float
) -> None:
    """The file that saw everything is what could be: the bounds of one that saw less hold it."""
    assert isinstance(DS8100, CurveTarget)
    boxes = [
        replace(DS8100.box, seen=seen)
        for seen in (None, Seen((8.0, 40.0), (least, 1.0), (0.1, most_gb), (False, True)))
    ]
    volumes = _set(8, io_rate=rate, read_ratio=reads, footprint_gb=gb, conn_ms=0.0)
    known, fenced = (migrate.forecast(replace(DS8100, box=box), volumes) for box in boxes)
    assert fenced.response_ms == known.response_ms
    if math.isfinite(known.response_ms):
        assert fenced.response_low_ms <= known.response_low_ms * 1.001
        assert fenced.response_high_ms >= known.response_high_ms * 0.999
        assert known.response_high_ms > 1.05 * known.response_ms  # rates of a box are known to a few percent
    assert ("reads (it saw" in fenced.beyond) == (reads < least - 0.15)


def test_a_file_fitted_to_one_run_holds_what_one_fitted_to_many_says() -> None:
    """Of pure reads the one run says nothing."""
    every = cells()
    asked = every.conditions
    mine = (asked.controller == "ESS F20") & (asked.aliases == asked.workers - 1)
    few = mine & (asked.workers == 5) & (asked.read_ratio == 0.66)
    volumes = _set(8, io_rate=50.0, read_ratio=1.0, footprint_gb=0.06, conn_ms=0.0, wait_ms=0.0)
    one, many = (
        migrate.forecast(_fitted(every.pick(at)), volumes) for at in (np.flatnonzero(few)[:1], np.flatnonzero(mine))
    )
    assert one.response_low_ms < many.response_low_ms < many.response_high_ms < one.response_high_ms
    assert "100 % reads (it saw 66 to 66 %)" in one.beyond and not many.beyond
