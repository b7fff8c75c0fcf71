"""Rows of the generic table: one for each value without a table of its own."""

from collections.abc import Sequence
from functools import lru_cache

from iosq.parsers.rmf.rows import Rows
from iosq.parsers.rmf.values import number
from iosq.parsers.rmfxml.tables import VALUES
from iosq.toolkit.rows import Row


class Loose:
    """Adds such values. Their `place` and `owner` (row, variable or message) are columns of the generic table."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def add(self, place: Row, owner: Row, name: str, value: str) -> None:
        """Add a value that is not a cell."""
        self.add_cells(place, owner, [None], [name or None], [value or None])

    def add_cells(
        self,
        place: Row,
        owner: Row,
        numbers: Sequence[int | None],
        names: Sequence[str | None],
        values: Sequence[str | None],
    ) -> None:
        """Add values of a row, with the numbers and names of their columns."""
        common = {**place, **owner}
        for at, name, value in zip(numbers, names, values, strict=True):
            own = {"column_number": at, "column_name": name, "value": value, "number": plain_number(value or "")}
            self._rows.add(VALUES.name, {**common, **own})


@lru_cache(1 << 14)  # many cells have the same few values
def plain_number(value: str) -> float | None:
    """The value as a number; None if it is none, or has a suffix or mark."""
    if not value[-1:].isdigit():
        return None
    if value.isascii() and value.replace(".", "", 1).isdecimal():  # nearly all of them
        return float(value)
    found = number(value)
    return found[0] if found is not None and not found[1] else None
