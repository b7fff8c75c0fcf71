"""Open what-if: known queues, calibration on the measured wait."""

import heapq
import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.models.machine import load as load_machine
from iosq.models.pav.machine import box_from_machine
from iosq.models.pav.open_answers import _randomness, stretches, what_if_open, what_if_pool
from iosq.models.pav.open_load import OpenVolumes, box_stretch, sweep, unknown_box
from iosq.models.pav.pools import borrowing
from iosq.models.pav.power_curve import PowerCurve
from iosq.models.pav.station import serve
from iosq.models.queueing.stations import mmc_wait_ms
from iosq.toolkit.errors import RequestError

RNG = np.random.default_rng(0)
DS8100 = box_from_machine(load_machine("ds8100"))
ESS = box_from_machine(load_machine("ess-f20"))
MODEST = settings(max_examples=30, deadline=None)


def flat(inside):
    return np.ones_like(inside)


def crowd():
    return OpenVolumes.of([900.0] * 40, 0, 8, 9, 0, 20)


def some(wait_ms=2.0, exposures=1):
    return OpenVolumes.of([250.0, 120, 60], wait_ms, [1.5, 2, 1], exposures, 0.7, 0.1)


@MODEST
@given(st.floats(1, 900), st.floats(0.05, 0.9), st.integers(1, 12))
def test_a_box_that_never_slows_is_mmc(rate, load, servers):
    service = load * servers / rate * 1e3
    ours = serve(np.array([rate]), np.array([service]), np.array([servers]), np.zeros(1), flat)
    textbook = mmc_wait_ms(rate, service, servers)
    assert ours.wait_ms[0] == pytest.approx(float(textbook), rel=1e-9, abs=1e-12)
    assert ours.service_ms[0] == pytest.approx(service)


def test_batches_have_a_textbook_answer():
    # M^X/M/1 with geometric batches of mean m: as many in the system as M/M/1 times m
    rate, service, batching = 100.0, 4.0, 0.6
    served = serve(np.array([rate]), np.array([service]), np.ones(1), np.zeros(1), flat, batching)
    load = rate * service / 1e3
    in_system = rate * (served.wait_ms[0] + served.service_ms[0]) / 1e3
    assert in_system == pytest.approx(load / (1 - load) / (1 - batching))


def test_needs_beyond_the_base_are_those_of_poisson_numbers():
    # with many exposures the number present is Poisson: mean beyond the first = a - (1 - exp(-a))
    served = serve(np.array([600.0]), np.array([2.0]), np.array([60.0]), np.zeros(1), flat)
    assert served.extra_count[0] == pytest.approx(1.2 - (1 - np.exp(-1.2)))
    assert served.busy_ratio[0] == pytest.approx(1 - np.exp(-1.2))


@given(st.floats(0.05, 0.9), st.integers(1, 8))
def test_needs_beyond_the_base_spread_as_the_states_of_mmc_do(load, servers):
    service = load * servers / 500 * 1e3
    served = serve(np.array([500.0]), np.array([service]), np.array([servers]), np.zeros(1), flat)
    inside = np.arange(2000)
    steps = load * servers / np.minimum(np.maximum(inside, 1), servers)
    steps[0] = 1
    share = np.exp(np.cumsum(np.log(steps)))
    share /= share.sum()
    beyond = np.maximum(np.minimum(inside, servers) - 1, 0)
    mean = float(share @ beyond)
    assert served.extra_count[0] == pytest.approx(mean, abs=1e-9)
    assert served.extra_variance[0] == pytest.approx(float(share @ (beyond - mean) ** 2), abs=1e-9)


def simulated_waits_ms(rate, service_ms, exposures, stretch, batching, rng, batches=20, events=15_000):
    """Mean wait per batch of events, by Little's law on a simulated number of requests in line."""
    present, waits = 0, []
    for _ in range(batches):
        clock, queued, arrived = 0.0, 0.0, 0
        for _ in range(events):
            inside = min(present, exposures)
            done = inside / (service_ms * stretch(inside)) if inside else 0.0
            come = rate * (1 - batching) / 1e3
            step = rng.exponential(1 / (come + done))
            clock, queued = clock + step, queued + step * (present - inside)
            if rng.random() < come / (come + done):
                size = rng.geometric(1 - batching)
                present, arrived = present + size, arrived + size
            else:
                present -= 1
        waits.append(queued / arrived)
    return np.array(waits)


@pytest.mark.parametrize("batching", [0.0, 0.5])
def test_the_chain_agrees_with_an_event_simulation(batching):
    def slows(inside):
        return 1 + 0.2 * (inside - 1)

    served = serve(np.array([600.0]), np.array([2.0]), np.array([3.0]), np.zeros(1), slows, batching)
    waits = simulated_waits_ms(600.0, 2.0, 3, slows, batching, np.random.default_rng(4))
    half_width = 2.86 * waits.std(ddof=1) / np.sqrt(len(waits))  # 99 % by Student's t, 19 degrees of freedom
    assert abs(waits.mean() - served.wait_ms[0]) < half_width
    assert half_width < 0.15 * served.wait_ms[0]


