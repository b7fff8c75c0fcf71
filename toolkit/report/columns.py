"""Rows as the page carries them: column by column, so that no name and no repeated value is paid for in every row.

`columns.js` makes the rows again.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from itertools import groupby
from types import NoneType

from iosq.toolkit.rows import NewRow, Row

# a whole number beyond this is not exact in the browser, nor is a power of ten beyond that
_EXACT, _POWER = 2**53, 15
_PLAIN = (str, int, bool, NoneType)


def packed(rows: Sequence[Row]) -> object:
    """Rows that all have the same names as `{"count": n, "columns": {name: column}}`; any others as they are."""
    if not rows or any(r.keys() != rows[0].keys() for r in rows):
        return list(rows)
    return {"count": len(rows), "columns": {name: column([r[name] for r in rows]) for name in rows[0]}}


def column(values: Sequence[object]) -> object:
    """The shortest of four encodings of a column.

    A list; `runs`: each value with its repeat count; `of` and `at`: distinct values and the index of each row; `whole`
    and `tenths`: fractions as integers, to be divided by that power of ten.
    """
    keys = [_identity(value) for value in values]
    known = dict(zip(keys, values, strict=True))
    return min(
        filter(None, (list(values), _runs(keys, known), _different(keys, known), _whole(keys, known))), key=_length
    )


def _runs(keys: Sequence[Hashable], known: Mapping[Hashable, object]) -> NewRow:
    runs = [(key, len(list(same))) for key, same in groupby(keys)]
    return {"runs": [known[key] for key, _ in runs], "each": [count for _, count in runs]}


def _different(keys: Sequence[Hashable], known: Mapping[Hashable, object]) -> NewRow:
    place = {key: at for at, key in enumerate(known)}
    return {"of": list(known.values()), "at": [place[key] for key in keys]}


def _whole(keys: Sequence[Hashable], known: Mapping[Hashable, object]) -> NewRow | None:
    """Fractions as integers; None if a value is not numeric or the browser could not restore it exactly."""
    given = {key: value for key, value in known.items() if value is not None}
    numbers = {key: v for key, v in given.items() if isinstance(v, int | float) and not isinstance(v, bool)}
    if len(numbers) < len(given):
        return None
    tenths = max(map(_decimals, numbers.values()), default=0)
    if tenths > _POWER or any(abs(v) >= _EXACT for v in numbers.values()):
        return None
    made = {key: round(v * 10**tenths) for key, v in numbers.items()}
    exact = all(abs(m) < _EXACT and m / 10**tenths == numbers[key] for key, m in made.items())
    return {"whole": [made.get(key) for key in keys], "tenths": tenths} if exact else None


def _decimals(value: float) -> int:
    """Digits behind the point of the shortest text that is that number."""
    digits, _, power = repr(value).partition("e")
    fraction = digits.partition(".")[2].rstrip("0")
    return max(len(fraction) - int(power or 0), 0)


def _identity(value: object) -> Hashable:
    """A key of equal values of one kind: 1, 1.0 and true are three, and so are 0.0, -0.0 and the text "0.0"."""
    kind = type(value)
    if kind is float:
        return kind, repr(value)
    return (kind, value) if kind in _PLAIN else (kind, json.dumps(value))


def _length(made: object) -> int:
    return len(json.dumps(made, separators=(",", ":"), ensure_ascii=False))
