"""Large libraries, each imported when it is first needed: together they take more than a second."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import altair as alt
    import duckdb
    import minijinja
    import polars as pl
    import pyarrow as pa
    import pyarrow.parquet as pq
else:

    class _Late:
        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, name: str) -> object:
            return getattr(import_module(self._name), name)

    alt, duckdb, minijinja, pl, pa, pq = map(
        _Late, ("altair", "duckdb", "minijinja", "polars", "pyarrow", "pyarrow.parquet")
    )

__all__ = ["alt", "duckdb", "minijinja", "pa", "pl", "pq"]
