"""Rows as the page carries them: column by column, so that no name and no repeated value is paid for in every row.

`columns.js` makes the rows again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from iosq.toolkit.rows import NewRow, Row

# a whole number beyond this is not exact in the browser, nor is a power of ten beyond that
_EXACT, _POWER = 2**53, 15


def packed(rows: Sequence[Row]) -> Any:
    """Rows that all have the same names as `{"count": n, "columns": {name: column}}`; any others as they are."""
    if not rows or any(r.keys() != rows[0].keys() for r in rows):
        return list(rows)
    return {"count": len(rows), "columns": {name: column([r[name] for r in rows]) for name in rows[0]}}


def column(values: Sequence[Any]) -> Any:
    """The shortest of four ways to write some values.

    A list; `runs`: each value and how often it follows itself; `of` and `at`: the different values and where each
    stands; `whole` and `tenths`: fractions as whole numbers, to be divided by that power of ten.
    """
    return min(filter(None, (list(values), _runs(values), _different(values), _whole(values))), key=_length)


def _runs(values: Sequence[Any]) -> NewRow:
    runs = [(value, len(list(same))) for value, same in groupby(values, key=_alike)]
    return {"runs": [json.loads(text) for text, _ in runs], "each": [count for _, count in runs]}


def _different(values: Sequence[Any]) -> NewRow:
    place: dict[str, int] = {}
    at = [place.setdefault(_alike(value), len(place)) for value in values]
    return {"of": [json.loads(text) for text in place], "at": at}


def _whole(values: Sequence[Any]) -> NewRow | None:
    """None where some value is neither a number nor unknown, or the browser could not give it back as it is."""
    if not all(v is None or (isinstance(v, int | float) and not isinstance(v, bool)) for v in values):
        return None
    tenths = max((_decimals(v) for v in values if v is not None), default=0)
    if tenths > _POWER or any(v is not None and abs(v) >= _EXACT for v in values):
        return None
    made = [None if v is None else round(v * 10**tenths) for v in values]
    exact = all(m is None or (abs(m) < _EXACT and m / 10**tenths == v) for m, v in zip(made, values, strict=True))
    return {"whole": made, "tenths": tenths} if exact else None


def _decimals(value: float) -> int:
    """Digits behind the point of the shortest text that is that number."""
    digits, _, power = repr(value).partition("e")
    fraction = digits.partition(".")[2].rstrip("0")
    return max(len(fraction) - int(power or 0), 0)


def _alike(value: Any) -> str:
    """A text that only equal values of one kind have: 1, 1.0 and true are three."""
    return json.dumps(value)


def _length(made: Any) -> int:
    return len(json.dumps(made, separators=(",", ":"), ensure_ascii=False))
