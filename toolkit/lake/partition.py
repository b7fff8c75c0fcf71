"""Partition folder of a row: its system and the UTC day of its interval."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import quote

import numpy as np
import pyarrow as pa

US_PER_DAY = 86_400_000_000
NO_DAY = -(1 << 30)  # beyond any day a 64-bit microsecond can name
SMALLEST_SLICE = 6  # a sixth of a batch at least
NAME_MAX = 100  # characters of a value in a folder name; names are limited to 255 bytes


class Partition(NamedTuple):
    """`system` is None where unknown, `day` is days since 1970-01-01 or None."""

    system: str | None
    day: int | None

    @property
    def folder(self) -> str:
        """A folder such as `system=SYSA/day=2026-01-31`, a safe path for any system name."""
        day = "_none" if self.day is None else str(np.datetime64(self.day, "D"))
        return f"system={_safe(self.system)}/day={day}"


NOWHERE = Partition(None, None)


def _safe(value: str | None) -> str:
    if not value:
        return "_none"
    text = quote(value, safe="", errors="replace")[:NAME_MAX]
    return f"%5F{text[1:]}" if text.startswith("_") else text


class Systems:
    """The systems of an input that get folders of their own: the first ones that it names.

    A sysplex has 32 at most. A damaged or made-up input may name one in each record, and files cost time.
    """

    def __init__(self, most: int) -> None:
        self._most, self._own = most, set[str | None]([None])
        self.is_exceeded = False

    def admits(self, name: str | None) -> bool:
        if name not in self._own and len(self._own) <= self._most:
            self._own.add(name)
        self.is_exceeded |= name not in self._own
        return name in self._own


def split(rows: pa.RecordBatch, known: Systems) -> Iterator[tuple[Partition, pa.RecordBatch]]:
    """The rows of a `pyarrow.RecordBatch` by partition, order kept; the batch itself if it is all of one."""
    if not rows.num_rows:
        return
    systems, names = _systems(rows)
    others = [code for code, name in enumerate(names) if not known.admits(name)]
    if others:
        systems = np.where(np.isin(systems, others), len(names) - 1, systems)
    days = _days(rows)
    if systems.min() == systems.max() and days.min() == days.max():
        yield _partition(names, systems[0], days[0]), rows
        return
    keys = systems << 32 | (days - NO_DAY)
    order = np.argsort(keys, kind="stable")
    for chosen in np.split(order, np.flatnonzero(np.diff(keys[order])) + 1):
        yield _partition(names, systems[chosen[0]], days[chosen[0]]), _chosen(rows, chosen)


def _chosen(rows: pa.RecordBatch, chosen: pa.Array) -> pa.RecordBatch:
    """These rows; a slice, which costs nothing, only where it is a good part: it keeps the whole batch in memory."""
    together = int(chosen[-1] - chosen[0]) == len(chosen) - 1
    if together and len(chosen) * SMALLEST_SLICE >= rows.num_rows:
        return rows.slice(int(chosen[0]), len(chosen))
    return rows.take(pa.array(chosen))


def _partition(names: list[str | None], system: int, day: int) -> Partition:
    return Partition(names[system], None if day == NO_DAY else int(day))


def _systems(rows: pa.RecordBatch) -> tuple[pa.Array, list[str | None]]:
    """A code for each row, and the value of each code."""
    if "system" not in rows.schema.names:
        return np.zeros(rows.num_rows, np.int64), [None]
    coded = rows.column("system").dictionary_encode()
    names = [*coded.dictionary.to_pylist(), None]
    return coded.indices.fill_null(len(names) - 1).to_numpy().astype(np.int64), names


def _days(rows: pa.RecordBatch) -> pa.Array:
    if "interval_start" not in rows.schema.names:
        return np.full(rows.num_rows, NO_DAY)
    starts = rows.column("interval_start")
    days = starts.view(pa.int64()).fill_null(0).to_numpy() // US_PER_DAY
    return np.where(starts.is_null().to_numpy(zero_copy_only=False), NO_DAY, days) if starts.null_count else days


def by_day(rows: pa.RecordBatch) -> Iterator[tuple[int | None, pa.RecordBatch]]:
    """The rows of a `pyarrow.RecordBatch` that follow one another and have the same day."""
    days = _days(rows)
    cuts = [0, *(np.flatnonzero(np.diff(days)) + 1).tolist(), rows.num_rows]
    for first, last in pairwise(cuts if rows.num_rows else ()):
        yield _partition([None], 0, days[first]).day, rows.slice(first, last - first)
