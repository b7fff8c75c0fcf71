"""Events per second of both engines and of SimPy on the same model, in the same run.

An event is a change of state any engine must make: arrival, box entry, front end done, arm done or NVS admission,
destage done, completion. The counts per I/O are the same for all, so the ratio is also that of I/Os per second.
"""

import random
import time
from collections.abc import Callable, Generator
from typing import Any

import numpy as np
import simpy

from iosq.models import events
from iosq.models.events import Box, Host

HOST = Host(volumes=8, exposures=3, population=5)
BOX = Box(
    front_ms=0.12, latency_ms=0.3, read_ratio=0.67, hit_ratio=0.9, arms=32, arm_ms=8.0, nvs_slots=50, destage_ms=0.3
)
REPEATS = 5
EVENTS_PER_IO = 4 + BOX.read_ratio * (1 - BOX.hit_ratio) + 2 * (1 - BOX.read_ratio)


class SimpyModel:
    """The model of `iosq.models.events` in SimPy's own words."""

    def __init__(self) -> None:
        self.env = simpy.Environment()
        self.rng = random.Random(1)
        self.front = simpy.Resource(self.env)
        self.arms = [simpy.Resource(self.env) for _ in range(BOX.arms)]
        self.room = simpy.Container(self.env, BOX.nvs_slots, init=BOX.nvs_slots)
        self.destage = simpy.Resource(self.env)
        self.done = 0

    def requester(self, exposures: Any) -> Generator[Any, Any, None]:
        while True:
            with exposures.request() as exposure:
                yield exposure
                yield from self.serve(self.front, BOX.front_ms)
                u = self.rng.random()
                if u >= BOX.read_ratio:
                    yield self.room.get(1)
                    self.env.process(self.free_room())
                elif u >= BOX.read_ratio * BOX.hit_ratio:
                    yield from self.serve(self.rng.choice(self.arms), BOX.arm_ms)
                yield self.env.timeout(BOX.latency_ms)
            self.done += 1

    def serve(self, station: Any, mean_ms: float) -> Generator[Any, Any, None]:
        with station.request() as turn:
            yield turn
            yield self.env.timeout(self.rng.expovariate(1 / mean_ms))

    def free_room(self) -> Generator[Any, Any, None]:
        yield from self.serve(self.destage, BOX.destage_ms)
        yield self.room.put(1)

    def run(self, ios: int) -> float:
        """I/Os per ms over the second half."""
        for _ in range(HOST.volumes):
            exposures = simpy.Resource(self.env, HOST.exposures)
            for _ in range(HOST.population):
                self.env.process(self.requester(exposures))
        self.until(ios // 2)
        half = self.env.now
        self.until(ios)
        return ios / 2 / float(self.env.now - half)

    def until(self, ios: int) -> None:
        while self.done < ios:
            self.env.step()


def _timed(simulate: Callable[..., events.Trace], ios: int, replications: int) -> tuple[float, float, float]:
    """I/Os per second of the engine, the same with drawing of random numbers, and I/Os per ms of the model."""
    before = time.perf_counter()
    samples = events.draw(HOST, BOX, ios=ios, replications=replications, rng=np.random.default_rng(1))
    drawn = time.perf_counter()
    trace = simulate(HOST, BOX, samples)
    after = time.perf_counter()
    rate = events.summarize(trace, warm_up=0.5).io_rate.mean
    return ios * replications / (after - drawn), ios * replications / (after - before), rate


def _simpy(ios: int) -> tuple[float, float, float]:
    start = time.perf_counter()
    rate = SimpyModel().run(ios)
    speed = ios / (time.perf_counter() - start)
    return speed, speed, rate


def _median(run: Callable[[], tuple[float, float, float]]) -> tuple[float, float, float]:
    return sorted(run() for _ in range(REPEATS))[REPEATS // 2]


def main() -> None:
    """Print one line per engine, the median of some runs each."""
    rows = {
        "SimPy": _median(lambda: _simpy(20_000)),
        "event list": _median(lambda: _timed(events.heap.simulate, 10_000, 2)),
        "job stepping, 4096 replications": _median(lambda: _timed(events.stepping.simulate, 1_000, 4096)),
    }
    base, base_drawn, _ = rows["SimPy"]
    for name, (speed, drawn, rate) in rows.items():
        print(f"{name:32s} {speed * EVENTS_PER_IO / 1e6:7.2f} M events/s  x{speed / base:<4.0f}", end=" ")
        print(f"with drawing {drawn * EVENTS_PER_IO / 1e6:6.2f} M  x{drawn / base_drawn:<4.0f} {rate:.2f} I/Os per ms")


if __name__ == "__main__":
    main()
