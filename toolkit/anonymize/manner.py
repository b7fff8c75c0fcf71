"""Changes of a copy in addition to names: withhold values, shift times, round numbers."""

import datetime as dt
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from iosq.parsers.api import Column, Table
from iosq.toolkit.anonymize.columns import rule_of
from iosq.toolkit.anonymize.proof import Needles
from iosq.toolkit.errors import RequestError

# more than any measurement needs, and far from the limits of timestamps
MOST_WEEKS = 2000
DAYS_PER_WEEK = 7
# significant digits of rounded counters and sizes
DIGITS = 2
# units of values that views need exactly, such as interval lengths and offsets from UTC
_EXACT = ("", "s", "index", "UTC", "date", "TOD units", "CPUs", "devices", "paths", "ratio", "%")
_DATE = re.compile(r"\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}")
Map = Callable[[str], str]


@dataclass(frozen=True)
class Manner:
    """Treatment of the rows of a copy after its names are replaced.

    `spoilt`: strings found by a previous proof; values that contain one are withheld.
    """

    weeks: int = 0
    coarse: bool = False
    spoilt: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if abs(self.weeks) > MOST_WEEKS:
            raise RequestError(f"{self.weeks} weeks are too many", place="--shift-weeks", remedy=f"up to {MOST_WEEKS}")

    @cached_property
    def _needles(self) -> Needles:
        return Needles(self.spoilt)

    @property
    def shift(self) -> dt.timedelta:
        return dt.timedelta(days=DAYS_PER_WEEK * self.weeks)

    def applied(self, rows: pa.Table, table: Table, device: Map) -> tuple[pa.Table, int]:
        withheld = 0
        for column in (c for c in table.columns if c.name in rows.schema.names):
            values = rows[column.name].combine_chunks()
            made = self._made(values, table, column, device)
            if made is not values:
                withheld += made.null_count - values.null_count
                rows = rows.set_column(rows.schema.get_field_index(column.name), column.name, made)
        return rows, withheld

    def _made(self, values: Any, table: Table, column: Column, device: Map) -> Any:
        if column.type == "varchar":
            return self._text(values, table, column, device)
        if self.weeks and column.type in ("timestamp", "date"):
            return _later(values, self.shift)
        counted = column.type in ("bigint", "integer", "double") and column.unit not in _EXACT
        return coarse(values) if self.coarse and counted else values

    def _text(self, values: Any, table: Table, column: Column, device: Map) -> Any:
        rule = rule_of(table.name, column.name)
        about = rule.reason if rule else ""
        dated = self.weeks and "date" in about
        renumbered = self.coarse and about.startswith("device numbers")
        free = self.weeks and rule is not None and rule.kind == "text"
        if not (dated or renumbered or free or self.spoilt):
            return values
        coded = values.dictionary_encode()
        kept = [
            None if text is None or dated or (free and _DATE.search(text)) or self._is_spoilt(text) else text
            for text in coded.dictionary.to_pylist()
        ]
        texts = [device(text) if renumbered and text else text for text in kept]
        return pa.array(texts, pa.string()).take(coded.indices)

    def _is_spoilt(self, text: str) -> bool:
        return bool(self.spoilt) and bool(self._needles.in_text(text) or self._needles.in_bytes(text.encode()))


def _later(values: Any, by: dt.timedelta) -> Any:
    if pa.types.is_date32(values.type):
        return pc.add(values.view(pa.int32()), pa.scalar(by.days, pa.int32())).view(pa.date32())
    ticks = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[values.type.unit]
    return pc.add(values.view(pa.int64()), int(by.total_seconds()) * ticks).view(values.type)


def coarse(values: Any) -> Any:
    """Numbers rounded to two significant digits; NULL, NaN and infinity are unchanged."""
    numbers = values.fill_null(0).to_numpy(zero_copy_only=False)
    size = np.abs(numbers.astype(np.float64))
    known = np.isfinite(size) & (size > 0)
    step = 10.0 ** (np.floor(np.log10(np.where(known, size, 1.0))) - (DIGITS - 1))
    made = np.where(known, np.round(np.where(known, numbers, 0.0) / step) * step, numbers)
    if pa.types.is_integer(values.type):
        made = np.where(step > 1, made, numbers).astype(numbers.dtype)
    missing = values.is_null().to_numpy(zero_copy_only=False)
    return pa.array(made, values.type, mask=missing)
