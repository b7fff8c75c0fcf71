"""Engines for SQL over the views: DuckDB, or another engine that runs the same texts.

`query`, `stream` and `ask` accept both. Rules and reports run their queries through them alone.
"""

import warnings
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeAlias, Union, runtime_checkable

from iosq.toolkit.late import duckdb, pa

Parameters = Sequence[object] | Mapping[str, object]
BATCH = 100_000  # rows that are handed on at once

# From 2.0.1 on the engine advises to ask a relation instead, which spares a copy of the rows. A relation is bound when
# it is made, with all views that it reads, and once more when it is read: that costs more than the copy.
warnings.filterwarnings("ignore", "Arrow output on a DB-API result", UserWarning)


@runtime_checkable
class Elsewhere(Protocol):
    """The views of a lake in an engine that is not DuckDB."""

    def answer(self, sql: str, parameters: Parameters) -> "pa.Table":
        """The whole answer to one SELECT; errors as of `iosq.toolkit.sql.guard.query`."""


Connection: TypeAlias = Union["duckdb.DuckDBPyConnection", Elsewhere]


def begun(cursor: "duckdb.DuckDBPyConnection", sql: str, parameters: Parameters = ()) -> "duckdb.DuckDBPyConnection":
    """The cursor with a statement started; its rows come as they are taken. duckdb.Error if it does not run."""
    given = parameters if isinstance(parameters, Mapping) else list(parameters)
    return cursor.execute(sql, given or None)


def batches(cursor: "duckdb.DuckDBPyConnection", sql: str, parameters: Parameters = ()) -> "pa.RecordBatchReader":
    """Start a statement; its rows come as Arrow as the reader is read. Errors as of `begun`."""
    return begun(cursor, sql, parameters).to_arrow_reader(BATCH)
