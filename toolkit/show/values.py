"""Convert values for JSON and charts: no NaN, no infinity, instants as ISO 8601."""

import datetime as dt
import json
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from math import isfinite
from typing import Any

from iosq.toolkit.rows import NewRow, Row

_UNPRINTABLE = re.compile(r"[^\x20-\x7e\n]")


def plain(value: Any) -> Any:
    """A value that JSON can represent; NaN and infinity become null, unsupported types become text."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Decimal):  # DuckDB's sum of integers
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, dt.datetime | dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list | tuple) else str(value)


def plain_rows(rows: Iterable[Row]) -> list[NewRow]:
    """Rows for a chart or an array of objects."""
    return [plain(row) for row in rows]


def dumps(value: Any, indent: int | None = None) -> str:
    """A value as JSON text, with characters that could control a terminal escaped."""
    text = json.dumps(plain(value), indent=indent, ensure_ascii=False, allow_nan=False)
    return text if text.isprintable() else _UNPRINTABLE.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    return found[0] if found[0].isprintable() else json.dumps(found[0])[1:-1]
