"""`advise migrate` and `simulate migrate` are one model: random work, every machine, every growth, the same answer."""

import math
import re
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from iosq.models.machine import load
from iosq.models.migrate import BoxCount, forecast
from iosq.models.migrate.targets import target_of
from iosq.models.migrate.workload import MeasuredVolume
from iosq.toolkit.advise.migrate import GROWTHS, Carried, _details, _effect, _numbers, carried, targets
from iosq.toolkit.advise.text import expected
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.migrate import Wish, _response, answer, mean_response_ms
from tests.length import tried

ratio, ms = st.floats(0, 1), st.floats(0, 8)
# more than one exposure can carry on any of the machines
BUSY = MeasuredVolume("V", 2000.0, 1.0, 1.0, 4096.0, 1.0, 0.1, 0.1, 0.2)
volume = st.builds(
    MeasuredVolume,
    volume=st.just("V"),
    io_rate=st.floats(1, 900),
    read_ratio=ratio,
    read_hit_ratio=ratio,
    bytes_per_io=st.just(4096.0),
    wait_ms=ms,
    pend_ms=ms,
    disc_ms=ms,
    conn_ms=st.floats(0.1, 4),
    exposures=st.integers(1, 9).map(float),
    footprint_gb=st.just(1.0),
)


def asked(volumes: list[MeasuredVolume], machine: str, growth: float) -> Answer | None:
    try:
        return answer(volumes, Wish(machine, growth=growth), "they", ())
    except RequestError:
        return None


def planned(found: Carried) -> dict[float, int]:
    """Boxes by growth, as advice says it: for today and for the most it can be made to carry."""
    stated = {1.0: found.now, GROWTHS[len(found.forecasts) - 1]: found.planned} if found.forecasts else {}
    return {growth: count.boxes for growth, count in stated.items() if count}


@pytest.mark.parametrize("machine", targets())
@settings(max_examples=tried(4, 8), deadline=None)
@example(volumes=[BUSY])
@given(volumes=st.lists(volume, min_size=1, max_size=12))
def test_both_commands_count_the_same_boxes_and_nothing_is_over_busy(
    machine: str, volumes: list[MeasuredVolume]
) -> None:
    found = carried(target_of(load(machine)), volumes)
    boxes = planned(found)
    for growth in GROWTHS:
        simulated = asked(volumes, machine, growth)
        if growth in boxes:
            assert simulated is not None
            assert simulated.common["boxes"] == boxes[growth]
        elif not boxes:
            assert simulated is None, "what advice refuses can't be simulated either"
        for text in simulated.conclusions if simulated else ():
            assert all(float(share) <= 100 for share in re.findall(r"([\d.]+) %", text)), text
            assert not re.search(r"\b(inf|nan)\b", text)
    assert 1 <= found.fewest <= (found.now.boxes if found.now else 1)
    if found.forecasts:
        basis = _effect(found, volumes).basis
        reported = re.findall(r"this is (\S+) GB", basis)
        assert reported == re.findall(r"this is (\S+) GB", found.forecasts[0].beyond), "of the count that is advised"
    assert all(n.value <= 100 for n in _numbers(found) if n.unit == "% busy" and isinstance(n.value, float))


@pytest.mark.parametrize("high", [4.5, math.inf])
def test_heading_expectation_and_what_if_say_one_interval(high: float) -> None:
    """An end beyond today's response is no reason to leave it out."""
    target = target_of(load("ds8100"))
    f = forecast(target, [replace(BUSY, io_rate=9.0)])
    f = replace(f, response_ms=3.05, response_low_ms=2.0, response_high_ms=high)
    found = Carried(target, BoxCount(1, ""), BoxCount(1, ""), (f,), "")
    stated = f"3.05 ms (2 {'or more' if math.isinf(high) else 'to 4.5'})"
    for text in (_details(found, [BUSY]), expected(_effect(found, [BUSY])), _response(f)):
        assert stated in text


@given(volumes=st.lists(volume, min_size=1, max_size=5))
def test_now_is_the_measurement_weighted_by_ios(volumes: list[MeasuredVolume]) -> None:
    total = sum(v.io_rate for v in volumes)
    measured = sum(v.io_rate * (v.wait_ms + v.pend_ms + v.disc_ms + v.conn_ms) for v in volumes) / total
    assert math.isclose(mean_response_ms(volumes), measured, rel_tol=1e-9)


def test_a_count_that_rests_on_the_disks_of_a_study_is_a_range() -> None:
    target, far = target_of(load("ds8100")), "more data than was measured"
    many = {"destage": 7, "front end": 1, "arms": 2}
    assert Carried(target, BoxCount(7, ""), BoxCount(7, ""), (), "", far, many).fewest == 2
    assert Carried(target, BoxCount(7, ""), BoxCount(7, ""), (), "", "", many).fewest == 7, "within what was measured"
    assert Carried(target, BoxCount(2, ""), BoxCount(2, ""), (), "", far, {"box": 2}).fewest == 2, "no other source"
