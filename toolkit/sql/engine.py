"""Engines for SQL over the views: DuckDB, or another engine that runs the same texts.

`query`, `stream` and `ask` accept both. Rules and reports run their queries through them alone.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeAlias, Union, runtime_checkable

from iosq.toolkit.late import duckdb, pa

Parameters = Sequence[object] | Mapping[str, object]


@runtime_checkable
class Elsewhere(Protocol):
    """The views of a lake in an engine that is not DuckDB."""

    def answer(self, sql: str, parameters: Parameters) -> "pa.Table":
        """The whole answer to one SELECT.

        Raises:
            RequestError: as `iosq.toolkit.sql.guard.query`.
        """


Connection: TypeAlias = Union["duckdb.DuckDBPyConnection", Elsewhere]
