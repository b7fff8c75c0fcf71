"""One line about what the page rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from iosq.toolkit.advise.window import spoken
from iosq.toolkit.errors import RequestError
from iosq.toolkit.show.numbers import duration
from iosq.toolkit.sql.guard import query

if TYPE_CHECKING:
    import duckdb

# views that give the page something to say; none of them has a row: there is no page
NEEDED = ("volume_interval", "lcu_interval", "lcu_extra", "cache_subsystem_interval")
# the span is that of the rows shown, also where a filter left some of them
SYSTEMS = """
SELECT q.platform, q.system, q.intervals, q.missing_intervals, q.interval_s, q.span_s,
       coalesce(o.local_start, q.span_start) AS local_start,
       coalesce(o.local_end, q.span_end) AS local_end, coalesce(o.volumes, 0) AS volumes
FROM data_quality q
LEFT JOIN (
    SELECT platform, system, min(local_start) AS local_start, max(local_end) AS local_end,
           count(DISTINCT volume) AS volumes
    FROM volume_interval GROUP BY platform, system
) o ON o.platform = q.platform AND o.system = q.system
ORDER BY q.platform, q.system
"""
ISSUES = """
SELECT severity, CAST(sum("count") AS BIGINT) AS met FROM lake_issues GROUP BY severity ORDER BY severity
"""
FILES = "SELECT count(*) AS files FROM lake_files"


def require(con: duckdb.DuckDBPyConnection) -> None:
    """Refuse a lake without anything to report on.

    Raises:
        RequestError: no device, LCU, alias or cache measurement is in it; says what to ingest.
    """
    if any(query(con, f"SELECT 1 AS found FROM {view} LIMIT 1").num_rows for view in NEEDED):
        return
    files = query(con, FILES).to_pylist()[0]["files"]
    held = f"it holds {files} files, but" if files else "it is empty:"
    raise RequestError(
        f"the lake has nothing to report on: {held} no device or cache measurements",
        remedy="ingest SMF dumps with types 74.1, 74.5 and 78.3, or z/VM listings",
    )


def line(con: duckdb.DuckDBPyConnection, narrowed: str = "") -> str:
    """Systems, span, missing intervals and issues in a sentence or two; `narrowed` says by what filter, if by any."""
    systems = query(con, SYSTEMS).to_pylist()
    issues = query(con, ISSUES).to_pylist()
    parts = [f"Only a part of the lake: {narrowed}"] if narrowed else []
    parts += [_systems(systems)] if systems else ["No device measurements"]
    return ". ".join([*parts, _issues(issues)]) + "."


def _systems(rows: list[dict[str, Any]]) -> str:
    names = ", ".join(r["system"] for r in rows[:8]) + (" and more" if len(rows) > 8 else "")
    count = "1 system" if len(rows) == 1 else f"{len(rows)} systems"
    start, end = min(r["local_start"] for r in rows), max(r["local_end"] for r in rows)
    missing = sum(r["missing_intervals"] for r in rows)
    length = duration(max(r["interval_s"] for r in rows))
    lack = f"{missing} missing" if missing else "none missing"
    span = spoken(start, end)
    volumes = _volumes(max(r["volumes"] for r in rows), len(rows) > 1)
    return f"{count} ({names}), {volumes}, {span} local time, intervals of {length}, {lack}"


def _volumes(most: int, several: bool) -> str:
    counted = f"{most} volume{'s' if most != 1 else ''}"
    return f"up to {counted} each" if several else counted


def _issues(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return "Reading the input met no issue"
    listed = ", ".join(f"{r['met']} {r['severity']}" for r in rows)
    return f"Reading the input met issues: {listed} (see the end)"
