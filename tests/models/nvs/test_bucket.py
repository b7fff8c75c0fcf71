"""The bucket over time against its closed forms, and against what must hold whatever the numbers."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from iosq.models import nvs
from iosq.models.nvs import course
from iosq.toolkit.errors import RequestError

BOX = nvs.Nvs(nvs_bytes=16 * 2**20, write_bytes=4096, destage_rate=380)
SIZE = BOX.nvs_bytes / BOX.write_bytes


def _run(box: nvs.Nvs, *phases: nvs.Phase, step_s: float = 0.01) -> tuple[nvs.Timeline, nvs.Outcome]:
    return nvs.simulate(box, phases, step_s=step_s), nvs.outcome(box, phases)


def test_a_burst_below_destage_never_waits() -> None:
    line, outcome = _run(BOX, nvs.Phase(60, 379))
    assert outcome.delayed_writes == 0
    assert outcome.full_after_s == math.inf
    assert line.occupied_bytes.max() < 2 * 379 * 0.01 * 4096


def _full_after(box: nvs.Nvs, rate: float) -> float:
    """Closed form of the seconds until an empty NVS is full, from dO/dt = a (1 - O/F) - D."""
    size, footprint = box.nvs_bytes / box.write_bytes, box.footprint_bytes / box.write_bytes
    needing = rate * (1 - box.rewrite_ratio)
    if needing <= box.destage_rate:
        return math.inf
    if math.isinf(footprint):
        return size / (needing - box.destage_rate)
    reached = footprint * (1 - box.destage_rate / needing)
    return -footprint / needing * math.log1p(-size / reached) if reached > size else math.inf


def test_a_burst_is_absorbed_until_the_closed_form_says_full() -> None:
    _, outcome = _run(BOX, nvs.Phase(30, 780))
    assert outcome.full_after_s == pytest.approx(SIZE / 400)


def test_then_writes_are_admitted_at_the_destage_rate() -> None:
    line, _ = _run(BOX, nvs.Phase(60, 780))
    late = line.time_s > 20
    assert line.admitted[late].sum() / 40 == pytest.approx(380, rel=1e-3)


def test_the_delay_is_the_queue_over_the_destage_rate() -> None:
    line, _ = _run(BOX, nvs.Phase(20, 780), nvs.Phase(60, 0))
    at = np.searchsorted(line.time_s, 20 - 1e-9)
    assert line.delay_ms[at] == pytest.approx(line.waiting[at] / 380 * 1e3)


def test_recovery_drains_queue_and_bucket() -> None:
    line, outcome = _run(BOX, nvs.Phase(20, 780), nvs.Phase(60, 100))
    at = np.searchsorted(line.time_s, 20 - 1e-9)
    excess = line.waiting[at] + line.occupied_bytes[at] / 4096 - 0.9 * SIZE
    assert outcome.recovery_s == pytest.approx(excess / 280)


def test_collapse_costs_the_stated_share_and_ends() -> None:
    """Rate x write share is constant while destage limits, so the box falls as its writes do."""
    box = replace(BOX, collapse_ratio=1050 / 1490)
    line, _ = _run(box, nvs.Phase(60, 780), nvs.Phase(300, 100))
    late = (line.time_s > 30) & (line.time_s < 60)
    assert line.admitted[late].sum() / 30 == pytest.approx(nvs.saturated_rate(box), rel=1e-3)
    assert nvs.saturated_rate(box) / nvs.sustained_rate(box) == pytest.approx(1050 / 1490)
    assert line.destaged[(line.time_s > 150) & (line.occupied_bytes > 4096 * 50)].max() == pytest.approx(3.8)


def test_overwrites_within_the_footprint_save_destages() -> None:
    """NVS law, unit of one block: full NVS admits D / (1 - S/F)."""
    box = replace(BOX, footprint_bytes=4 * BOX.nvs_bytes)
    assert nvs.sustained_rate(box) == pytest.approx(380 / 0.75)
    line, outcome = _run(box, nvs.Phase(200, 780))
    assert outcome.full_after_s == pytest.approx(_full_after(box, 780))
    assert line.admitted[line.time_s > 100].sum() / 100 == pytest.approx(380 / 0.75, rel=0.01)


def test_a_footprint_that_fits_is_never_full() -> None:
    box = replace(BOX, footprint_bytes=BOX.nvs_bytes)
    assert nvs.sustained_rate(box) == math.inf
    assert _run(box, nvs.Phase(100, 5000))[1].delayed_writes == 0


def test_rewrites_scale_the_rate() -> None:
    box = replace(BOX, rewrite_ratio=0.5)
    assert nvs.sustained_rate(box) == pytest.approx(760)
    assert _run(box, nvs.Phase(60, 759))[1].delayed_writes == 0
    assert _run(box, nvs.Phase(60, 1200))[1].delayed_writes > 0


def test_more_nvs_for_a_burst_and_for_a_steady_overload() -> None:
    burst = nvs.advise(BOX, 780, 15, more_bytes=BOX.nvs_bytes)
    assert burst.verdict == "more NVS absorbs it"
    little = nvs.advise(BOX, 780, 15, more_bytes=1)
    assert (little.verdict, little.bytes_needed) == ("more NVS absorbs a part of it", burst.bytes_needed)
    steady = nvs.advise(BOX, 780, math.inf, more_bytes=BOX.nvs_bytes)
    assert steady.verdict == "more NVS only delays the overflow"
    assert steady.bytes_needed == math.inf
    assert nvs.advise(BOX, 780, 5, more_bytes=1).verdict == "absorbed"


def test_needed_bytes_with_a_footprint_agree_with_the_overflow_time() -> None:
    box = replace(BOX, footprint_bytes=10 * BOX.nvs_bytes)
    assert nvs.bytes_needed(box, 780, _full_after(box, 780)) == pytest.approx(box.nvs_bytes)


def test_what_a_burst_hardly_fills_is_calm_when_it_ends() -> None:
    line, outcome = _run(BOX, nvs.Phase(60, 379), nvs.Phase(60, 10))
    assert line.occupied_bytes.max() < 0.01 * BOX.nvs_bytes
    assert outcome.recovery_s == 0


RATES = st.floats(0, 1e5)
BOXES = st.builds(
    nvs.Nvs,
    st.floats(1e5, 1e9),
    st.just(4096.0),
    st.floats(10, 1e4),
    st.floats(0, 0.9),
    st.floats(1e5, 1e12) | st.just(math.inf),
    st.floats(0.1, 1),
    st.floats(0, 1),
)
PHASES = st.lists(st.builds(nvs.Phase, st.floats(0.1, 1e5), RATES), min_size=1, max_size=4)


@settings(deadline=None)
@given(BOXES, PHASES)
def test_nothing_is_lost_and_nothing_overflows(box: nvs.Nvs, phases: list[nvs.Phase]) -> None:
    seconds = sum(phase.seconds for phase in phases)
    line, found = _run(box, *phases, step_s=seconds / 50)
    writes = sum(phase.seconds * phase.write_rate for phase in phases)
    assert found.writes == pytest.approx(writes)
    assert line.arrived.sum() == pytest.approx(writes)
    assert line.admitted.sum() + line.waiting[-1] == pytest.approx(writes, abs=1e-3)
    assert line.occupied_bytes.max() <= box.nvs_bytes * (1 + 1e-9)
    assert line.occupied_bytes.min() >= -1e-6 * box.nvs_bytes
    assert line.destaged.max() <= box.destage_rate * seconds / 50 * (1 + 1e-6)
    assert not (line.delay_ms < 0).any()
    assert 0 <= found.delayed_writes <= found.writes * (1 + 1e-9)


@settings(deadline=None)
@given(BOXES, st.floats(1, 1e5), RATES.filter(bool), st.floats(1, 100), st.floats(1, 100))
def test_full_after_does_not_depend_on_the_length_and_falls_with_the_rate(
    box: nvs.Nvs, seconds: float, rate: float, longer: float, higher: float
) -> None:
    full = nvs.outcome(box, [nvs.Phase(seconds, rate)]).full_after_s
    expected = _full_after(box, rate)
    assume(math.isinf(expected) or abs(expected / seconds - 1) > 1e-6)
    assert full == (pytest.approx(expected) if expected < seconds else math.inf)
    assume(math.isfinite(full))
    assert nvs.outcome(box, [nvs.Phase(seconds * longer, rate), nvs.Phase(7, 0)]).full_after_s == full
    assert nvs.outcome(box, [nvs.Phase(seconds, rate * higher)]).full_after_s <= full * (1 + 1e-9)


@settings(deadline=None, max_examples=30)
@given(BOXES, PHASES)
def test_all_delays_together_are_the_time_spent_waiting(box: nvs.Nvs, phases: list[nvs.Phase]) -> None:
    """Little's law, once all writes are through, for any number of phases of the burst."""
    queue = nvs.simulate(box, phases, step_s=sum(p.seconds for p in phases)).waiting[-1]
    silence = nvs.Phase(1 + 2 * queue / (box.destage_rate * box.collapse_ratio), 0)
    found = nvs.outcome(box, [*phases, silence])
    total_s = found.delayed_writes * found.delay_ms_per_delayed_write / 1e3
    waiting = [s for s in course(box, [*phases, silence]) if s.waits]
    ends = [(s.queued_at(0), s.queued_at(s.seconds), s.seconds) for s in waiting]
    assert total_s == pytest.approx(sum((a + b) / 2 * length for a, b, length in ends), rel=1e-6, abs=1e-6)
    halves = [nvs.Phase(p.seconds / 2, p.write_rate) for p in phases for _ in range(2)]
    assert nvs.outcome(box, [*halves, silence]).delayed_writes == pytest.approx(
        found.delayed_writes, rel=1e-6, abs=1e-3
    )


