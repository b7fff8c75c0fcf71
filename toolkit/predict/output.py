"""Writes an answer: a table for people, JSON or CSV for programs, a chart as HTML, PNG or SVG."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict.answer import Answer, Row
from iosq.toolkit.units import human_bytes, human_number

CHARTS = (".html", ".png", ".svg")
FORMATS = ("table", "json", "csv")
PNG_SCALE = 2.0
MB, FEW_BYTES = 1e6, 1e5


def text_of(answer: Answer, form: str) -> str:
    """The answer's rows as `table`, `json` or `csv`.

    Raises:
        RequestError: another format.
    """
    if form == "json":
        return json.dumps([_plain(row) for row in answer.objects()], indent=1, ensure_ascii=False, allow_nan=False)
    if form == "csv":
        return _csv(answer.objects())
    if form == "table":
        rows = [{name: value for name, value in row.items() if name not in answer.hidden} for row in answer.rows]
        return _card(rows[0]) if len(rows) == 1 else table(rows)
    raise RequestError(f"unknown format {form!r}", place="--format", remedy=f"choose {', '.join(FORMATS)}")


def save(answer: Answer, target: Path) -> None:
    """Write the chart (.html, .png, .svg) or the rows (.json, .csv) as the file's ending says.

    Raises:
        RequestError: another ending, or a chart of an answer that has none.
    """
    suffix = target.suffix.lower()
    if suffix in (".json", ".csv"):
        target.write_text(text_of(answer, suffix[1:]) + "\n", "utf-8")
    elif suffix in CHARTS:
        _save_chart(answer, target)
    else:
        raise RequestError(
            f"can't tell what to write from the ending {target.suffix or 'of the name'!r}",
            place=f"--output {target}",
            remedy=f"end it in one of {', '.join((*CHARTS, '.json', '.csv'))}",
        )


def table(rows: Sequence[Row]) -> str:
    """Columns under their names; numbers to the right, intervals behind their value."""
    names = _shown(rows)
    cells = [names, *([_cell(row, name) for name in names] for row in rows)]
    widths = [max(len(line[at]) for line in cells) for at in range(len(names))]
    right = [all(_is_number(row.get(name)) for row in rows) for name in names]
    return "\n".join(_line(line, widths, right) for line in cells)


def sibling(name: str, which: str) -> str:
    """Name of the column that bounds another: `wait_ms` and `low` give `wait_low_ms`, `io_rate` gives `io_rate_low`."""
    head, _, unit = name.rpartition("_")
    return f"{head}_{which}_{unit}" if unit in ("ms", "s") and head else f"{name}_{which}"


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    parts = (c.rjust(w) if r else c.ljust(w) for c, w, r in zip(cells, widths, right, strict=True))
    return "  ".join(parts).rstrip()


def _card(row: Row) -> str:
    """A single row reads better downwards."""
    names = _shown([row])
    width = max(len(name) for name in names)
    return "\n".join(f"{name.ljust(width)}  {_cell(row, name)}" for name in names)


def _shown(rows: Sequence[Row]) -> list[str]:
    names = list(dict.fromkeys(name for row in rows for name in row))
    bounds = {sibling(name, which) for name in names for which in ("low", "high")}
    return [name for name in names if name not in bounds]


def _cell(row: Row, name: str) -> str:
    low, high = row.get(sibling(name, "low")), row.get(sibling(name, "high"))
    value = _written(row.get(name), name)
    if low is None or high is None or low == high:
        return value
    return f"{value} ({_written(low, name)} to {_written(high, name)})"


def _written(value: Any, name: str) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return _number(value, name)
    if isinstance(value, dt.datetime):
        return value.isoformat(" ", "minutes")
    return str(value)


def _number(value: float, name: str) -> str:
    if math.isinf(value):
        return "beyond"
    if name.endswith("bytes_rate"):
        return f"{human_number(value / MB)} MB/s"
    if name.endswith("bytes") and value >= FEW_BYTES:
        return human_bytes(value)
    return f"{value:,.0f}" if value.is_integer() else human_number(value)


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _csv(rows: Sequence[Row]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(dict.fromkeys(name for row in rows for name in row)), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: "" if value is None else value for name, value in _plain(row).items()} for row in rows)
    return text.getvalue().rstrip("\n")


def _plain(value: Any) -> Any:
    """As JSON can carry it: infinite and missing numbers null, instants ISO 8601."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dt.datetime):
        return value.isoformat()
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value


def _save_chart(answer: Answer, target: Path) -> None:
    if answer.draw is None:
        raise RequestError("this answer has no chart", place=f"--output {target}", remedy="write .json or .csv")
    import vl_convert as vlc

    specification = answer.draw().to_json()
    if target.suffix.lower() == ".svg":
        target.write_text(vlc.vegalite_to_svg(specification), "utf-8")
    elif target.suffix.lower() == ".png":
        target.write_bytes(vlc.vegalite_to_png(specification, scale=PNG_SCALE))
    else:
        target.write_text(vlc.vegalite_to_html(specification, bundle=True), "utf-8")
