"""Digests (64 bits) of the records in the lake: 8 bytes of memory for each record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from iosq.toolkit.errors import DOCTOR, LakeError
from iosq.toolkit.lake import bounds
from iosq.toolkit.lake.disk import lake_errors

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLDER = "_digests"
RUN_MAX = 1 << 22  # sorted runs beyond this length stay apart, so that merging never copies more than 64 MB


def place(file_id: str, count: int | None = None) -> str:
    """Path of a file's digests below the lake; a number distinguishes digests that replaced others."""
    return f"{FOLDER}/{file_id}{'' if count is None else f'-{count}'}.npy"


def held(lake: Path, file_id: str, count: int) -> str:
    """Path of a file's digests, by their number."""
    counted = place(file_id, count)
    return counted if (lake / counted).exists() else place(file_id)


def load(lake: Path, file_id: str, count: int) -> NDArray[np.uint64]:
    """The sorted digests of one committed file, `count` of them.

    Raises:
        LakeError: they are missing or damaged.
    """
    path = lake / held(lake, file_id, count)
    try:
        with bounds.opened(path) as file:
            found: NDArray[np.uint64] = np.load(file, allow_pickle=False)
        if found.dtype != np.uint64 or found.ndim != 1:
            raise ValueError(f"holds {found.dtype} of {found.ndim} dimensions")
    except (OSError, ValueError, EOFError) as error:
        what = "is missing" if isinstance(error, FileNotFoundError) else "is damaged"
        raise LakeError(f"{what}: it holds which records are stored", place=str(path), remedy=DOCTOR) from error
    return found


class Digests:
    """A growing set of digests in sorted runs. Each run is at least twice as long as the next, so merging is rare."""

    def __init__(self) -> None:
        self._runs: list[NDArray[np.uint64]] = []

    def __len__(self) -> int:
        return sum(len(run) for run in self._runs)

    def add(self, digests: NDArray[np.uint64]) -> None:
        """Take in digests, in any order."""
        if len(digests):
            self._runs.append(np.sort(digests))
        while self._must_merge():
            tail = [self._runs.pop(), self._runs.pop()]
            merged = np.concatenate(tail)
            merged.sort()
            self._runs.append(merged)

    def absorb(self, other: Digests) -> None:
        """Take in another set, none of whose digests are in this one."""
        for run in other._runs:
            self.add(run)

    def _must_merge(self) -> bool:
        if len(self._runs) < 2:
            return False
        before, last = len(self._runs[-2]), len(self._runs[-1])
        return before < 2 * last and before + last <= RUN_MAX

    def holds(self, digests: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """For each digest whether it is in the set."""
        found = np.zeros(len(digests), bool)
        for run in self._runs:
            at = np.searchsorted(run, digests)
            found |= run[np.minimum(at, len(run) - 1)] == digests
        return found

    def save(self, path: Path) -> None:
        """Write all digests as one sorted array, which becomes the set's only run: never two copies in memory."""
        merged, end = np.empty(len(self), np.uint64), len(self)
        while self._runs:
            run = self._runs.pop()
            merged[end - len(run) : end] = run
            end -= len(run)
        merged.sort()
        self._runs.append(merged)
        np.save(path, merged, allow_pickle=False)


class Seen:
    """Implements `Context.seen` for one file: digests of the lake, and of this file so far."""

    def __init__(self, stored: Digests) -> None:
        self._stored = stored
        self.own = Digests()
        self.fresh: list[NDArray[np.uint64]] = []  # Context.digests: the reader appends, we take them away

    def __call__(self, digests: NDArray[np.uint64]) -> NDArray[np.bool_]:
        self.absorb()
        return self._stored.holds(digests) | self.own.holds(digests)

    def absorb(self) -> None:
        """Add the records decoded since the last call."""
        for digests in self.fresh:
            self.own.add(digests)
        self.fresh.clear()


class Stored:
    """The digests of every committed file, read once and then extended as other files commit."""

    def __init__(self, lake: Path) -> None:
        self._lake = lake
        self.files: dict[str, int] = {}  # file id: its number of digests
        self.digests = Digests()

    def refresh(self, committed: dict[str, int]) -> None:
        """Take in files we have not seen; `committed` maps file id to its number of digests."""
        for file_id in committed.keys() - self.files.keys():
            if committed[file_id]:
                with lake_errors(self._lake):
                    self.digests.add(load(self._lake, file_id, committed[file_id]))
        self.files |= committed

    def clash(self, own: Digests, committed: dict[str, int]) -> bool:
        """True if a file committed since `refresh` shares a record with this one."""
        newcomers = sorted(f for f in committed.keys() - self.files.keys() if committed[f])
        return any(own.holds(load(self._lake, file_id, committed[file_id])).any() for file_id in newcomers)
