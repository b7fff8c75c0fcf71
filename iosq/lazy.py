"""Views as polars LazyFrames: columns and rows that a question does not use are not computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
from polars.io.plugins import register_io_source

from iosq.toolkit.sql.guard import query, stream
from iosq.toolkit.sql.raw import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    import duckdb


def lazy_view(con: duckdb.DuckDBPyConnection, name: str) -> pl.LazyFrame:
    """One view of a connection to a lake."""
    schema = pl.DataFrame(query(con, f"SELECT * FROM {quoted(name)} LIMIT 0")).schema

    def batches(
        columns: list[str] | None, predicate: pl.Expr | None, rows: int | None, _size: int | None
    ) -> Iterator[pl.DataFrame]:
        wanted = ", ".join(map(quoted, columns)) if columns else "*"
        # a number of rows comes with a predicate only where it counts rows before it
        limit = "" if rows is None else f" LIMIT {rows}"
        with stream(con, f"SELECT {wanted} FROM {quoted(name)}{limit}") as reader:
            for batch in reader:
                frame = pl.DataFrame(batch)
                yield frame if predicate is None else frame.filter(predicate)

    return register_io_source(batches, schema=schema)
