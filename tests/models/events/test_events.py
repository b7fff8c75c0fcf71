"""Event simulation: both engines give the same instants, and known queueing answers lie in the intervals."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from iosq.models import events, nvs
from iosq.models.channel import closed
from iosq.models.events import Box, Host
from iosq.toolkit.errors import RequestError


def _run(host: Host, box: Box, ios: int = 4000, replications: int = 40, seed: int = 1) -> events.Trace:
    samples = events.draw(host, box, ios=ios, replications=replications, rng=np.random.default_rng(seed))
    return events.simulate(host, box, samples)


def _mva(population: int, think: float, demands: list[float]) -> float:
    queues, rate = [0.0] * len(demands), 0.0
    for n in range(1, population + 1):
        times = [d * (1 + q) for d, q in zip(demands, queues, strict=True)]
        rate = n / (think + sum(times))
        queues = [rate * t for t in times]
    return rate


HOSTS = st.one_of(
    st.builds(
        Host,
        volumes=st.integers(1, 4),
        exposures=st.integers(1, 4),
        population=st.integers(1, 6),
        think_ms=st.floats(0.1, 3),
    ),
    st.integers(1, 4).flatmap(
        lambda v: st.builds(
            Host,
            volumes=st.just(v),
            exposures=st.integers(1, 4),
            arrival_rates=st.tuples(*[st.floats(0.05, 0.5)] * v),
        )
    ),
)
BOXES = st.builds(
    Box,
    front_ms=st.floats(0.1, 1),
    latency_ms=st.floats(0, 1),
    read_ratio=st.floats(0, 1),
    hit_ratio=st.floats(0, 1),
    arms=st.integers(1, 5),
    arm_ms=st.floats(0.1, 5),
    nvs_slots=st.integers(0, 8),
    destage_ms=st.floats(0.1, 3),
    variability=st.sampled_from([0.25, 1.0, 2.0]),
)


@settings(max_examples=60, deadline=None)
@example(Host(2, 2, population=3, think_ms=1.0), Box(front_ms=0.2, hit_ratio=0.0, arms=2, arm_ms=3.0), 1)  # all miss
@given(HOSTS, BOXES, st.integers(0, 2**32 - 1))
def test_stepping_gives_the_event_lists_instants(host: Host, box: Box, seed: int) -> None:
    samples = events.draw(host, box, ios=200, replications=2, rng=np.random.default_rng(seed))
    slow, fast = events.heap.simulate(host, box, samples), events.stepping.simulate(host, box, samples)
    for name in ("volume", "arrival_ms", "entry_ms", "completion_ms"):
        np.testing.assert_allclose(getattr(fast, name), getattr(slow, name), rtol=1e-12, err_msg=name)


@settings(max_examples=30, deadline=None)
@given(HOSTS, BOXES, st.integers(0, 2**32 - 1))
def test_time_runs_forward_and_exposures_hold(host: Host, box: Box, seed: int) -> None:
    samples = events.draw(host, box, ios=150, replications=1, rng=np.random.default_rng(seed))
    trace = events.stepping.simulate(host, box, samples)
    assert (trace.wait_ms >= 0).all()
    assert (trace.completion_ms >= trace.entry_ms + samples.front_ms + box.latency_ms - 1e-9).all()
    assert (np.diff(trace.entry_ms, axis=0) >= 0).all()
    for volume in range(host.volumes):
        mine = trace.volume[:, 0] == volume
        entry, done = trace.entry_ms[mine, 0], trace.completion_ms[mine, 0]
        inside = [int(((entry[:k] <= at) & (done[:k] > at)).sum()) for k, at in enumerate(entry)]
        assert max(inside, default=0) < host.exposures


def test_m_m_1() -> None:
    """Open, rho 0.6: response s / (1 - rho)."""
    found = events.summarize(_run(Host(1, 40, arrival_rates=(0.6,)), Box(front_ms=1.0)))
    assert events.compare(2.5, found.response_ms).agrees
    assert events.compare(0.6, found.io_rate).agrees
    assert not events.compare(3.0, found.response_ms).agrees


def test_m_m_1_percentiles_are_exponential() -> None:
    levels = events.percentiles(_run(Host(1, 40, arrival_rates=(0.5,)), Box(front_ms=1.0)), [0.5, 0.95])
    assert levels[0.5] == pytest.approx(2 * math.log(2), rel=0.05)
    assert levels[0.95] == pytest.approx(2 * math.log(20), rel=0.05)


def test_m_d_1() -> None:
    """Constant service halves the wait: rho s / (2 (1 - rho))."""
    found = events.summarize(_run(Host(1, 40, arrival_rates=(0.6,)), Box(front_ms=1.0, variability=0.0)))
    assert events.compare(1.75, found.response_ms).agrees


def test_m_m_3_needs_the_event_list() -> None:
    """Erlang C(3, 2) = 4/9: response 1 + (4/9) / (3 - 2)."""
    box = Box(front_ms=1.0, front_servers=3)
    assert not events.stepping.is_exact(box)
    found = events.summarize(_run(Host(1, 40, arrival_rates=(2.0,)), box, ios=6000, replications=12))
    assert events.compare(1 + 4 / 9, found.response_ms).agrees


def test_exposures_are_the_servers_of_a_constant_latency() -> None:
    """One exposure around a constant latency is M/D/1 in the host's queue."""
    found = events.summarize(_run(Host(1, 1, arrival_rates=(0.6,)), Box(front_ms=0.0, latency_ms=1.0)))
    assert events.compare(0.75, found.wait_ms).agrees


