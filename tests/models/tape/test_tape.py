"""Virtual tape: over time against closed forms, and the effect of each knob an analyst can turn."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.models import machine, tape
from iosq.toolkit.errors import RequestError

B20 = machine.load("vts-b20")
B10 = machine.load("vts-b10")
WORK = tape.TapeLoad(jobs=128, ficon_count=8)
LINES = tape.attachment()


def test_the_peak_lasts_as_long_as_the_closed_form_says() -> None:
    ahead = tape.predict(B20, WORK)
    line = tape.simulate(B20, WORK, [tape.TapePhase(2 * ahead.peak_s, 128)])
    end = line.time_s[line.host_bytes_rate < 0.99 * ahead.peak_bytes_rate][0]
    assert end == pytest.approx(ahead.peak_s, rel=0.002)
    assert line.host_bytes_rate[-1] == pytest.approx(ahead.sustained_bytes_rate)
    assert line.host_bytes_rate[0] == pytest.approx(ahead.peak_bytes_rate)


def test_the_sustained_rate_is_the_premigration_rate_times_compression() -> None:
    assert tape.predict(B20, WORK).sustained_bytes_rate == pytest.approx(12 * 3e6 * 2.66)


def test_a_night_of_backups_fits_if_the_cache_drains_by_day() -> None:
    line = tape.simulate(B20, WORK, [tape.TapePhase(8 * 3600, 128), tape.TapePhase(16 * 3600, 0)])
    assert line.host_bytes_rate[line.time_s <= 8 * 3600].min() == pytest.approx(150e6)
    drained = line.time_s[(line.cached_bytes < 1) & (line.time_s > 8 * 3600)][0]
    start = line.cached_bytes[np.searchsorted(line.time_s, 8 * 3600)]
    assert drained - 8 * 3600 == pytest.approx(start / (12 * 3e6), rel=0.01)


def test_light_load_never_fills_the_cache() -> None:
    light = replace(WORK, jobs=1, block_bytes=4096.0)
    ahead = tape.predict(B20, light)
    assert ahead.peak_s == math.inf
    assert ahead.sustained_bytes_rate == ahead.peak_bytes_rate
    assert tape.simulate(B20, light, [tape.TapePhase(86400, 1)]).cached_bytes.max() < tape.cache_bytes(B20) / 1000


@settings(max_examples=25, deadline=None)
@given(
    jobs=st.integers(1, 128),
    compression=st.floats(1, 4),
    pools=st.integers(1, 20),
    copies=st.floats(0, 1),
    block=st.sampled_from([4096.0, 32768.0, 262144.0]),
)
def test_bytes_are_kept(jobs: int, compression: float, pools: int, copies: float, block: float) -> None:
    work = replace(
        WORK, jobs=jobs, compression_ratio=compression, pools=pools, dual_copy_ratio=copies, block_bytes=block
    )
    line = tape.simulate(B20, work, [tape.TapePhase(40_000, jobs), tape.TapePhase(10_000, 0)], step_s=50)
    came = line.host_bytes_rate.sum() / compression * 50
    assert came == pytest.approx(line.premigrated_bytes_rate.sum() * 50 + line.cached_bytes[-1], rel=1e-6)
    assert line.cached_bytes.max() <= tape.cache_bytes(B20) * (1 + 1e-9)
    assert line.cached_bytes.min() >= -1e-3
    ahead = tape.predict(B20, work)
    assert ahead.sustained_bytes_rate <= ahead.peak_bytes_rate
    assert line.host_bytes_rate.max() <= ahead.peak_bytes_rate * (1 + 1e-9)


def test_blocks_buffers_and_distance_for_one_job() -> None:
    def rate(block_kb: float, bufno: int = 20, km: float = 0.0) -> float:
        return tape.job_bytes_rate(
            B20, LINES.ficon, replace(WORK, block_bytes=block_kb * 1024, bufno=bufno, distance_km=km)
        )

    assert rate(4) < rate(32) < rate(256) < 100e6
    assert rate(32, 4) < rate(32, 20) < rate(32, 40)
    assert 1 - rate(256, km=100) / rate(256) < 0.04 < 1 - rate(4, km=100) / rate(4)
    assert tape.qsam_bufno(10) == 20


def test_escon_suffers_from_distance_where_ficon_does_not() -> None:
    far = replace(WORK, distance_km=40.0)
    lost = [
        1 - tape.job_bytes_rate(B20, line, far) / tape.job_bytes_rate(B20, line, WORK)
        for line in (LINES.escon, LINES.ficon)
    ]
    assert lost[0] > 0.7
    assert lost[1] < 0.1


def test_escon_acknowledges_every_block_and_ficon_every_program() -> None:
    """Ten blocks of 32 KB at 8 km, where nothing droops yet: 0.08 ms per round trip."""
    for line, round_trips in ((LINES.escon, 3 * 10), (LINES.ficon, 1)):
        near, far = (
            10 * 32768 / tape.job_bytes_rate(B20, line, replace(WORK, distance_km=km)) * 1e3 for km in (0.0, 8.0)
        )
        assert far - near == pytest.approx(round_trips * 0.08)


def test_channels_limit_until_there_are_enough() -> None:
    def peak(escon: int, ficon: int) -> tape.TapePrediction:
        return tape.predict(B20, replace(WORK, escon_count=escon, ficon_count=ficon))

    assert peak(4, 0).limit == "jobs and channels"
    assert peak(4, 0).peak_bytes_rate == pytest.approx(peak(0, 1).peak_bytes_rate, rel=0.01)
    assert peak(0, 8).limit == "controller"
    assert tape.predict(B20.varied(drawer_bytes_rate=1e6), WORK).limit == "cache disks"


def test_mounts_are_bounded_by_data_and_by_the_library() -> None:
    small = replace(WORK, volume_bytes=1e6)
    assert tape.predict(B20, small).mounts_per_hour == 3000
    assert tape.predict(B20, WORK).mounts_per_hour == pytest.approx(12 * 3e6 * 2.66 / 800e6 * 3600)


@pytest.mark.parametrize("volume_mb", [1, 50])
def test_mounts_hold_the_rate_of_small_volumes(volume_mb: int) -> None:
    """3,000 mounts an hour of 1 MB are 0.83 MB/s, of 50 MB 41.7 MB/s; premigration keeps up with either."""
    known = tape.predict(B20, replace(WORK, volume_bytes=volume_mb * 1e6))
    assert known.limit == "mounts" and math.isinf(known.peak_s)
    assert known.peak_bytes_rate == known.sustained_bytes_rate == pytest.approx(3000 / 3600 * volume_mb * 1e6)
    line = tape.simulate(B20, replace(WORK, volume_bytes=volume_mb * 1e6), [tape.TapePhase(3600, WORK.jobs)])
    assert line.host_bytes_rate.mean() == pytest.approx(known.peak_bytes_rate)


@given(volume_mb=st.floats(0.1, 5000), jobs=st.integers(1, 64), ratio=st.floats(1, 4))
@settings(max_examples=20, deadline=None)
def test_bytes_are_those_of_volumes_mounted(volume_mb: float, jobs: int, ratio: float) -> None:
    known = tape.predict(B20, replace(WORK, volume_bytes=volume_mb * 1e6, jobs=jobs, compression_ratio=ratio))
    assert known.mounts_per_hour * volume_mb * 1e6 / 3600 == pytest.approx(known.sustained_bytes_rate)
    assert known.mounts_per_hour <= 3000


def test_a_b10_is_smaller() -> None:
    small = tape.predict(B10, replace(WORK, jobs=64))
    assert small.peak_bytes_rate < tape.predict(B20, replace(WORK, jobs=64)).peak_bytes_rate
    with pytest.raises(RequestError, match="jobs = 128 exceed the 64 virtual drives of vts-b10"):
        tape.predict(B10, WORK)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"jobs": 0}, "jobs"),
        ({"bufno": 1}, "bufno"),
        ({"compression_ratio": 0.5}, "compression_ratio"),
        ({"block_bytes": math.nan}, "block_bytes"),
        ({"ficon_count": 0}, "ficon_count"),
        ({"pools": 0}, "pools"),
        ({"dual_copy_ratio": 1.2}, "dual_copy_ratio"),
    ],
)
def test_nonsense_is_named(change: dict[str, float], named: str) -> None:
    with pytest.raises(RequestError, match=named):
        replace(WORK, **change)  # type: ignore[arg-type]


def test_impossible_requests_over_time() -> None:
    with pytest.raises(RequestError, match="at least one phase"):
        tape.simulate(B20, WORK, [])
    with pytest.raises(RequestError, match="-5 s"):
        tape.simulate(B20, WORK, [tape.TapePhase(-5, 1)])
    with pytest.raises(RequestError, match="distance_km = 200"):
        tape.predict(B20, replace(WORK, distance_km=200))
