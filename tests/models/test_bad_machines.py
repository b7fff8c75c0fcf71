"""A machine file with an impossible number gives an answer or one line that names it, never a traceback."""

import math
from collections.abc import Callable

import pytest

from iosq.models import channel, dump, machine, migrate, nvs, tape
from iosq.models.machine import Machine
from iosq.models.migrate.targets import target_of
from iosq.models.nvs import subsystem
from iosq.toolkit.errors import RequestError

WORK = [migrate.MeasuredVolume(f"V{i}", 20.0, 0.7, 0.8, 4096.0, 1.0, 0.3, 2.0, 1.0, 2.0) for i in range(4)]


def _disk(box: Machine) -> float:
    migrate.forecast(target_of(box), WORK)
    nvs.outcome(nvs.from_machine(box), [nvs.Phase(1, 900)])
    nvs.simulate(nvs.from_machine(box), [nvs.Phase(1, 900)])
    return subsystem.rate_at(box, subsystem.Workload(4096, 0.3, 0.3), 10.0)


def _channel(box: Machine) -> float:
    made = channel.from_machine(box)
    return channel.predict(made, channel.Load(4096, 0.7, 12, 6, 2), distance_km=min(5.0, made.distance_max_km)).io_rate


def _tape(box: Machine) -> float:
    tape.simulate(box, tape.TapeLoad(jobs=8), [tape.TapePhase(3600, 8)])
    return tape.predict(box, tape.TapeLoad(jobs=8, pools=30, dual_copy_ratio=0.5)).sustained_bytes_rate


def _dump(box: Machine) -> float:
    dump.ipcs_time(box, 1e9)
    return dump.dump_time(box, 1e9, volumes=4).value + dump.dump_time(box, 1e9, volumes=4, is_virtual=True).value


MODELS: dict[str, Callable[[Machine], float]] = {"disk": _disk, "channel": _channel, "tape": _tape, "dump": _dump}
CASES = [
    (name, parameter)
    for name in machine.available()
    if machine.load(name).kind in MODELS
    for parameter in machine.load(name).parameters
]


@pytest.mark.parametrize(("name", "parameter"), CASES)
def test_impossible_numbers(name: str, parameter: str) -> None:
    box = machine.load(name)
    for value in (0.0, -1.0, 1e-12, 1e18):
        try:
            answer = MODELS[box.kind](box.varied(**{parameter: value}))
        except RequestError as error:
            assert "\n" not in str(error)
            continue
        assert not math.isnan(answer), value


@pytest.mark.parametrize(("name", "parameter"), CASES)
def test_a_missing_number_is_named(name: str, parameter: str) -> None:
    box = machine.load(name)
    kept = {key: value for key, value in box.parameters.items() if key != parameter}
    try:
        MODELS[box.kind](Machine(box.name, box.title, box.kind, kept))
    except RequestError as error:
        assert parameter in str(error) or "latency" in str(error)
