"""Columns of printed numbers as arrays, the intervals of rows, and the printed precision of numbers."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

SHARE = 0.01  # tolerance as a share of the larger number: large ones are printed with fewer decimals
COARSEST, FINEST = -6, 6  # range of decimals tested: 1200 may be 1.2K
UNKNOWN = COARSEST - 1


def numbers(rows: Any, name: str) -> Numbers:
    """A column's numbers, NaN for NULL."""
    values: Numbers = rows.column(name).cast(pa.float64(), safe=False).fill_null(np.nan).to_numpy(zero_copy_only=False)
    return values


def in_order(rows: pa.Table) -> pa.Table:
    """Rows sorted by line; nearly always they already are."""
    lines = numbers(rows, "line")
    return rows if (lines[1:] >= lines[:-1]).all() else rows.sort_by("line")


class Columns(dict[str, Numbers]):
    """The numbers of rows by column, converted on first use."""

    def __init__(self, rows: pa.Table) -> None:
        super().__init__()
        self.rows = rows

    def __missing__(self, name: str) -> Numbers:
        self[name] = found = numbers(self.rows, name)
        return found


def codes(column: pa.ChunkedArray | pa.Array) -> NDArray[np.int64]:
    """A number for each distinct value of a column, -1 for NULL."""
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    found: NDArray[np.int64] = column.dictionary_encode().indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return found.astype(np.int64)


def runs_of(rows: pa.Table) -> NDArray[np.int64]:
    """Number the runs of consecutive rows with the same system and interval."""
    changes = np.zeros(rows.num_rows, np.bool_)
    for name in ("system", "interval_start", "interval_s"):
        found = codes(rows.column(name))
        changes[1:] |= found[1:] != found[:-1]
    return np.cumsum(changes)


def slack_of(values: dict[str, Numbers], names: Iterable[str], step: float | None) -> Numbers:
    """Largest difference that rounding or truncation of the numbers can cause, per row."""
    if step is not None:
        return np.full(len(next(iter(values.values()))), np.sum([step for _ in names]))
    steps = np.array([steps_of(values[name]) for name in names])
    coarsest = np.nan_to_num(np.fmax.reduce(steps))  # a column of zeros only has no known step
    slack: Numbers = np.where(np.isnan(steps), coarsest, steps).sum(axis=0)
    return slack


def steps_of(values: Numbers) -> Numbers:
    """Printed precision of each number of a column, at least that of any number with as many digits.

    NaN if a column does not show it.
    """
    digits = np.floor(np.log10(np.maximum(np.nan_to_num(values), 1.0))).astype(np.int64)
    decimals = np.full(len(values), UNKNOWN)
    for count in range(COARSEST, FINEST + 1):
        scaled = values * 10.0**count
        nearest = np.round(scaled)
        whole = (nearest >= 1) & (np.abs(scaled - nearest) < 1e-6 * nearest)
        decimals[(decimals == UNKNOWN) & whole & ((count >= 0) | (values >= 1000))] = count
    seen = np.full(int(digits.max()) + 1, UNKNOWN)
    np.maximum.at(seen, digits, decimals)
    finest = np.maximum.accumulate(seen[::-1])[::-1][digits]
    return np.where(finest == UNKNOWN, np.nan, 10.0 ** -finest.astype(np.float64))
