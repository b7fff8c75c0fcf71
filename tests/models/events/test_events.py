"""Event simulation: known queueing answers, and those of the models, lie in its intervals."""

import math

import numpy as np
import pytest

from iosq.models import nvs
from iosq.models.channel import closed
from iosq.models.queueing.stations import mmc_wait_ms
from tests.models.events import event_list, trace_statistics
from tests.models.events.queues import Box, Host, Trace, draw
from tests.models.queueing.mva import mva


def _run(host: Host, box: Box, ios: int = 4000, replications: int = 10, seed: int = 1) -> Trace:
    samples = draw(host, box, ios=ios, replications=replications, rng=np.random.default_rng(seed))
    return event_list.simulate(host, box, samples)


def test_m_m_1() -> None:
    """Open, rho 0.6: response s / (1 - rho)."""
    found = trace_statistics.summarize(_run(Host(1, 40, arrival_rates=(0.6,)), Box(front_ms=1.0)))
    assert found.response_ms.covers(2.5)
    assert found.io_rate.covers(0.6)
    assert not found.response_ms.covers(3.0)


def test_m_m_1_percentiles_are_exponential() -> None:
    levels = trace_statistics.percentiles(_run(Host(1, 40, arrival_rates=(0.5,)), Box(front_ms=1.0)), [0.5, 0.95])
    assert levels[0.5] == pytest.approx(2 * math.log(2), rel=0.05)
    assert levels[0.95] == pytest.approx(2 * math.log(20), rel=0.05)


def test_m_d_1() -> None:
    """Constant service halves the wait: rho s / (2 (1 - rho))."""
    found = trace_statistics.summarize(_run(Host(1, 40, arrival_rates=(0.6,)), Box(front_ms=1.0, variability=0.0)))
    assert found.response_ms.covers(1.75)


def test_m_m_3() -> None:
    """Erlang C(3, 2) = 4/9: response 1 + (4/9) / (3 - 2)."""
    box = Box(front_ms=1.0, front_servers=3)
    found = trace_statistics.summarize(_run(Host(1, 40, arrival_rates=(2.0,)), box, ios=6000, replications=12))
    assert found.response_ms.covers(1 + 4 / 9)
    assert found.response_ms.covers(1 + float(mmc_wait_ms(2000.0, 1.0, 3)))
    assert not found.response_ms.covers(1 + float(mmc_wait_ms(1800.0, 1.0, 3)))


def test_exposures_are_the_servers_of_a_constant_latency() -> None:
    """One exposure around a constant latency is M/D/1 in the host's queue."""
    found = trace_statistics.summarize(_run(Host(1, 1, arrival_rates=(0.6,)), Box(front_ms=0.0, latency_ms=1.0)))
    assert found.wait_ms.covers(0.75)


def test_machine_repairman() -> None:
    found = trace_statistics.summarize(_run(Host(1, 6, population=6, think_ms=3.0), Box(front_ms=1.0)))
    assert found.io_rate.covers(mva(6, 3.0, [1.0])[-1])


def test_mva_with_front_end_and_arms() -> None:
    host, box = Host(4, 3, population=3, think_ms=4.0), Box(0.2, 0.0, 1.0, 0.5, 4, 2.0)
    found = trace_statistics.summarize(_run(host, box))
    assert found.io_rate.covers(mva(12, 4.0, [0.2, *[0.25] * 4])[-1])


def test_the_host_queue_moves_the_wait_and_not_the_rate() -> None:
    """Without think time the box sees volumes x exposures requests, whatever the population."""
    box = Box(0.2, 0.3, 1.0, 0.8, 8, 4.0)
    few, many = (trace_statistics.summarize(_run(Host(4, 2, population=p), box)) for p in (2, 9))
    assert abs(few.io_rate.mean - many.io_rate.mean) < few.io_rate.half_width + many.io_rate.half_width
    extra = many.response_ms.mean - few.response_ms.mean
    assert extra == pytest.approx(4 * 7 / many.io_rate.mean, rel=0.03)


