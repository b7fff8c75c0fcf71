"""One line about what the page rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from iosq.toolkit.advise.window import spoken
from iosq.toolkit.errors import RequestError
from iosq.toolkit.report.numbers import duration
from iosq.toolkit.sql.guard import query

if TYPE_CHECKING:
    import duckdb

# views that give the page something to say; none of them has a row: there is no page
NEEDED = ("volume_interval", "lcu_interval", "lcu_extra", "cache_subsystem_interval")
SYSTEMS = """
SELECT q.platform, q.system, q.intervals, q.missing_intervals, q.interval_s, q.span_s,
       unix_micros(q.span_start) + coalesce(o.offset_us, 0) AS start_us,
       unix_micros(q.span_end) + coalesce(o.offset_us, 0) AS end_us, coalesce(o.volumes, 0) AS volumes
FROM data_quality q
LEFT JOIN (
    SELECT platform, system, CAST(max(utc_offset_s) AS BIGINT) * 1000000 AS offset_us,
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


def line(con: duckdb.DuckDBPyConnection) -> str:
    """Systems, span, missing intervals and issues in a sentence or two."""
    systems = query(con, SYSTEMS).to_pylist()
    issues = query(con, ISSUES).to_pylist()
    parts = [_systems(systems)] if systems else ["No device measurements"]
    return ". ".join([*parts, _issues(issues)]) + "."


def _systems(rows: list[dict[str, Any]]) -> str:
    names = ", ".join(r["system"] for r in rows[:8]) + (" and more" if len(rows) > 8 else "")
    count = "1 system" if len(rows) == 1 else f"{len(rows)} systems"
    start, end = min(r["start_us"] for r in rows), max(r["end_us"] for r in rows)
    missing = sum(r["missing_intervals"] for r in rows)
    length = duration(max(r["interval_s"] for r in rows))
    lack = f"{missing} missing" if missing else "none missing"
    span = spoken(start, end)
    volumes = max(r["volumes"] for r in rows)
    return f"{count} ({names}), up to {volumes} volumes each, {span} local time, intervals of {length}, {lack}"


def _issues(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return "Reading the input met no issue"
    listed = ", ".join(f"{r['met']} {r['severity']}" for r in rows)
    return f"Reading the input met issues: {listed} (see the end)"
