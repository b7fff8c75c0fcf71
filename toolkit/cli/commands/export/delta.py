"""`iosq export delta`: a lake as Delta Lake tables."""

from pathlib import Path

import iosq
from iosq.toolkit.cli.talk import say
from iosq.toolkit.show import stages
from iosq.toolkit.show.numbers import plural


def delta(
    target: str,
    lake: Path | None = None,
    verbose: bool = False,
) -> None:
    """Write the lake as Delta Lake tables for Databricks, Trino, Fabric, DuckDB or Spark.

    There is one table for each raw table with rows, for each promised view, and for lake_files, lake_records,
    lake_issues, lake_dictionary and lake_views. Each table is updated in one commit. A second export writes only
    changed inputs and changed days of views, and deletes the rows of inputs that are no longer in the lake. It needs
    the package deltalake (pip install 'iosq[delta]'), but no Java.

    Example: iosq export delta tables --lake lake
    """
    done = iosq.export_delta(lake, target, progress=lambda done, of: stages.progress("tables", done, of))
    for exported in done:
        if exported.changed and verbose:
            say(_line(exported))
    changed = sum(exported.changed for exported in done)
    say(f"{plural(len(done), 'table')}, {changed or 'none'} of them changed")


def _line(exported: "iosq.Exported") -> str:
    parts = [f"{plural(exported.rows, 'row')} written"] if exported.rows else []
    of = "part" if exported.is_view else "input"
    if exported.rows and exported.parts:
        parts[0] += f" of {plural(len(exported.parts), of)}"
    if exported.gone:
        parts.append(f"rows of {plural(len(exported.gone), of)} removed")
    return f"{exported.table}: {', '.join(parts)}"
