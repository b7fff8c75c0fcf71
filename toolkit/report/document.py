"""The report as a JSON document for programs: findings, tables, and the origin of each column.

`docs/reference/report.schema.json` is its JSON Schema. The first part of `version` increases if readers of older
documents would fail.
"""

import datetime as dt
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.text import as_rows
from iosq.toolkit.report.table import Table, rows_of, tables
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show import output, stages
from iosq.toolkit.show.clock import worded
from iosq.toolkit.show.values import dumps
from iosq.toolkit.sql.catalog import named, views, with_ancestors
from iosq.toolkit.sql.engine import Connection

VERSION = "1.1"


def write(con: Connection, path: Path, found: Sequence[Finding], scope: str, utc: bool) -> None:
    """Write the document of a lake; `scope`: its data basis in words."""
    scope = worded(scope, utc)
    content = {
        "version": VERSION,
        "iosq": version("iosq"),
        "created": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "scope": scope,
        "clock": "utc" if utc else "local",
        "findings": as_rows(found, utc, scope),
        "tables": [_table(con, table, found) for table in stages.each("tables", tables())],
    }
    output.write(path, dumps(content, indent=1) + "\n")


def _table(con: Connection, table: Table, found: Sequence[Finding]) -> NewRow:
    rows = rows_of(con, table, found)
    return {
        "name": table.name,
        "title": table.title,
        "about": table.about,
        "command": table.command,
        "sql": table.sql,
        "columns": [
            {"name": name, "heading": heading, "origin": list(_origin(table, name))}
            for name, (heading, _) in table.columns.items()
        ],
        "rows": [[row[name] for name in table.columns] for row in rows],
    }


def _origin(table: Table, name: str) -> Iterator[NewRow]:
    """The columns of that name in the views that the query reads, with their record fields."""
    for view in named(table.sql):
        column = next((c for c in view.columns if c.name == name), None)
        if column:
            yield {
                "view": view.name,
                "meaning": column.meaning,
                "unit": column.unit,
                "formula": column.formula,
                "fields": _fields(view.name, name),
            }


@cache
def _fields(view: str, name: str) -> list[NewRow]:
    """The record fields of a column, from the view's own sources or the nearest ancestor view that has it."""
    for below in reversed(with_ancestors(list(views()), [view])):
        known = {s.name: s.formulas[name] for s in below.sources if name in s.formulas}
        if known:
            return [{"source": s, "formula": f.text, "confidence": f.confidence} for s, f in known.items()]
    return []
