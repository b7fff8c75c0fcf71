"""`iosq export duckdb`: a lake as one DuckDB database."""

from pathlib import Path

import iosq
from iosq.toolkit.cli.talk import say


def duckdb(
    target: Path,
    lake: Path | None = None,
) -> None:
    """Write a DuckDB database for DBeaver, Superset, Metabase, Grafana, or Excel through ODBC.

    It has all views, their comments and the dictionary, but no rows: its views read the Parquet files of the
    lake. Do not move the lake. Export again after each ingest.

    Example: iosq export duckdb lake.duckdb --lake lake
    """
    iosq.export_duckdb(lake, target)
    say(f"{target.absolute()}: views over the lake; read-only clients can share it")
