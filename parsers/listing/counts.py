"""A count and a rate of the same row: over the interval one must be the other, as far as both are printed.

Where they differ by more, one of the two, or the length of the interval, was misread or the page is damaged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from iosq.parsers.listing.columns import SHARE, Numbers, numbers, steps_of

FINEST = 0.1  # printed decimals of rates next to counts: a column of zeros only does not show them


@dataclass(frozen=True)
class Counts:
    """Columns of a table: `who` names a row's subject, `pairs` are counts with their rates."""

    who: str
    pairs: tuple[tuple[str, str], ...]


def _pairs(*names: str) -> tuple[tuple[str, str], ...]:
    return tuple((f"{name}_count", f"{name}_rate") for name in names)


COUNTS = {
    "rmf_cache_overview": Counts(
        "subsystem",
        _pairs("read", "read_hit", "write", "fast", "write_hit", "read_miss", "write_miss", "track"),
    ),
    "rmf_cache_status": Counts(
        "subsystem",
        _pairs("total_miss", "nvs_delay", "cache_delay", "dfw_inhibit", "async", "inhibit", "bypass", "non_cache"),
    ),
}


class Wrong(NamedTuple):
    """Rows with a count that contradicts their rate: both columns, the rows, and the first message."""

    names: tuple[str, str]
    rows: NDArray[np.bool_]
    text: str


def miscounted(table: str, rows: pa.Table) -> Iterator[Wrong]:
    """The contradictions between counts and rates of a table."""
    law = COUNTS.get(table)
    seconds = numbers(rows, "interval_s") if law else np.zeros(0)
    for names in law.pairs if law else ():
        count, rate = (numbers(rows, name) for name in names)
        apart = _apart(count, rate, seconds)
        if law and apart.any():
            at = int(np.argmax(apart))
            text = f"{names[0]} is {count[at]:g}, {names[1]} {rate[at]:g} in {seconds[at]:g} s: the count counts"
            yield Wrong(names, apart, f"{table}: {law.who} {rows.column(law.who)[at]}: {text}")


def _apart(count: Numbers, rate: Numbers, seconds: Numbers) -> NDArray[np.bool_]:
    expected = rate * seconds
    away, share = np.abs(count - expected), SHARE * np.maximum(count, expected)
    apart: NDArray[np.bool_] = away > share + FINEST * seconds
    if apart.any():
        slack = np.fmax(steps_of(rate), FINEST) * seconds + np.nan_to_num(steps_of(count))
        apart &= away > share + slack
    return apart