def test_a_box_that_slows_serves_longer():
    steep = serve(np.array([400.0]), np.array([2.0]), np.array([4.0]), np.zeros(1), lambda n: 1 + 0.5 * (n - 1))
    assert steep.service_ms[0] > 2.2


@MODEST
@given(st.floats(0.2, 30), st.integers(1, 3))
def test_todays_setting_gives_todays_wait(wait_ms, exposures):
    volumes = some(wait_ms, exposures)
    stretch = box_stretch(DS8100, volumes, 8)
    for reading in sweep(volumes, volumes.exposures, stretch):
        assert reading.wait_ms == pytest.approx(volumes.wait_ms, rel=1e-2)


def test_more_exposures_wait_less_and_batches_linger():
    volumes = some(wait_ms=10.0)
    periods, batches = sweep(volumes, np.arange(1, 9)[:, None] * np.ones(3), flat)
    assert np.all(np.diff(periods.wait_ms, axis=0) < 1e-9) and np.all(np.diff(batches.wait_ms, axis=0) < 1e-9)
    assert np.all(batches.wait_ms[2:] > periods.wait_ms[2:])


def test_the_answer_for_one_volume():
    answer = what_if_open(DS8100, some(), range(6), RNG, subject=0)
    first, last = answer.predictions[0], answer.predictions[-1]
    assert first.wait_ms.value == pytest.approx(2.0, rel=0.02) and first.rate.value == 250
    assert last.wait_ms.value < 0.1 and answer.clears_wait is not None and answer.identifiable
    for p in answer.predictions:
        assert p.response_ms.value == pytest.approx(p.wait_ms.value + p.service_ms.value)


def test_one_volume_is_answered_as_among_all():
    volumes = some()
    alone = what_if_open(DS8100, volumes, [0, 1, 2], RNG, subject=1).predictions
    counts = np.arange(1, 4)[:, None] * np.ones(3)
    everyone = [reading for stretch in stretches(DS8100, volumes) for reading in sweep(volumes, counts, stretch)]
    waits = [np.mean([reading.wait_ms[at, 1] for reading in everyone]) for at in range(3)]
    assert [p.wait_ms.value for p in alone] == pytest.approx(waits, rel=1e-3)


def test_an_unknown_box_gives_bounds_only():
    answer = what_if_open(None, some(), [0, 2], RNG)
    assert not answer.identifiable and answer.settle
    known = what_if_open(DS8100, some(), [0, 2], RNG).predictions[1].response_ms
    bound = answer.predictions[1].response_ms
    assert bound.low <= known.value <= bound.high


def test_unknown_boxes_bracket_the_known_one():
    volumes = some(wait_ms=6.0)
    slow, fast = stretches(unknown_box(volumes), volumes)
    known = box_stretch(DS8100, volumes, 8)
    inside = np.array([1.0, 2.0, 4.0])
    assert np.all(fast(inside) <= known(inside) + 0.05) and np.all(known(inside) <= slow(inside) + 0.05)


@settings(max_examples=30, deadline=None)
@given(
    st.floats(5, 900), st.floats(0, 20), st.integers(1, 5), st.floats(0.05, 0.97), st.sampled_from([None, DS8100, ESS])
)
def test_laws_of_open_loads(rate, wait_ms, exposures, busy, source):
    """Today is as measured, to the digit; more aliases never lengthen wait or response; no wait, no change."""
    service_ms = busy * exposures / rate * 1e3
    volumes = OpenVolumes.of([rate, 200.0], [wait_ms, 0.0], [service_ms, 1.0], [exposures, 3], 0.7, 0.2)
    try:
        answer = what_if_open(source, volumes, range(exposures + 6), RNG, subject=0)
    except RequestError as error:
        assert error.place.startswith("box ")
        return
    now = answer.of(exposures - 1)
    for part, measured in (("wait_ms", wait_ms), ("service_ms", service_ms), ("response_ms", wait_ms + service_ms)):
        shown = getattr(now, part)
        assert [shown.value, shown.low, shown.high] == pytest.approx([measured] * 3)
    after = [p for p in answer.predictions if p.aliases >= now.aliases]
    for before, then in itertools.pairwise(answer.predictions):
        assert then.wait_ms.value <= before.wait_ms.value and then.response_ms.value <= before.response_ms.value + 1e-9
        assert then.response_ms.high <= before.response_ms.high + 1e-9
    assert all(p.response_ms.high <= now.response_ms.high + 1e-9 and p.stable for p in after)
    same = 1 + 1e-9
    for p in after:
        assert service_ms <= min(p.service_ms.low, p.response_ms.low) * same
        assert p.service_ms.low <= p.service_ms.value <= p.service_ms.high <= (service_ms + wait_ms) * same
        assert wait_ms or p.service_ms.high <= service_ms * same
    for p in answer.predictions[: now.aliases]:
        assert not p.stable or (
            p.service_ms.high <= service_ms * same and p.response_ms.low * same >= now.response_ms.low
        )


