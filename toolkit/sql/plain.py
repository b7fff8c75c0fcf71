"""Rows of a result as Python values, directly from the engine: faster, because Arrow is not loaded.

This is used only if every column has a type with the same values in Arrow; otherwise the rows come from Arrow.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, TypeAlias

import duckdb

from iosq.toolkit.late import pa

Values: TypeAlias = tuple[Any, ...]
"""A row by the place of its columns, which a query decides."""

Rows: TypeAlias = Iterable[Values]
FETCHED = 10_000  # rows that are taken at once
# bytes of a value in Arrow: the unit of an answer's memory limit
_BYTES = {
    "BOOLEAN": 0.125, "TINYINT": 1, "UTINYINT": 1, "SMALLINT": 2, "USMALLINT": 2, "INTEGER": 4, "UINTEGER": 4,
    "BIGINT": 8, "UBIGINT": 8, "HUGEINT": 16, "DECIMAL": 16, "FLOAT": 4, "DOUBLE": 8, "DATE": 4, "TIMESTAMP": 8,
    "VARCHAR": 4, "BLOB": 4,
}  # fmt: skip
# what an error that comes with later rows begins with, in place of its kind
_LATER = "Invalid Input Error: Attempting to execute an unsuccessful or closed pending query result\nError: "
_LONG = ("VARCHAR", "BLOB")  # and the number per value


class Columns:
    """The columns of an answer whose statement has been started."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        described = cursor.description or []
        self.names: list[str] = [column[0] for column in described]
        self._kinds = [str(column[1]).partition("(")[0] for column in described]

    @property
    def are_plain(self) -> bool:
        """True if the engine and Arrow give the same values."""
        return all(kind in _BYTES for kind in self._kinds)

    def nbytes(self, rows: Sequence[Values]) -> float:
        """Bytes of these rows in Arrow."""
        places = [at for at, kind in enumerate(self._kinds) if kind in _LONG]
        long = sum(_length(row[at]) for at in places for row in rows)
        return len(rows) * sum(_BYTES[kind] for kind in self._kinds) + long

    def as_arrow(self, rows: list[Values]) -> list[Values]:
        """The rows with the values that Arrow gives: the largest whole numbers are decimals there."""
        if "HUGEINT" not in self._kinds:
            return rows
        columns = zip(self._kinds, zip(*rows, strict=True), strict=False)  # no rows, no columns
        values = (
            [None if v is None else Decimal(v) for v in column] if kind == "HUGEINT" else column
            for kind, column in columns
        )
        return list(zip(*values, strict=True))


def fetched(cursor: duckdb.DuckDBPyConnection) -> list[Values]:
    """The next rows, `FETCHED` at most; duckdb.Error if the statement does not run to its end."""
    try:
        return cursor.fetchmany(FETCHED)
    except duckdb.Error as error:
        if not str(error).startswith(_LATER):
            raise
        raise duckdb.Error(str(error).removeprefix(_LATER)) from error


def _length(value: str | bytes | None) -> int:
    """Bytes of a text or of bytes."""
    if value is None or isinstance(value, bytes) or value.isascii():
        return len(value or "")
    return len(value.encode())


def of_arrow(batches: "Iterable[pa.RecordBatch]") -> Rows:
    """Rows of Arrow's batches."""
    for batch in batches:
        yield from zip(*(c.to_pylist() for c in batch.columns), strict=True)
