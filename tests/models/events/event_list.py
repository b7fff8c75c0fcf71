"""An event list, one replication at a time."""

import heapq
from collections import deque
from collections.abc import Callable

import numpy as np

from tests.models.events.queues import HIT, MISS, Box, Host, Samples, Trace

Action = Callable[[float], None]


class _Station:
    """First come, first served by `servers` equal servers; `done` is called when a job leaves."""

    def __init__(self, schedule: Callable[[float, Action], None], servers: int = 1) -> None:
        self.schedule, self.idle = schedule, servers
        self.queue: deque[tuple[float, Action]] = deque()

    def arrive(self, now: float, service_ms: float, done: Action) -> None:
        self.queue.append((service_ms, done))
        self._start(now)

    def _start(self, now: float) -> None:
        if self.idle and self.queue:
            self.idle -= 1
            service_ms, done = self.queue.popleft()
            self.schedule(now + service_ms, lambda at: self._leave(at, done))

    def _leave(self, now: float, done: Action) -> None:
        self.idle += 1
        self._start(now)
        done(now)


class _Run:
    """One replication: the state of every queue and the record of what happened."""

    def __init__(self, host: Host, box: Box, samples: Samples, lane: int) -> None:
        self.host, self.box, self.samples, self.lane = host, box, samples, lane
        self.ios = len(samples.kind)
        self.events: list[tuple[float, int, Action]] = []
        self.pushed = self.entered = 0
        self.waiting: list[deque[float]] = [deque() for _ in range(host.volumes)]
        self.exposures = [host.exposures] * host.volumes
        self.arrived = [0] * host.volumes
        self.front = _Station(self.schedule, box.front_servers)
        self.arms = [_Station(self.schedule) for _ in range(box.arms)]
        self.destage = _Station(self.schedule)
        self.slots = box.nvs_slots
        self.nvs_queue: deque[tuple[int, Action]] = deque()
        self.rows = np.full((3, self.ios), np.nan)
        self.volume = np.zeros(self.ios, dtype=np.int64)
        self.open_jobs = 0

    def schedule(self, at: float, action: Action) -> None:
        heapq.heappush(self.events, (at, self.pushed, action))
        self.pushed += 1

    def run(self) -> None:
        """Until the wanted number of I/Os has entered and completed."""
        for volume in range(self.host.volumes):
            self._seed(volume)
        while self.events and (self.entered < self.ios or self.open_jobs):
            at, _, action = heapq.heappop(self.events)
            action(at)

    def _seed(self, volume: int) -> None:
        if self.host.arrival_rates:
            self._next_open(0.0, volume)
            return
        for start in self.samples.starts[:, volume, self.lane]:
            self.schedule(float(start), lambda at: self._arrive(at, volume))

    def _next_open(self, now: float, volume: int) -> None:
        gaps = self.samples.gaps[:, volume, self.lane]
        if self.arrived[volume] < len(gaps):
            gap = float(gaps[self.arrived[volume]])
            self.arrived[volume] += 1
            self.schedule(now + gap, lambda at: self._arrive_open(at, volume))

    def _arrive_open(self, now: float, volume: int) -> None:
        self._next_open(now, volume)
        self._arrive(now, volume)

    def _arrive(self, now: float, volume: int) -> None:
        self.waiting[volume].append(now)
        self._enter(now, volume)

    def _enter(self, now: float, volume: int) -> None:
        if not (self.exposures[volume] and self.waiting[volume]) or self.entered == self.ios:
            return
        self.exposures[volume] -= 1
        job, self.entered, self.open_jobs = self.entered, self.entered + 1, self.open_jobs + 1
        self.rows[:2, job] = self.waiting[volume].popleft(), now
        self.volume[job] = volume
        self.front.arrive(now, float(self.samples.front_ms[job, self.lane]), lambda at: self._served(at, job))

    def _served(self, now: float, job: int) -> None:
        kind = self.samples.kind[job, self.lane]
        if kind == HIT:
            self._finish(now, job)
        elif kind == MISS:
            arm = self.arms[self.samples.arm[job, self.lane]]
            arm.arrive(now, float(self.samples.arm_ms[job, self.lane]), lambda at: self._finish(at, job))
        else:
            self.nvs_queue.append((job, lambda at: self._finish(at, job)))
            self._admit(now)

    def _admit(self, now: float) -> None:
        while self.nvs_queue and (self.slots or not self.box.nvs_slots):
            job, done = self.nvs_queue.popleft()
            done(now)
            if self.box.nvs_slots:
                self.slots -= 1
                station = self.arms[self.samples.arm[job, self.lane]] if self.box.destages_on_arms else self.destage
                station.arrive(now, float(self.samples.destage_ms[job, self.lane]), self._destaged)

    def _destaged(self, now: float) -> None:
        self.slots += 1
        self._admit(now)

    def _finish(self, now: float, job: int) -> None:
        self.schedule(now + self.box.latency_ms, lambda at: self._complete(at, job))

    def _complete(self, now: float, job: int) -> None:
        volume = int(self.volume[job])
        self.rows[2, job] = now
        self.open_jobs -= 1
        self.exposures[volume] += 1
        if not self.host.arrival_rates:
            think_ms = float(self.samples.think_ms[job, self.lane])
            self.schedule(now + think_ms, lambda at: self._arrive(at, volume))
        self._enter(now, volume)


def simulate(host: Host, box: Box, samples: Samples) -> Trace:
    """Run every replication of the samples, one after the other."""
    runs = [_Run(host, box, samples, lane) for lane in range(samples.kind.shape[1])]
    for run in runs:
        run.run()
    rows = np.stack([run.rows for run in runs], axis=2)
    return Trace(rows[0], rows[1], rows[2], samples.kind, np.stack([run.volume for run in runs], axis=1))
