"""What a chart is, and all there are: a module of `charts` with a `CHART` is one."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from iosq.toolkit.errors import RequestError
from iosq.toolkit.report import charts as folder
from iosq.toolkit.report.numbers import rounded
from iosq.toolkit.report.style import Drawing, styled
from iosq.toolkit.sql.guard import nearest, query

if TYPE_CHECKING:
    import duckdb

Row = Mapping[str, Any]
Rows = Sequence[Row]


@dataclass(frozen=True, slots=True)
class Chart:
    """One picture: a query and two pure functions of its rows.

    `number` orders charts on the page. `title` states what the picture shows in numbers; `about` says how to read it.
    `missing` is the sentence shown where the query has no rows.
    """

    number: int
    name: str
    about: str
    missing: str
    sql: str
    title: Callable[[Rows], str]
    draw: Callable[[Rows], Drawing]


@cache
def charts() -> tuple[Chart, ...]:
    """Every chart, in order of `number`."""
    names = sorted(m.name for m in pkgutil.iter_modules(folder.__path__))
    found: list[Chart] = [importlib.import_module(f"{folder.__name__}.{name}").CHART for name in names]
    return tuple(sorted(found, key=lambda c: (c.number, c.name)))


def rows_of(con: duckdb.DuckDBPyConnection, chart: Chart) -> list[dict[str, Any]]:
    """The rows a chart draws, numbers rounded to what a picture can show."""
    return [{k: rounded(v) for k, v in row.items()} for row in query(con, chart.sql).to_pylist()]


def render(name: str, con: duckdb.DuckDBPyConnection) -> Drawing:
    """A chart by name, its finding as title, ready for `save` as SVG, PNG or PDF.

    Args:
        name: one of `charts()`.
        con: from `iosq.toolkit.sql.connect`.

    Raises:
        RequestError: there is no such chart, or the lake has nothing for it.
    """
    chart = next((c for c in charts() if c.name == name), None)
    if chart is None:
        known = [c.name for c in charts()]
        raise RequestError(f"no chart {name}", remedy=nearest(name, known) or f"known are {', '.join(known)}")
    rows = rows_of(con, chart)
    if not rows:
        raise RequestError(f"chart {name} has nothing to show: {chart.missing}")
    title = {"text": chart.title(rows), "anchor": "start", "fontSize": 15}
    return styled(chart.draw(rows)).properties(title=title, width=960)