def test_writes_settle_at_the_destage_rate() -> None:
    box = Box(0.01, read_ratio=0.0, nvs_slots=50, destage_ms=2.0)
    found = trace_statistics.summarize(_run(Host(2, 4, population=8), box, ios=3000), warm_up=0.3)
    assert found.io_rate.covers(0.5)


def test_an_nvs_burst_is_absorbed_then_throttled_over_time() -> None:
    """500 slots, 1 write per ms against destage of 0.5 per ms: full after 1000 ms."""
    box = Box(0.001, read_ratio=0.0, nvs_slots=500, destage_ms=2.0, variability=0.0)
    time_ms, rate, response = trace_statistics.over_time(_run(Host(1, 4, arrival_rates=(1.0,)), box, 3000, 20), 100.0)
    assert rate[time_ms < 900].mean() == pytest.approx(1.0, rel=0.03)
    assert rate[(time_ms > 1500) & (time_ms < 2500)].mean() == pytest.approx(0.5, rel=0.03)
    assert response[time_ms < 800].max() < 0.1
    assert response[(time_ms > 2300) & (time_ms < 2500)].min() > 100


def test_destage_on_the_arms_slows_read_misses() -> None:
    apart = Box(0.1, 0.0, 0.5, 0.0, 2, 2.0, 20, 2.0)
    shared = Box(0.1, 0.0, 0.5, 0.0, 2, 2.0, 20, 2.0, destages_on_arms=True)
    host = Host(2, 40, arrival_rates=(0.15, 0.15))
    slow, fast = (trace_statistics.summarize(_run(host, box, 3000, 6)) for box in (shared, apart))
    assert slow.response_ms.mean > fast.response_ms.mean + fast.response_ms.half_width


@pytest.mark.parametrize(
    ("confidence", "degrees", "quantile"), [(0.95, 10, 2.228), (0.99, 30, 2.750), (0.95, 5, 2.571), (0.9, 100, 1.660)]
)
def test_student_quantiles(confidence: float, degrees: int, quantile: float) -> None:
    assert trace_statistics.student(confidence, degrees) == pytest.approx(quantile, rel=2e-3)


def test_intervals_cover_as_often_as_they_say() -> None:
    rng = np.random.default_rng(7)
    hits = sum(trace_statistics.interval(rng.normal(5, 1, 8), 0.9).covers(5) for _ in range(2000))
    assert hits / 2000 == pytest.approx(0.9, abs=0.03)


def test_same_seed_same_answer() -> None:
    host, box = Host(2, 2, population=3, think_ms=1.0), Box(0.5)
    first, second = _run(host, box, 100, 3), _run(host, box, 100, 3)
    assert (first.completion_ms == second.completion_ms).all()
    assert not (first.completion_ms == _run(host, box, 100, 3, seed=2).completion_ms).all()


def test_the_channels_closed_station_agrees() -> None:
    """The analytic port of the channel model, service half as variable as exponential, against its simulation."""
    host, box = Host(1, 8, population=8, think_ms=2.0), Box(front_ms=0.4, variability=0.25)
    found = trace_statistics.summarize(_run(host, box))
    assert found.io_rate.covers(closed.throughput(8, 2.0, 0.4, 0.25))
    assert not found.io_rate.covers(closed.throughput(8, 2.0, 0.4, 1.0))


def test_the_nvs_bucket_agrees() -> None:
    """A Poisson burst into 500 slots is full when the smooth bucket says so."""
    bucket = nvs.Nvs(500 * 4096, 4096, 500.0)
    box = Box(0.001, read_ratio=0.0, nvs_slots=500, destage_ms=2.0, variability=0.0)
    trace = _run(Host(1, 4, arrival_rates=(1.0,)), box, 1500, 20)
    late = trace.completion_ms - trace.entry_ms > 0.1
    first = [trace.entry_ms[late[:, lane].argmax(), lane] for lane in range(20)]
    assert trace_statistics.interval(first).covers(1e3 * nvs.outcome(bucket, [nvs.Phase(100.0, 1000.0)]).full_after_s)