@settings(deadline=None)
@given(BOXES, st.floats(1, 1e4), RATES, RATES)
def test_what_would_be_enough_is_enough_and_no_less(box: nvs.Nvs, seconds: float, rate: float, calm: float) -> None:
    known = nvs.advise(box, rate, seconds, more_bytes=1, calm_rate=calm)
    burst = [nvs.Phase(seconds, rate), nvs.Phase(1e9, calm)]
    now = nvs.outcome(box, burst).delayed_writes > 0
    assert now == (known.verdict != "absorbed")
    assert (known.verdict == "more NVS only delays the overflow") == math.isinf(known.bytes_needed)
    if 1 < known.bytes_needed < math.inf:
        enough, little = (replace(box, nvs_bytes=known.bytes_needed * share) for share in (1.001, 0.999))
        assert nvs.outcome(enough, burst).delayed_writes == 0
        assert nvs.outcome(little, burst).delayed_writes > 0


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"nvs_bytes": 0}, "nvs_bytes"),
        ({"destage_rate": -1}, "destage_rate"),
        ({"rewrite_ratio": 1}, "rewrite_ratio"),
        ({"collapse_ratio": 2}, "collapse_ratio"),
        ({"write_bytes": math.nan}, "write_bytes"),
    ],
)
def test_nonsense_is_named(change: dict[str, float], named: str) -> None:
    with pytest.raises(RequestError, match=named):
        replace(BOX, **change)


@pytest.mark.parametrize("phases", [[], [nvs.Phase(-1, 10)], [nvs.Phase(1, -10)], [nvs.Phase(1, math.nan)]])
def test_impossible_bursts(phases: list[nvs.Phase]) -> None:
    with pytest.raises(RequestError, match="phase"):
        nvs.simulate(BOX, phases)
