"""Several channels: against an event simulation in which each I/O chooses a channel as it starts."""

from dataclasses import replace

import numpy as np
import pytest

from iosq.models import channel, machine
from iosq.models.channel import closed, several
from iosq.models.pav.box import softmin
from tests.models.channel.choosing import fewest, first_idle, in_turn, simulated

SE700 = replace(channel.from_machine(machine.load("se700")), host=None)  # the channels alone

SWEEP = [
    (channels, int(channels * each), delay_ms, variability)
    for channels, each, delay_ms in ((1, 4, 2.0), (2, 3, 2.0), (4, 2, 0.5), (4, 1.5, 2.0), (8, 3, 2.0), (8, 1.5, 0.5))
    for variability in (1.0, 0.25)
]


@pytest.mark.parametrize(("channels", "requests", "delay_ms", "variability"), SWEEP)
def test_channels_that_are_chosen_by_load(channels: int, requests: int, delay_ms: float, variability: float) -> None:
    """An even split of the requesters, which was the answer before, is up to 10 % below these."""
    found = several.throughput(requests, delay_ms, 1.0, variability, channels)
    for choose, off in ((fewest, 0.045), (first_idle, 0.07)):
        assert found == pytest.approx(simulated(requests, delay_ms, variability, channels, choose), rel=off)


def test_the_interval_holds_every_way_to_choose() -> None:
    """With constant, Erlang and exponential service; the load is one that fills most of eight ports."""
    load = channel.Load(4096, 1.0, tasks=40, volumes=40)
    found = channel.predict(SE700, load, channels=8)
    port_ms = 1e3 / channel.limit(SE700, 4096, 1.0)[1]
    delay_ms = SE700.read.latency_ms(4096) + SE700.turnaround_ms - port_ms
    usual = simulated(40, delay_ms / port_ms, SE700.variability, 8, fewest) / port_ms * 1e3
    assert found.io_rate == pytest.approx(usual, rel=0.045)
    for choose in (fewest, first_idle, in_turn):
        for variability in (channel.SMOOTH, SE700.variability, 1.0):
            rate = simulated(40, delay_ms / port_ms, variability, 8, choose) / port_ms * 1e3
            assert found.io_rate_low * 0.995 < rate < found.io_rate_high * 1.005


@pytest.mark.parametrize("variability", [1 / 16, 0.25, 0.6, 1.0])
def test_laws_of_several_channels(variability: float) -> None:
    """One channel is the station itself; no wait while each request has its own; more of either is never slower."""
    rates = np.array([[several.throughput(n, 2.0, 1.0, variability, k) for k in range(1, 9)] for n in range(1, 41)])
    assert rates[:, 0] == pytest.approx([closed.throughput(n, 2.0, 1.0, variability) for n in range(1, 41)])
    assert all(rates[n - 1, k - 1] == pytest.approx(n / 3) for n in range(1, 9) for k in range(n, 9))
    assert np.all(np.diff(rates, axis=0) >= -1e-9)
    assert np.all(np.diff(rates, axis=1) >= -1e-9)
    assert np.all(rates <= np.minimum(np.arange(1, 41)[:, None] / 3, np.arange(1, 9)) * (1 + 1e-9))


@pytest.mark.parametrize(("channels", "most_off"), [(1, 0.04), (2, 0.03), (4, 0.02), (8, 0.011)])
def test_a_box_curve_has_room_for_any_number_of_channels(channels: int, most_off: float) -> None:
    """One ceiling and one corner stand for all of a box's channels: some corner is as near as this everywhere."""
    for delay_ms in (2.0, 10.0):
        n = np.unique(np.round(np.geomspace(0.25, 4, 9) * channels * (delay_ms + 1)).clip(1)).astype(int)
        exact = np.array([several.throughput(int(one), delay_ms, 1.0, 0.25, channels) for one in n])
        corners = np.geomspace(1, 30, 40)[:, None]
        curve = softmin(n / (delay_ms + 1), np.full(len(n), float(channels)), corners)
        assert np.abs(curve / exact - 1).max(axis=1).min() < most_off
