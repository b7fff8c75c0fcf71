"""Laws of counts: each has an effect of its own with an interval, and none is more than the addresses allow."""

import random
import re

import pytest
from advise_rows import at, database, volume
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.models.queueing.stations import mmc_wait_ms
from iosq.toolkit.advise.aliases import Need, more, volume_need
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.closed import outlook
from iosq.toolkit.advise.engine import apply
from iosq.toolkit.advise.finding import Curve, Effect, Known
from iosq.toolkit.advise.table import phrases
from iosq.toolkit.advise.templates import rendered
from iosq.toolkit.advise.text import change
from iosq.toolkit.predict import headroom
from iosq.toolkit.predict.closed_load import Crowd
from iosq.toolkit.predict.open_load import BoxState, Load
from iosq.toolkit.rows import Row
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.units import human_number
from tests.length import tried

SERVICE_MS = 2.0
EFFECT = Effect("response", "ms", 4.0, 2.0, 1.0, 3.0, "a model")


def need_of(busy: float, exposures: int, growth: float, cap: int | None) -> Need:
    """A volume with Poisson arrivals that keep a part of its exposures busy, in a box whose rate grows so."""
    rate = busy * exposures / SERVICE_MS * 1e3
    load = Load(rate, float(mmc_wait_ms(rate, SERVICE_MS, exposures)), SERVICE_MS, exposures)
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


@pytest.mark.parametrize(
    "cap, likely, count", [(40, 30, "at least 2 more aliases, 28 likely"), (22, None, "at least 2 more aliases")]
)
def test_a_likely_count_fits_into_the_addresses(cap: int, likely: int | None, count: str) -> None:
    need = Need(4, 30, None, EFFECT, Curve("aliases", 2, (), "", True), cap)
    made = need.columns(2)
    assert (made["likely"], made["count"], made["is_cut"]) == (likely, count, True)
    words = rendered(phrases()["address_limit"], made, "here")
    assert words == f". The addresses of the LCU allow at most {cap - 2} more aliases"


@pytest.mark.parametrize(
    ("low", "likely", "high", "count"),
    [
        (1, None, 14, "1 more alias first, then up to 14 in all while it waits"),
        (3, None, 12, "3 more aliases first, then up to 12 in all while it waits"),
        (3, None, 11, "3 to 11 more aliases"),
        (1, 4, 14, "4 (1 to 14) more aliases"),
    ],
)
def test_of_wide_bounds_without_a_likely_count_the_first_is_tried_first(
    low: int, likely: int | None, high: int, count: str
) -> None:
    assert more(low + 2, None if likely is None else likely + 2, high + 2, 2) == count


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
    assert ("if its LCU had addresses" in e.what) is not made["has_room"]
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
        "wait_ms": 1e3 * queue / rate,
    }
    row |= {"in_service": float(exposures), "queue_length": queue, "exposures": exposures, "own_read_ratio": 0.7}
    row |= {"points": 40, "elasticity_ratio": (low + high) / 2, "fit_ratio": 0.0, "spread_ratio": (high - low) / 4}
    return row | {"in_service_max": 40.0, "in_service_min": 2.0, "interval_start": at(0)}


def test_the_first_alias_is_named_where_it_brings_most_of_the_gain() -> None:
    need = need_of(0.99, 1, 1.0, None)
    first = " ms with 1 (the first alias brings most of the gain)"
    assert first in need.effect.basis
    closed = closed_row("VOL000", 2.0, 1, (0.9, 1.0))
    assert first in outlook(Crowd([closed], [True]), 15, Known()).effect.basis


RULES = {rule.code: rule for rule in all_rules() if rule.code in ("pav_add_alias", "closed_load")}