def test_machine_repairman() -> None:
    found = events.summarize(_run(Host(1, 6, population=6, think_ms=3.0), Box(front_ms=1.0)))
    assert events.compare(_mva(6, 3.0, [1.0]), found.io_rate).agrees


def test_mva_with_front_end_and_arms() -> None:
    host, box = Host(4, 3, population=3, think_ms=4.0), Box(0.2, 0.0, 1.0, 0.5, 4, 2.0)
    found = events.summarize(_run(host, box))
    assert events.compare(_mva(12, 4.0, [0.2, *[0.25] * 4]), found.io_rate).agrees


def test_the_host_queue_moves_the_wait_and_not_the_rate() -> None:
    """Without think time the box sees volumes x exposures requests, whatever the population."""
    box = Box(0.2, 0.3, 1.0, 0.8, 8, 4.0)
    few, many = (events.summarize(_run(Host(4, 2, population=p), box)) for p in (2, 9))
    assert abs(few.io_rate.mean - many.io_rate.mean) < few.io_rate.half_width + many.io_rate.half_width
    extra = many.response_ms.mean - few.response_ms.mean
    assert extra == pytest.approx(4 * 7 / many.io_rate.mean, rel=0.03)


def test_writes_settle_at_the_destage_rate() -> None:
    box = Box(0.01, read_ratio=0.0, nvs_slots=50, destage_ms=2.0)
    found = events.summarize(_run(Host(2, 4, population=8), box, ios=3000), warm_up=0.3)
    assert events.compare(0.5, found.io_rate).agrees


def test_an_nvs_burst_is_absorbed_then_throttled_over_time() -> None:
    """500 slots, 1 write per ms against destage of 0.5 per ms: full after 1000 ms."""
    box = Box(0.001, read_ratio=0.0, nvs_slots=500, destage_ms=2.0, variability=0.0)
    time_ms, rate, response = events.over_time(_run(Host(1, 4, arrival_rates=(1.0,)), box, 3000, 20), 100.0)
    assert rate[time_ms < 900].mean() == pytest.approx(1.0, rel=0.03)
    assert rate[(time_ms > 1500) & (time_ms < 2500)].mean() == pytest.approx(0.5, rel=0.03)
    assert response[time_ms < 800].max() < 0.1
    assert response[(time_ms > 2300) & (time_ms < 2500)].min() > 100


def test_destage_on_the_arms_slows_read_misses() -> None:
    apart = Box(0.1, 0.0, 0.5, 0.0, 2, 2.0, 20, 2.0)
    shared = Box(0.1, 0.0, 0.5, 0.0, 2, 2.0, 20, 2.0, destages_on_arms=True)
    host = Host(2, 40, arrival_rates=(0.15, 0.15))
    slow, fast = (events.summarize(_run(host, box, 3000, 6)) for box in (shared, apart))
    assert slow.response_ms.mean > fast.response_ms.mean + fast.response_ms.half_width


