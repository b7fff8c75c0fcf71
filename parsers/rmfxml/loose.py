"""Values that no table of their own takes, gathered by column until there are enough for a batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from iosq.parsers.api import Batch
from iosq.parsers.arrow import schema
from iosq.parsers.rmf.values import number
from iosq.parsers.rmfxml.tables import VALUES
from iosq.toolkit.rows import NewRow


class Place(NamedTuple):
    """Common attributes of the values in one part of a report; named as the columns of the table."""

    system: str | None
    interval_start: datetime | None
    utc_offset_s: int | None
    interval_s: float | None
    report: str | None
    title: str | None
    resource_type: str | None
    section: str | None
    part: str | None
    part_number: int | None


class Owner(NamedTuple):
    """The row, variable or message that contains values; named as the columns of the table."""

    line: int
    kind: str
    row_number: int | None = None
    row_type: str | None = None
    row_label: str | None = None


class Loose:
    """Gathers values and their names."""

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self._places: list[Place] = []
        self._owners: list[Owner] = []
        self._part_of: list[int] = []  # place of each owner
        self._counts: list[int] = []  # values of each owner
        self._numbers: list[int | None] = []
        self._names: list[str | None] = []
        self._values: list[str | None] = []

    def add(self, place: Place, owner: Owner, name: str, value: str) -> None:
        """A value outside a cell."""
        self.add_cells(place, owner, [None], [name or None], [value or None])

    def add_cells(
        self,
        place: Place,
        owner: Owner,
        numbers: Sequence[int | None],
        names: Sequence[str | None],
        values: Sequence[str | None],
    ) -> None:
        """The values of a row, with the numbers and names of their columns."""
        if not self._places or self._places[-1] is not place:
            self._places.append(place)
        self._owners.append(owner)
        self._part_of.append(len(self._places) - 1)
        self._counts.append(len(values))
        self._numbers += numbers
        self._names += names
        self._values += values

    def take(self, least: int = 1) -> Iterator[Batch]:
        """All values as one batch if there are at least `least`; removes them."""
        if len(self._values) < least:
            return
        shape = schema(VALUES)
        owner = np.repeat(np.arange(len(self._owners)), self._counts)
        columns: NewRow = {
            "column_number": self._numbers, "column_name": self._names, "value": self._values,
            "number": _numbers(self._values), **_repeated(self._owners, owner, shape),
            **_repeated(self._places, np.array(self._part_of)[owner], shape),
        }  # fmt: skip
        arrays = [pa.array(columns[f.name], f.type) for f in shape]
        self._clear()
        yield Batch(VALUES.name, pa.RecordBatch.from_arrays(arrays, schema=shape))


def _repeated(common: Sequence[Place] | Sequence[Owner], which: NDArray[np.int64], shape: pa.Schema) -> NewRow:
    """The columns of what values have in common."""
    at = pa.array(which, pa.int64())
    columns = zip(common[0]._fields, zip(*common, strict=True), strict=True)
    return {name: pa.array(values, shape.field(name).type).take(at) for name, values in columns}


def _numbers(values: Sequence[str | None]) -> list[float | None]:
    known = {value: plain_number(value or "") for value in set(values)}
    return [known[value] for value in values]


def plain_number(value: str) -> float | None:
    """The number of a value, unless a suffix or mark changes its meaning."""
    if not value[-1:].isdigit():
        return None
    if value.isascii() and value.replace(".", "", 1).isdecimal():  # nearly all of them
        return float(value)
    found = number(value)
    return found[0] if found is not None and not found[1] else None