@settings(max_examples=20, deadline=None)
@given(st.floats(50, 400), st.floats(0, 5), st.integers(0, 6))
def test_laws_of_pools(rate, wait_ms, pool):
    volumes = OpenVolumes.of([rate * share for share in (1, 0.5, 0.25, 0.1)], wait_ms, 2.0, 1 + pool, 0.7, 0.2)
    try:
        answer = what_if_pool(None, volumes, range(pool + 6), RNG, current=pool)
    except RequestError as error:
        assert error.place in ("wait_ms", "volume 0")
        return
    now = answer.of(pool).response_ms
    assert now.low == now.value == now.high == pytest.approx(wait_ms + 2.0)
    for before, then in itertools.pairwise(answer.predictions):
        assert then.wait_ms.value <= before.wait_ms.value and then.response_ms.value <= before.response_ms.value + 1e-9


def test_without_a_pool_a_base_busier_than_one_exposure_is_refused():
    """Volumes with 1.4 and 0.6 I/Os in service: no alias leaves 0.4 unserved, however little they wait now."""
    volumes = OpenVolumes.of([700.0, 300.0], 0.0, 2.0, 3, 0.7, 0.2)
    none, one, two = what_if_pool(None, volumes, range(3), RNG, current=2).predictions
    assert not none.stable and one.stable and two.response_ms.value == pytest.approx(2.0)


def test_a_quiet_volume_of_an_unknown_box_carries_its_load():
    """10 % busy: the pessimistic bound is no change, not a box that can't carry what was measured."""
    answer = what_if_open(None, OpenVolumes.of([20.0], 0.3, 5.0, 1, 0.7, 1.0), range(9), RNG)
    assert all(p.stable for p in answer.predictions)
    assert answer.predictions[1].response_ms.high == pytest.approx(5.3, rel=0.02)


@pytest.mark.parametrize(
    ("call", "name", "text"),
    [
        (lambda: OpenVolumes.of([1000], 1, 2, 1, 0.5, 1), "volume 0", "its demand is 2 times its capacity"),
        (lambda: OpenVolumes.of([10], -1, 2, 1, 0.5, 1), "wait_ms", "negative"),
        (
            lambda: what_if_open(ESS, OpenVolumes.of([900.0] * 40, 0, 8, 9, 0, 20), [0], RNG),
            "box ess-f20",
            "its demand",
        ),
        (lambda: what_if_open(ESS, some(), [0], RNG, subject=7), "subject", "no volume 7"),
        (lambda: what_if_open(ESS, some(), [], RNG), "aliases", "at least one"),
        (lambda: what_if_pool(ESS, some(), [4], RNG, current=-1), "current", "negative"),
        (lambda: borrowing([some()], [1, 2]), "pools", "2 pools for 1"),
    ],
)
def test_impossible_requests_name_themselves(call, name, text):
    with pytest.raises(RequestError) as caught:
        call()
    assert str(caught.value).startswith(name) and text in str(caught.value)


def queued(interval, service, servers, count=60_000):
    """Mean wait of a queue with these draws of the time between arrivals, and of service."""
    rng, free, clock, waited = random.Random(1), [0.0] * servers, 0.0, 0.0
    for _ in range(count):
        clock += interval(rng)
        start = max(clock, heapq.heappop(free))
        waited += start - clock
        heapq.heappush(free, start + service(rng))
    return waited / count


@pytest.mark.parametrize("kind", ["M/D", "E2/M", "D/M"])
@pytest.mark.parametrize("now", [1, 2])
def test_waits_shorter_than_of_poisson_arrivals_have_bounds_that_hold_even_ones_and_even_service(kind, now):
    """A wait shows that arrivals or service times are even, not which: a simulation of either lies within."""
    rate = 170.0 * now
    intervals = {
        "M": lambda rng: rng.expovariate(rate / 1e3),
        "E2": lambda rng: rng.gammavariate(2, 500 / rate),
        "D": lambda _: 1e3 / rate,
    }
    arrivals = intervals[kind.partition("/")[0]]
    service = (lambda _: 5.0) if kind.endswith("D") else (lambda rng: rng.expovariate(1 / 5))
    volume = OpenVolumes.of(rate, queued(arrivals, service, now), 5.0, now, 1.0, 1.0)
    steady = PowerCurve("box", rate, rate * 5e-3, (1.0, 1.0), 9.0, "test")
    for p in what_if_open(steady, volume, [now, now + 1], RNG).predictions:
        wait = queued(arrivals, service, p.aliases + 1)
        assert p.wait_ms.low <= wait * 1.05 + 1e-3
        assert p.wait_ms.high >= wait * 0.95
        assert p.wait_ms.high > p.wait_ms.low


@pytest.mark.parametrize(("share", "expected"), [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0), (3.0, 1.0)])
def test_randomness_is_the_share_of_the_wait_of_random_arrivals(share, expected):
    """Bursts are as random as can be; arrivals without a wait have no share of anything."""
    alone = float(mmc_wait_ms(400.0, 2.0, 1))
    assert _randomness(OpenVolumes.of([400.0], share * alone, 2.0, 1, 0.7, 0.2)) == pytest.approx(expected)