def random_volumes(seed: int) -> Connection:
    """Volumes of their own LCU and box: rates, service times, growth of these, exposures and addresses at random."""
    rng, rows, devices = random.Random(seed), [], []
    for number in range(40):
        lcu, exposures, service = f"{number:04X}", rng.randint(1, 5), rng.choice([0.2, 0.5, 1.0, 3.0, 10.0])
        top, queue = rng.uniform(0.3, 1.02) * exposures / service * 1e3, rng.choice([0.55, 0.7, 1.0, 2.0, 5.0, 15.0])
        peaks, slows, varies = rng.sample(range(12), rng.randint(1, 4)), rng.choice([0.0, 0.5, 2.0]), rng.random() < 0.6
        for n in range(12):
            rate = top if n in peaks else top * (rng.uniform(0.1, 0.9) if varies else 0.93)
            ms = service * (1 + slows * rate / top) / (1 + slows)
            rows.append(
                volume(n, f"V{lcu}", rate=rate, wait=1e3 * queue / rate if n in peaks else 0.0, pend=0.2 * ms,
                       disc=0.3 * ms, conn=0.5 * ms, exposures=exposures, lcu=lcu, is_hyperpav=False, read_ratio=0.7)
            )  # fmt: skip
        bases = (20, 250, 255 - exposures, 256 - exposures)[number % 4]
        devices += [
            {"interval_start": at(0), "device": f"{number:02X}{d:03X}", "lcu": lcu, "role": "base"}
            for d in range(bases)
        ]
    return database(("pav_candidate",), volume_interval=rows, device_interval=devices)


@settings(max_examples=tried(25, 300), deadline=None)
@given(st.floats(0.3, 0.93), st.floats(1.01, 1.06), st.integers(1, 6), st.floats(0.0, 1.0))
def test_a_range_has_the_likely_count_and_more_work_never_asks_for_fewer(
    busy: float, more: float, exposures: int, growth: float
) -> None:
    less, much = (need_of(b, exposures, growth, None) for b in (busy, busy * more))
    for need in (less, much):
        counts = [n for n in (need.fewest, need.likely, need.most) if n is not None]
        assert counts == sorted(counts)
    for name in ("fewest", "likely", "most"):
        few, many = getattr(less, name), getattr(much, name)
        assert many is None or (few is not None and few <= many), name


@pytest.mark.parametrize("seed", range(tried(2, 40)))
def test_no_aliases_are_advised_whose_effect_is_none(seed: int) -> None:
    """A law: where aliases are wanted, the response gets shorter as shown, with an interval, and below today's."""
    con = random_volumes(seed)
    found = [f for rule in RULES.values() for f in apply(con, rule) if f.aliases]
    wanted = [f for f in found if f.aliases and f.aliases.verdict in ("add", "no_address")]
    assert {f.aliases.verdict for f in wanted if f.aliases} == {"add", "no_address"}
    for f in wanted:
        e = f.effect
        assert e is not None and f.aliases is not None
        assert e.low < e.high and e.low < 0.995 * e.now and e.value <= e.now, f
        if e.identifiable:
            assert human_number(e.value) != human_number(e.now) and "no gain" not in change(e), f
        assert f.aliases.most is None or f.aliases.most > (f.aliases.now or 0), f


@pytest.mark.parametrize("varies", [True, False])
def test_a_wait_too_short_to_gain_is_kept(varies: bool) -> None:
    """0.05 ms in front of 0.2: half an I/O waits at 11,000 per second."""
    rows = [
        volume(n, rate=11_000.0 if n < 2 or not varies else 500.0 * n, wait=0.05 if n < 2 else 0.0, pend=0.05,
               disc=0.05, conn=0.1, exposures=4.0)
        for n in range(12)
    ]  # fmt: skip
    (finding,) = apply(database(("pav_candidate",), volume_interval=rows), RULES["pav_add_alias"])
    assert finding.aliases is not None and (finding.severity, finding.aliases.verdict) == ("watch", "wont_help")
    assert finding.advice.startswith("Add no aliases (now 3): IOSQ is 0.05 ms at the peak") and finding.effect is None
