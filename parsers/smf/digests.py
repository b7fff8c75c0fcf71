"""Sets of record digests (64 bits): 8 bytes of memory for each record."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

RUN_MAX = 1 << 22  # longest merged run, so that merging never copies more than 64 MB

Holds = Callable[[NDArray[np.uint64]], NDArray[np.bool_]]


class Digests:
    """A growing set of digests in sorted runs. Each run is at least twice as long as the next, so merging is rare."""

    def __init__(self) -> None:
        self._runs: list[NDArray[np.uint64]] = []

    def __len__(self) -> int:
        return sum(len(run) for run in self._runs)

    def add(self, digests: NDArray[np.uint64]) -> None:
        if len(digests):
            self._runs.append(np.sort(digests))
        while self._must_merge():
            tail = [self._runs.pop(), self._runs.pop()]
            merged = np.concatenate(tail)
            merged.sort()
            self._runs.append(merged)

    def absorb(self, other: "Digests") -> None:
        """Add another set that is disjoint from this one."""
        for run in other._runs:
            self.add(run)

    def _must_merge(self) -> bool:
        if len(self._runs) < 2:
            return False
        before, last = len(self._runs[-2]), len(self._runs[-1])
        return before < 2 * last and before + last <= RUN_MAX

    def holds(self, digests: NDArray[np.uint64]) -> NDArray[np.bool_]:
        found = np.zeros(len(digests), bool)
        for run in self._runs:
            at = np.searchsorted(run, digests)
            found |= run[np.minimum(at, len(run) - 1)] == digests
        return found

    def save(self, path: Path) -> None:
        """Write all digests as one sorted array, which replaces the runs, so that memory has only one copy."""
        merged, end = np.empty(len(self), np.uint64), len(self)
        while self._runs:
            run = self._runs.pop()
            merged[end - len(run) : end] = run
            end -= len(run)
        merged.sort()
        self._runs.append(merged)
        np.save(path, merged, allow_pickle=False)


class Seen:
    """Implements `Context.seen` for one input: digests read so far, and the lake's (`stored`)."""

    def __init__(self, stored: Holds | None = None) -> None:
        self._stored = stored
        self.own = Digests()
        self.fresh: list[NDArray[np.uint64]] = []  # Context.digests: filled by the reader, emptied by `absorb`

    def __call__(self, digests: NDArray[np.uint64]) -> NDArray[np.bool_]:
        self.absorb()
        own = self.own.holds(digests)
        return own if self._stored is None else own | self._stored(digests)

    def absorb(self) -> None:
        """Add the records decoded since the last call."""
        for digests in self.fresh:
            self.own.add(digests)
        self.fresh.clear()
