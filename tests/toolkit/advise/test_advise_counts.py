"""Laws of counts: each has an effect of its own with an interval, and none is more than the addresses allow."""

from __future__ import annotations

import re

from advise_rows import at
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.models.queueing.stations import mmc
from iosq.toolkit.advise.aliases import Need, volume_need
from iosq.toolkit.advise.closed import Crowd, outlook
from iosq.toolkit.advise.finding import Known
from iosq.toolkit.predict import headroom
from iosq.toolkit.predict.open_load import BoxState, Load
from iosq.toolkit.rows import Row
from tests.length import tried

SERVICE_MS = 2.0


def need_of(busy: float, exposures: int, growth: float, cap: int | None) -> Need:
    """A volume with Poisson arrivals that keep a part of its exposures busy, in a box whose rate grows so."""
    rate = busy * exposures / SERVICE_MS * 1e3
    load = Load(rate, float(mmc(rate, SERVICE_MS, exposures).wait_ms), SERVICE_MS, exposures)
    return volume_need(load, BoxState(4.0, 10, None, (growth / 4, growth)), Known(), cap=cap)


@settings(max_examples=tried(25, 300), deadline=None)
@given(st.floats(0.6, 0.95), st.integers(1, 4), st.floats(0.0, 1.0), st.one_of(st.none(), st.integers(0, 6)))
def test_every_count_fits_and_has_its_own_effect(busy: float, exposures: int, growth: float, room: int | None) -> None:
    now = exposures - 1
    cap = None if room is None else now + room
    need = need_of(busy, exposures, growth, cap)
    made, e = need.columns(now), need.effect
    (count,) = map(int, re.findall(r"with (\d+) alias", e.what))
    response = {step.count: step.response_ms.value for step in need.curve.steps}
    assert e.value == response[count], "the effect is that of the count it names"
    assert e.low <= e.value <= e.high and (e.low < e.high or count == now), "a model is never certain"
    if made["has_room"] and cap is not None:
        named = (made["fewest"], made["likely"], made["most"], count)
        assert all(n <= cap for n in named if n is not None), "no count exceeds the addresses"
    if not made["has_room"]:
        assert cap is not None and made["need_fewest"] > cap
    assert made["gains"] or round(100 * (1 - e.value / e.now)) <= 0, "aliases are withheld only without a gain"


@settings(max_examples=tried(15, 300), deadline=None)
@given(
    st.lists(st.floats(0.5, 6.0), min_size=1, max_size=5),
    st.integers(1, 4),
    st.sampled_from([(0.0, 0.1), (0.5, 0.5), (0.2, 0.8), (0.9, 1.0)]),
    st.one_of(st.none(), st.integers(0, 6)),
)
def test_closed_work_gets_no_count_without_a_gain(
    queues: list[float], exposures: int, growth: tuple[float, float], room: int | None
) -> None:
    rows = [closed_row(f"VOL{n:03}", queue, exposures, growth) for n, queue in enumerate(queues)]
    crowd = Crowd(rows, [True] * len(rows))
    o = outlook(crowd, 15, Known(), None if room is None else crowd.aliases + room)
    made, e = o.columns(), o.effect
    assert e.low <= e.value <= e.high
    if room:
        assert all(s.count <= crowd.aliases + room for s in o.curve.steps), "no count exceeds the addresses"
    assert ("if its LCU had addresses" in e.what) is not (made["has_room"] or o.best == crowd.aliases)
    if o.known and o.gain.value > 1.05:
        assert o.best > crowd.aliases and round(100 * (1 - e.value / e.now)) > 0
        assert e.low < e.high and o.gain.low < o.gain.high, "a model is never certain"


def closed_row(name: str, queue: float, exposures: int, growth: tuple[float, float]) -> Row:
    """A volume whose exposures are all busy, in a box whose rate grows so."""
    rate = exposures / SERVICE_MS * 1e3
    low, high = growth
    row: Row = {
        **headroom.NOTHING,
        "box": "CD111",
        "system": "SYSA",
        "volume": name,
        "io_rate": rate,
        "service_ms": SERVICE_MS,
    }
    row |= {"in_service": float(exposures), "queue_length": queue, "exposures": exposures, "read_ratio": 0.7}
    row |= {"points": 40, "elasticity_ratio": (low + high) / 2, "fit_ratio": 0.0, "spread_ratio": (high - low) / 4}
    return row | {"in_service_max": 40.0, "in_service_min": 2.0, "interval_start": at(0)}


def test_the_first_alias_is_named_where_it_brings_most_of_the_gain() -> None:
    need = need_of(0.95, 1, 1.0, None)
    assert " ms with 1 (the first alias brings most of the gain)" in need.effect.basis
