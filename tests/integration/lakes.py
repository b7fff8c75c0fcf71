"""Files into a lake and answers out of it, as `iosq ingest` and `iosq sql` do it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
from memory_lake import answered

from iosq.parsers.registry import tables
from iosq.toolkit.lake.ingest import Outcome, ingest
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.sql.connect import connect

ROOT = Path(__file__).parents[2]
GRAIN = {
    "device_interval": "platform, system, interval_start, device",
    "volume_interval": "platform, system, interval_start, volume",
    "lcu_interval": "platform, system, interval_start, lcu",
    "channel_interval": "platform, system, interval_start, channel_path",
    "cache_interval": "interval_start, subsystem, device",
    "cache_subsystem_interval": "interval_start, subsystem",
    "shared_volume_interval": "interval_start, volume",
    "pav_candidate": "platform, system, volume",
    "nvs_delay": "interval_start, subsystem",
    "tape_library_interval": "interval_start, library",
}
Row = dict[str, Any]


def filled(folder: Path, files: Mapping[str, bytes | Path]) -> tuple[Lake, dict[str, Outcome]]:
    """A lake of files given by name (contents, or where to read them), ingested as one folder; outcomes by name."""
    inputs = folder / "inputs"
    inputs.mkdir(parents=True)
    for name, content in files.items():
        (inputs / name).write_bytes(content if isinstance(content, bytes) else content.read_bytes())
    lake = Lake(folder / "lake")
    return lake, {o.path.name: o for o in ingest(lake, [inputs])}


def opened(lake: Lake, *, steady: bool = False) -> duckdb.DuckDBPyConnection:
    """The lake for queries; `steady`: fractions are added in one order."""
    return connect(tables().values(), lake.parts(), lake.about(), root=lake.path, steady=steady)


def rows(con: duckdb.DuckDBPyConnection, sql: str) -> list[Row]:
    """All rows of an answer."""
    return answered(con, sql)


def doubled(con: duckdb.DuckDBPyConnection, view: str) -> list[Row]:
    """Rows that break a view's grain."""
    return rows(con, f"SELECT {GRAIN[view]} FROM {view} GROUP BY {GRAIN[view]} HAVING count(*) > 1")
