"""One changed part: known answers by hand; bounds hold, what is unknown stays unknown."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iosq.models import channel, machine
from iosq.models.change import UNKNOWN, Effect, Volume, back_end, channels, mirror, zhyperlink

VOLUME = Volume(1.0, 0.2, 0.6, 0.4, 0.75, 0.8, 4096.0, 3.0)
LINK = machine.load("zhyperlink")
EXPRESS = {name: channel.from_machine(machine.load(f"express{name}")) for name in ("8s", "16s", "16s+")}
times = st.floats(0, 50)
ratios = st.floats(0, 1) | st.none()
volumes = st.builds(
    Volume,
    times,
    times,
    times,
    times,
    ratios,
    ratios,
    st.floats(512, 1e6) | st.none(),
    st.floats(0.01, 50) | st.none(),
    ratios,
)


def _close(made: Effect, low: float, high: float, share: float) -> None:
    assert (made.low_ms, made.high_ms, made.share) == pytest.approx((low, high, share))


def test_zhyperlink_takes_the_hits_to_16_microseconds_at_best() -> None:
    _close(zhyperlink(VOLUME, LINK), 2.2 - 0.6 * (1.6 - 0.016), 2.2, 0.6)


def test_zhyperlink_takes_the_eligible_hits_at_worst() -> None:
    _close(zhyperlink(replace(VOLUME, eligible_ratio=0.3), LINK), 2.2 - 0.6 * 1.584, 2.2 - 0.3 * 1.584, 0.6)
    _close(zhyperlink(replace(VOLUME, eligible_ratio=0.9), LINK), 2.2 - 0.6 * 1.584, 2.2 - 0.6 * 1.584, 0.6)


def test_channels_save_their_latency_at_best_and_their_link_time_at_least() -> None:
    """157 and 124 microseconds; 4096 bytes at 800 and 1300 MB/s."""
    link_ms = 4096 / 800e6 * 1e3 - 4096 / 1300e6 * 1e3
    _close(channels(VOLUME, EXPRESS["8s"], EXPRESS["16s"]), 2.2 - 0.033, 2.2 - link_ms, 1.0)


def test_a_mirror_costs_each_write_one_or_two_round_trips() -> None:
    _close(mirror(VOLUME, 100.0), 2.2 + 0.25 * 1.0, 2.2 + 0.25 * 2.0, 0.25)


def test_a_mirror_of_unknown_writes_costs_nothing_or_all() -> None:
    made = mirror(replace(VOLUME, read_ratio=None), 100.0)
    assert (made.low_ms, made.high_ms, made.share) == (pytest.approx(2.2), pytest.approx(4.2), None)


def test_a_back_end_acts_on_read_misses() -> None:
    _close(back_end(VOLUME, 1.0), 2.2 - 0.15 * 2.0, 2.2 - 0.15 * 2.0, 0.15)
    _close(back_end(VOLUME, None), 2.2 - 0.15 * 3.0, 2.2, 0.15)
    assert back_end(VOLUME, 9.0).low_ms == pytest.approx(2.2 + 0.15 * 6.0)


@given(volumes, st.floats(0.01, 20) | st.none())
def test_bounds_hold_and_no_response_falls_below_nothing(volume: Volume, read_ms: float | None) -> None:
    made = [zhyperlink(volume, LINK), mirror(volume, 10.0), back_end(volume, read_ms)]
    made += [channels(volume, EXPRESS["8s"], new) for new in EXPRESS.values()]
    for effect in made:
        if effect != UNKNOWN:
            assert -1e-9 <= effect.low_ms <= effect.high_ms  # type: ignore[operator]


@given(volumes)
def test_the_same_channels_change_nothing(volume: Volume) -> None:
    made = channels(volume, EXPRESS["16s"], EXPRESS["16s"])
    assert made == UNKNOWN or made.low_ms == made.high_ms == volume.response_ms


def test_without_cache_statistics_the_effect_is_unknown() -> None:
    bare = Volume(1.0, 0.2, 0.6, 0.4)
    assert {zhyperlink(bare, LINK), back_end(bare, 1.0), channels(bare, EXPRESS["8s"], EXPRESS["16s"])} == {UNKNOWN}
