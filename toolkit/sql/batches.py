"""Results of the engine as Arrow, batch by batch."""

import warnings
from collections.abc import Mapping, Sequence

from iosq.toolkit.late import duckdb, pa

BATCH = 100_000  # rows that are handed on at once

# From 2.0.1 on the engine advises to ask a relation instead, which spares a copy of the rows. A relation is bound when
# it is made, with all views that it reads, and once more when it is read: that costs more than the copy.
warnings.filterwarnings("ignore", "Arrow output on a DB-API result", UserWarning)


def begun(
    cursor: "duckdb.DuckDBPyConnection", sql: str, parameters: Sequence[object] | Mapping[str, object] = ()
) -> "duckdb.DuckDBPyConnection":
    """The cursor with a statement started; its rows come as they are taken.

    Raises:
        duckdb.Error: the statement does not run.
    """
    given = parameters if isinstance(parameters, Mapping) else list(parameters)
    return cursor.execute(sql, given or None)


def batches(
    cursor: "duckdb.DuckDBPyConnection", sql: str, parameters: Sequence[object] | Mapping[str, object] = ()
) -> "pa.RecordBatchReader":
    """Start a statement; its rows come as the reader is read. Errors as of `begun`."""
    return begun(cursor, sql, parameters).to_arrow_reader(BATCH)
