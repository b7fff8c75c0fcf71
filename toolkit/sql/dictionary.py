"""The dictionary: every column of every raw table and view, with unit, meaning, formula, source and confidence."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from functools import cache

from iosq.parsers.api import CONFIDENCES, Confidence, Table
from iosq.toolkit.late import pa
from iosq.toolkit.rows import csv_rows
from iosq.toolkit.sql.catalog import View, ViewColumn, views
from iosq.toolkit.sql.raw import columns

MOST_BEHIND = 3  # views that a column's line names


@dataclass(frozen=True, slots=True)
class Entry:
    """One column of one table or view."""

    table: str
    layer: str
    column: str
    type: str
    unit: str
    meaning: str
    formula: str
    source: str
    confidence: str


def raw_entries(table: Table) -> Iterator[Entry]:
    """One entry per column of a raw view."""
    for c in columns(table):
        yield Entry(table.name, "raw", c.name, c.type.upper(), c.unit, c.meaning, "", c.source, c.confidence)


def _formulas(view: View, column: ViewColumn) -> str:
    """The column's formula; one per named source if they differ; otherwise the view it comes from."""
    fed = [f"{s.name}: {s.formulas[column.name].text}" for s in view.sources if column.name in s.formulas]
    behind = " or ".join(v.name for v in _behind(view, column))
    return "; ".join([column.formula] * bool(column.formula) + fed) or (f"from {behind}" if behind else "")


def _confidence(view: View, column: ViewColumn) -> Confidence:
    """The lowest confidence any source states; that of the views behind it where it has no formula of its own."""
    stated = {s.formulas[column.name].confidence for s in view.sources if column.name in s.formulas}
    stated |= (
        {column.confidence} if stated or column.formula else {_confidence(v, column) for v in _behind(view, column)}
    )
    return next((c for c in CONFIDENCES if c in stated), "")


def _behind(view: View, column: ViewColumn) -> list[View]:
    """The merged views that a column may come from under the same name, through other views; none if it may be many."""
    found = {v.name: v for v in _merged_behind(view.name, column.name)}
    return list(found.values()) if len(found) <= MOST_BEHIND and not view.is_measured else []


@cache
def _merged_behind(name: str, column: str) -> tuple[View, ...]:
    known = {v.name: v for v in views()}
    view = known[name]
    if view.is_measured:
        return (view,) if any(column in s.formulas for s in view.sources) else ()
    below = [r for r in sorted(view.reads) if r in known and r != name and column in {c.name for c in known[r].columns}]
    return tuple(v for r in below for v in _merged_behind(r, column))


def view_entries(view: View) -> Iterator[Entry]:
    """One entry per column of a derived or promised view."""
    source = ", ".join(dict.fromkeys(s.name for s in view.sources if s.name)) or "computed from other views"
    for c in view.columns:
        formula, trust = _formulas(view, c), _confidence(view, c)
        yield Entry(view.name, view.layer, c.name, c.type, c.unit, c.meaning, formula, source, trust)


def entries(tables: Iterable[Table]) -> list[Entry]:
    """Every column of every view, raw table and table of the lake about itself, in this order."""
    found = [e for v in views() for e in view_entries(v)]
    found += [e for t in tables for e in raw_entries(t)]
    return found + [e for _, columns in lake_tables().values() for e in columns]


@cache
def lake_tables() -> dict[str, tuple[str, tuple[Entry, ...]]]:
    """The lake's tables about itself: title and columns by name (lake_tables.csv)."""
    titles: dict[str, str] = {}
    found: dict[str, list[Entry]] = {}
    for row in csv_rows("iosq.toolkit.lake", "lake_tables.csv"):
        name, column, kind, unit, meaning = row.values()
        if column:
            found[name].append(Entry(name, "lake", column, kind, unit, meaning, "", "the lake", ""))
        else:
            titles[name], found[name] = meaning, []
    return {name: (titles[name], tuple(columns)) for name, columns in found.items()}


def dictionary(tables: Iterable[Table]) -> "pa.Table":
    """`lake_dictionary` as an Arrow table, one row per column."""
    rows = entries(tables)
    return pa.table({f.name: pa.array([getattr(e, f.name) for e in rows], pa.string()) for f in fields(Entry)})


def view_list() -> "pa.Table":
    """`lake_views` as an Arrow table, one row per view."""
    rows = [
        {
            "name": v.name,
            "layer": v.layer,
            "title": v.title,
            "grain": v.grain,
            "columns": len(v.columns),
            "sources": ", ".join(dict.fromkeys(s.name for s in v.sources if s.name)),
            "notes": " ".join(v.notes),
        }
        for v in views()
    ]
    kinds = [(k, pa.int64() if k == "columns" else pa.string()) for k in rows[0]]
    return pa.Table.from_pylist(rows, pa.schema(kinds))
