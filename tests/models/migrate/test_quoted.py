"""Machines known by a quote: its numbers bound the answer; forms name what to ask."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iosq.models import channel, machine, migrate
from iosq.models.machine import Machine, Parameter
from iosq.models.migrate.targets import Target, target_of
from iosq.models.queueing.stations import mmc_wait_ms
from iosq.toolkit.errors import RequestError


def _quoted(hit_ms: float = 0.2, miss_ms: float = 0.5, rate_max: float = 100_000.0) -> Target:
    numbers = {"hit_ms": hit_ms, "miss_ms": miss_ms, "rate_max": rate_max}
    parameters = {name: Parameter(value, "", "a quote", "sheet") for name, value in numbers.items()}
    return target_of(Machine("ours", "ours as quoted", "quoted", parameters))


def _volumes(rate: float, hits: float = 0.8, reads: float = 0.7) -> list[migrate.MeasuredVolume]:
    return [
        migrate.MeasuredVolume(f"VOL{i}", rate, reads, hits, 4096.0, 0.0, 0.1, 0.5, 0.2, exposures=500.0)
        for i in range(4)
    ]


def test_a_quiet_box_takes_the_quoted_times() -> None:
    made = migrate.forecast(_quoted(), _volumes(1e-3))
    assert made.volumes[0].service_ms == pytest.approx(
        0.2 + 0.7 * 0.2 * 0.3 + 0.1, rel=1e-6
    )  # half of a hit moves data


def test_the_channels_that_bind_are_named() -> None:
    front = migrate.Front(channel.from_machine(machine.load("express8s")), 1)
    made = migrate.forecast(_quoted(rate_max=1e6), _volumes(20_000.0), front=front)
    assert made.saturates_first == "channels (port)"
    assert made.growth_max == pytest.approx(92_000 / 80_000, rel=1e-3)


@given(st.floats(0.05, 0.95), st.integers(2, 400))
def test_equal_servers_lie_between_floor_and_ceiling(busy: float, servers: int) -> None:
    """M/M/c, exact: a box of equal servers is one of those that a quote leaves open."""
    rate_max = servers / 0.2e-3
    box, work = _quoted(0.2, 0.2, rate_max), _volumes(busy * rate_max / 4)
    load = migrate.together(work)
    exact = 0.2 + float(mmc_wait_ms(load.io_rate, 0.2, servers))
    low, likely, high = (box.at_end(end, load).service_ms(load, work)[0] for end in (-1, 0, 1))
    assert low <= exact <= high
    assert likely == pytest.approx(exact, rel=0.2)


def test_beyond_the_quoted_rate_nothing_is_promised() -> None:
    work = _volumes(30_000.0)
    load = migrate.together(work)
    for end in (-1, 0, 1):
        assert math.isinf(_quoted().at_end(end, load).service_ms(load, work)[0])


@pytest.mark.parametrize("name", machine.forms())
def test_a_form_names_what_to_ask(name: str) -> None:
    form = machine.forms()[name]
    with pytest.raises(RequestError, match=re.escape(f"write {form['numbers']}")):
        machine.load(name)


def test_the_numbers_of_a_form_are_those_its_kind_needs() -> None:
    like = {"tape": "vts-b20", "channel": "ficon"}
    for form in machine.forms().values():
        asked = set(re.findall(r"[a-z]+_[a-z_0-9]+", form["numbers"]))
        known = {"hit_ms", "miss_ms", "rate_max"}
        if form["kind"] in like:
            known = set(machine.load(like[form["kind"]]).parameters)
        assert asked and asked <= known, form["title"]


CHANNELS = [name for name in machine.available() if machine.load(name).kind == "channel"]
BOXES = [name for name in machine.available() if machine.load(name).kind in ("box", "disk")]


@pytest.mark.parametrize("to", ["a quote", *BOXES])
@pytest.mark.parametrize("name", CHANNELS)
def test_any_channel_in_front_of_any_box_is_a_station_with_its_limit(name: str, to: str) -> None:
    target = target_of(machine.load(to)) if to in BOXES else _quoted()
    link, load = channel.from_machine(machine.load(name)), migrate.together(_volumes(20.0))
    one, eight = (migrate.stations(target, load, migrate.Front(link, count)) for count in (1, 8))
    ((station, share),) = ((n, s) for n, s in one.items() if n.startswith("channels"))
    assert station == ("channels (port)" if link.is_overlapped else "channels")
    assert share == pytest.approx(80 / channel.limit(link, 4096, 0.7)[1])
    assert eight[station] == pytest.approx(share / 8)
