"""The fast engine: no event list. Each step takes the I/O that enters the box next and pushes it through, in all
replications at once.

Exact while every station sees I/Os in the order in which they are stepped (box entry): one front-end server keeps
that order, arms and NVS come last and serve one at a time. Not exact, and refused, with several front-end servers or
with destage on the arms, where a later I/O may be served before an earlier one. Random numbers are the heap engine's,
so both give the same instants.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from iosq.models.events.model import MISS, WRITE, Array, Box, Host, Samples, Trace
from iosq.toolkit.errors import RequestError

Index = NDArray[np.int64]


def is_exact(box: Box) -> bool:
    """Whether job stepping gives the same instants as an event list for this box."""
    return box.front_servers == 1 and not box.destages_on_arms


def simulate(host: Host, box: Box, samples: Samples) -> Trace:
    """Run all replications of the samples side by side.

    Raises:
        RequestError: the box is one for which stepping is not exact.
    """
    if not is_exact(box):
        raise RequestError(
            "job stepping is not exact with several front-end servers or destage on the arms",
            remedy="use the event-list engine",
        )
    source = _Open(host, samples) if host.arrival_rates else _Closed(host, samples)
    stations = _Stations(box, samples)
    shape = samples.kind.shape
    arrival, entry, completion = (np.empty(shape) for _ in range(3))
    volumes = np.empty(shape, dtype=np.int64)
    for step in range(shape[0]):
        volumes[step], arrival[step], entry[step] = source.next()
        completion[step] = stations.serve(step, entry[step])
        source.completed(step, completion[step])
    return Trace(arrival, entry, completion, samples.kind, volumes)


class _Source:
    """Volumes with their exposures: when can each send its next I/O into the box?

    State is kept flat: column `volume * lanes + lane`, because numpy gathers flat columns several times faster than
    pairs of indices. `ready` has one row of columns; `free` one per exposure, sorted, the first to be free on top.
    """

    def __init__(self, host: Host, samples: Samples) -> None:
        self.lanes = samples.kind.shape[1]
        self.columns = host.volumes * self.lanes
        self.lane: Index = np.arange(self.lanes)
        self.free = np.zeros((host.exposures, self.columns))
        self.ready: Array = np.zeros(self.columns)
        self.column: Index = self.lane

    def next(self) -> tuple[Index, Array, Array]:
        """Volume, arrival and box entry of the next I/O of every lane."""
        volume = self.ready.reshape(-1, self.lanes).argmin(axis=0)
        self.column = volume * self.lanes + self.lane
        return volume, self._arrival(), self.ready.take(self.column)

    def _arrival(self) -> Array:
        raise NotImplementedError

    def completed(self, step: int, completion: Array) -> None:
        """The exposure is free at completion; the volume is ready once it and the next I/O are there."""
        exposure_free = _replace_first(self.free, self.column, completion)
        self.ready[self.column] = np.maximum(self._next_arrival(step, completion), exposure_free)

    def _next_arrival(self, step: int, completion: Array) -> Array:
        raise NotImplementedError


def _replace_first(rows: Array, column: Index, value: Array) -> Array:
    """In the given columns drop the first (smallest) row, put `value` where it belongs; the new first row."""
    first = value
    for k in range(1, len(rows)):
        row = rows[k].take(column)
        rows[k - 1][column] = low = np.minimum(row, value)
        value = np.maximum(row, value)
        first = low if k == 1 else first
    rows[-1][column] = value
    return first


class _Closed(_Source):
    """A fixed number of requesters per volume; `arrivals` holds the next I/O of each, sorted."""

    def __init__(self, host: Host, samples: Samples) -> None:
        super().__init__(host, samples)
        self.arrivals = np.sort(samples.starts.reshape(len(samples.starts), self.columns), axis=0)
        self.think_ms = samples.think_ms
        self.ready = self.arrivals[0].copy()

    def _arrival(self) -> Array:
        return np.asarray(self.arrivals[0].take(self.column))

    def _next_arrival(self, step: int, completion: Array) -> Array:
        return _replace_first(self.arrivals, self.column, completion + self.think_ms[step])


class _Open(_Source):
    """Arrivals that do not wait for completions; the last instant of every volume is never."""

    def __init__(self, host: Host, samples: Samples) -> None:
        super().__init__(host, samples)
        never = np.full((1, *samples.gaps.shape[1:]), np.inf)
        self.instants = np.concatenate([samples.gaps.cumsum(axis=0), never]).reshape(-1)
        self.served = np.zeros(self.columns, dtype=np.int64)
        self.ready = self.instants[: self.columns].copy()

    def _arrival(self) -> Array:
        return np.asarray(self.instants.take(self.served.take(self.column) * self.columns + self.column))

    def _next_arrival(self, step: int, completion: Array) -> Array:  # noqa: ARG002 - one interface with _Closed
        self.served[self.column] += 1
        return self._arrival()


class _Stations:
    """Front end, arms, NVS and destage of all lanes: the instant each becomes free, flat as in `_Source`."""

    def __init__(self, box: Box, samples: Samples) -> None:
        self.lanes = samples.kind.shape[1]
        self.box, self.samples, self.lane = box, samples, np.arange(self.lanes)
        self.front = np.zeros(self.lanes)
        self.arms = np.zeros(box.arms * self.lanes)
        self.destage = np.zeros(self.lanes)
        self.slots = np.zeros(max(box.nvs_slots, 1) * self.lanes)
        self.written = np.zeros(self.lanes, dtype=np.int64)
        self.has_misses = bool((samples.kind == MISS).any())
        self.has_nvs = box.nvs_slots > 0 and bool((samples.kind == WRITE).any())

    def serve(self, step: int, entry: Array) -> Array:
        """Completion of the step's I/Os that enter at `entry`."""
        self.front = np.maximum(entry, self.front) + self.samples.front_ms[step]
        done = self.front
        if self.has_misses:
            done = self._miss(step, done)
        if self.has_nvs:
            done = self._write(step, done)
        return np.add(done, self.box.latency_ms)

    def _miss(self, step: int, done: Array) -> Array:
        mine = np.flatnonzero(self.samples.kind[step] == MISS)
        column = self.samples.arm[step].take(mine) * self.lanes + mine
        finished = np.maximum(self.front.take(mine), self.arms.take(column)) + self.samples.arm_ms[step].take(mine)
        self.arms[column] = finished
        done = done.copy()
        done[mine] = finished
        return done

    def _write(self, step: int, done: Array) -> Array:
        """The n-th write gets the room of the write `nvs_slots` before it, once that is destaged."""
        mine = np.flatnonzero(self.samples.kind[step] == WRITE)
        column = self.written.take(mine) % self.box.nvs_slots * self.lanes + mine
        admitted = np.maximum(self.front.take(mine), self.slots.take(column))
        destaged = np.maximum(admitted, self.destage.take(mine)) + self.samples.destage_ms[step].take(mine)
        self.slots[column] = self.destage[mine] = destaged
        self.written[mine] += 1
        done = done.copy()
        done[mine] = admitted
        return done
