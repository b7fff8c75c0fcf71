"""The lake's tables about its own names (`lake_dictionary`, `lake_views`), as Arrow tables."""

from collections.abc import Iterable
from dataclasses import fields

import pyarrow as pa

from iosq.parsers.api import Table
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.dictionary import Entry, entries


def dictionary(tables: Iterable[Table]) -> pa.Table:
    """`lake_dictionary` as an Arrow table, one row per column."""
    rows = entries(tables)
    return pa.table({f.name: pa.array([getattr(e, f.name) for e in rows], pa.string()) for f in fields(Entry)})


def view_list() -> pa.Table:
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