def test_batch_means_of_one_long_run_cover_too() -> None:
    trace = _run(Host(1, 40, arrival_rates=(0.5,)), Box(front_ms=1.0), ios=20_000, replications=1)
    assert events.interval(events.batch_means(trace.response_ms[1000:, 0])).covers(2.0)


@pytest.mark.parametrize(
    ("confidence", "degrees", "quantile"), [(0.95, 10, 2.228), (0.99, 30, 2.750), (0.95, 5, 2.571), (0.9, 100, 1.660)]
)
def test_student_quantiles(confidence: float, degrees: int, quantile: float) -> None:
    assert events.student(confidence, degrees) == pytest.approx(quantile, rel=2e-3)


def test_intervals_cover_as_often_as_they_say() -> None:
    rng = np.random.default_rng(7)
    hits = sum(events.interval(rng.normal(5, 1, 8), 0.9).covers(5) for _ in range(2000))
    assert hits / 2000 == pytest.approx(0.9, abs=0.03)


def test_same_seed_same_answer() -> None:
    host, box = Host(2, 2, population=3, think_ms=1.0), Box(0.5)
    first, second = _run(host, box, 100, 3), _run(host, box, 100, 3)
    assert (first.completion_ms == second.completion_ms).all()
    assert not (first.completion_ms == _run(host, box, 100, 3, seed=2).completion_ms).all()


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: Host(0, population=1), "volumes"),
        (lambda: Host(1), "either closed"),
        (lambda: Host(1, population=2, arrival_rates=(1.0,)), "either closed"),
        (lambda: Host(2, arrival_rates=(1.0,)), "1 given for 2"),
        (lambda: Host(1, arrival_rates=(-1.0,)), "arrival_rates"),
        (lambda: Box(-1), "front_ms"),
        (lambda: Box(1, read_ratio=2), "read_ratio"),
        (lambda: Box(1, arms=0), "arms"),
        (lambda: Box(math.nan), "front_ms"),
        (lambda: events.interval([1.0]), "two independent"),
        (lambda: events.batch_means(np.ones(3), 5), "batches"),
        (lambda: events.draw(Host(1, population=1), Box(1), ios=0, replications=1, rng=np.random.default_rng()), "ios"),
    ],
)
def test_nonsense_is_named(make: object, named: str) -> None:
    with pytest.raises(RequestError, match=named):
        make()  # type: ignore[operator]


def test_the_fast_engine_refuses_what_it_would_get_wrong() -> None:
    host, box = Host(1, population=1), Box(1.0, front_servers=2)
    samples = events.draw(host, box, ios=2, replications=1, rng=np.random.default_rng(0))
    with pytest.raises(RequestError, match="not exact"):
        events.stepping.simulate(host, box, samples)
    trace = events.simulate(host, box, samples)
    with pytest.raises(RequestError, match="warm_up"):
        events.summarize(trace, warm_up=0.9)
    with pytest.raises(RequestError, match="step_ms"):
        events.over_time(trace, 0)


def test_the_channels_closed_station_agrees() -> None:
    """The analytic port of the channel model, service half as variable as exponential, against its simulation."""
    host, box = Host(1, 8, population=8, think_ms=2.0), Box(front_ms=0.4, variability=0.25)
    found = events.summarize(_run(host, box))
    assert events.compare(closed.throughput(8, 2.0, 0.4, 0.25), found.io_rate).agrees
    assert not events.compare(closed.throughput(8, 2.0, 0.4, 1.0), found.io_rate).agrees


def test_the_nvs_bucket_agrees() -> None:
    """A Poisson burst into 500 slots is full when the smooth bucket says so."""
    bucket = nvs.Nvs(500 * 4096, 4096, 500.0)
    box = Box(0.001, read_ratio=0.0, nvs_slots=500, destage_ms=2.0, variability=0.0)
    trace = _run(Host(1, 4, arrival_rates=(1.0,)), box, 1500, 20)
    late = trace.completion_ms - trace.entry_ms > 0.1
    first = [trace.entry_ms[late[:, lane].argmax(), lane] for lane in range(20)]
    assert events.compare(1e3 * nvs.overflow_s(bucket, 1000.0), events.interval(first)).agrees
