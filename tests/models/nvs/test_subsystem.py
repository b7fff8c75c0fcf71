"""The cached subsystem: known queueing answers, laws of the envelope, and the machine it was made for."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.models import machine, nvs
from iosq.models.nvs import subsystem
from iosq.models.nvs.subsystem import Workload
from iosq.toolkit.errors import RequestError

BOX = machine.load("ibm3990-6")
LOADS = st.builds(
    Workload,
    block_bytes=st.sampled_from([4096.0, 27998.0]),
    write_ratio=st.floats(0, 1),
    read_miss_ratio=st.floats(0, 1),
    is_track_staged=st.booleans(),
)


@pytest.mark.parametrize(("block", "count"), [(4096, 12), (27998, 2), (56664, 1), (80, 78)])
def test_records_per_3390_track(block: int, count: int) -> None:
    assert subsystem.records_per_track(block) == count


def test_four_storage_paths_wait_as_m_m_4() -> None:
    """All hits at 80 % of the maximum: Erlang C(4, 3.2) = 0.5964, wait = C x s / (4 - 3.2)."""
    load = Workload(4096, 0.0, 0.0)
    service = 4e3 / subsystem.max_rate(BOX, load)
    wait = subsystem.response_ms(BOX, load, 0.8 * subsystem.max_rate(BOX, load)) - 1.2
    assert wait == pytest.approx(0.5964 * service / 0.8, rel=1e-3)


def _fullest(load: Workload) -> str:
    busy = subsystem.utilization(BOX, load, 1.0)
    return max(busy, key=lambda part: busy[part])


def test_writes_alone_are_destage_limited() -> None:
    load = Workload(4096, 1.0, 0.0)
    merged = BOX.value("destage_per_write_ratio")
    bucket = nvs.from_machine(BOX, rewrite_ratio=1 - merged)
    assert subsystem.max_rate(BOX, load) == pytest.approx(nvs.sustained_rate(bucket))
    assert _fullest(load) == "back-end paths"


@settings(max_examples=40, deadline=None)
@given(LOADS, st.floats(0.05, 0.95))
def test_response_grows_with_load_to_infinity(load: Workload, share: float) -> None:
    top = subsystem.max_rate(BOX, load)
    idle, loaded = subsystem.response_ms(BOX, load, 0), subsystem.response_ms(BOX, load, share * top)
    assert idle <= loaded < math.inf
    assert subsystem.response_ms(BOX, load, top) == math.inf
    assert subsystem.rate_at(BOX, load, loaded) == pytest.approx(share * top, rel=0.02)


@settings(max_examples=40, deadline=None)
@given(LOADS)
def test_bigger_blocks_and_track_staging_never_help(load: Workload) -> None:
    assert subsystem.max_rate(BOX, replace(load, block_bytes=27998.0)) <= subsystem.max_rate(
        BOX, replace(load, block_bytes=4096.0)
    )
    by_track = subsystem.max_rate(BOX, replace(load, is_track_staged=True))
    assert by_track <= subsystem.max_rate(BOX, replace(load, is_track_staged=False))


def test_one_hot_device_limits_alone() -> None:
    load = Workload(4096, 0.0, 0.3, shares=(0.9, *(0.1 / 63,) * 63))
    assert _fullest(load) == "hottest arm"
    assert subsystem.max_rate(BOX, load) < 0.2 * subsystem.max_rate(BOX, replace(load, shares=()))


def test_an_unreachable_target_is_rate_zero() -> None:
    assert subsystem.rate_at(BOX, Workload(4096, 0.0, 0.0), 1.0) == 0.0


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"write_ratio": -0.1}, "write_ratio"),
        ({"read_miss_ratio": 2}, "read_miss_ratio"),
        ({"block_bytes": 0}, "block_bytes"),
        ({"shares": (0.5, 0.6)}, "shares"),
    ],
)
def test_nonsense_is_named(change: dict[str, float], named: str) -> None:
    with pytest.raises(RequestError, match=named):
        replace(Workload(4096, 0.5, 0.5), **change)  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="io_rate"):
        subsystem.response_ms(BOX, Workload(4096, 0.5, 0.5), -1)


def test_a_machine_may_state_its_destage_rate() -> None:
    box = replace(BOX, parameters={"nvs_bytes": BOX.parameters["nvs_bytes"]})
    with pytest.raises(RequestError, match="destage_rate"):
        nvs.from_machine(box)
    rate = machine.Parameter(990.0, "per s", "x", "fitted")
    assert nvs.from_machine(replace(box, parameters={**box.parameters, "destage_rate": rate})).destage_rate == 990
