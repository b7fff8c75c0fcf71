"""How places and volumes did over time, in the steps of the page's charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from iosq.toolkit.report.budget import LCU_SERIES_MOST
from iosq.toolkit.report.places import Place
from iosq.toolkit.report.response_parts import NAMES, PART_MS
from iosq.toolkit.report.timeline import stepped
from iosq.toolkit.show.numbers import rounded
from iosq.toolkit.sql.guard import query

if TYPE_CHECKING:
    import duckdb

Rows = list[dict[str, Any]]
Key = tuple[str, str, str]

_PARTS = ", ".join(f"coalesce(sum({name}) / nullif(sum(ios), 0), 0) AS {name}" for name in NAMES)
# a step's rate is the mean over the time it was measured; a box adds up the rates of its systems
PLACES = f"""
WITH {stepped("volume_interval")}, member AS (
    SELECT unnest(?) AS platform, unnest(?) AS system, unnest(?) AS unit, unnest(?) AS place
), by_interval AS (
    SELECT m.place, l.platform, l.system, l.t, l.interval_start, max(l.step_s) AS step_s,
           max(l.interval_s) AS interval_s, sum(l.io_rate * l.interval_s) AS ios,
           sum(l.io_rate * l.interval_s * l.wait_ms) AS iosq, sum(l.io_rate * l.interval_s * l.pend_ms) AS pend,
           sum(l.io_rate * l.interval_s * l.disc_ms) AS disc, sum(l.io_rate * l.interval_s * l.conn_ms) AS conn
    FROM local l
    JOIN member m ON m.platform = l.platform AND m.system = l.system AND m.unit = coalesce(l.lcu, '')
    WHERE l.io_rate > 0 AND l.response_ms IS NOT NULL
    GROUP BY m.place, l.platform, l.system, l.t, l.interval_start
), by_system AS (
    SELECT place, platform, system, t, max(step_s) AS step_s, sum(interval_s) AS seconds, sum(ios) AS ios,
           sum(iosq) AS iosq, sum(pend) AS pend, sum(disc) AS disc, sum(conn) AS conn
    FROM by_interval
    GROUP BY place, platform, system, t
)
SELECT place, t, max(step_s) AS step_s, {_PARTS}, sum(ios / seconds) AS rate, sum(iosq / seconds) / 1000 AS queue
FROM by_system
GROUP BY place, t
ORDER BY place, t
"""
VOLUMES = f"""
WITH {stepped("volume_interval")}, member AS (
    SELECT unnest(?) AS platform, unnest(?) AS system, unnest(?) AS volume
)
SELECT l.platform, l.system, l.volume, l.t, max(l.step_s) AS step_s, {PART_MS},
       sum(io_rate * interval_s) / sum(interval_s) AS rate, sum(queue_length * interval_s) / sum(interval_s) AS queue
FROM local l
JOIN member m ON m.platform = l.platform AND m.system = l.system AND m.volume = l.volume
WHERE io_rate > 0 AND response_ms IS NOT NULL
GROUP BY l.platform, l.system, l.volume, l.t
ORDER BY l.platform, l.system, l.volume, l.t
"""


def of_places(con: duckdb.DuckDBPyConnection, lcus: Sequence[Place]) -> dict[str, Rows]:
    """Rows with `t`, `step_s`, the four parts, `rate` and `queue` by id of place: the boxes and the first LCUs.

    How many LCUs is a matter of `budget`.
    """
    members = [(p.row["platform"], p.row["system"], p.row["unit"], name)
               for place, p in enumerate(lcus)
               for name in (p.id if place < LCU_SERIES_MOST else None, p.parent) if name]  # fmt: skip
    return {name: rows for (name,), rows in _grouped(con, PLACES, members, ("place",)).items()}


def of_volumes(con: duckdb.DuckDBPyConnection, chosen: Sequence[Key]) -> dict[tuple[str, ...], Rows]:
    """The same by platform, system and volume."""
    return _grouped(con, VOLUMES, chosen, ("platform", "system", "volume"))


def _grouped(
    con: duckdb.DuckDBPyConnection, sql: str, members: Sequence[tuple[str, ...]], keys: Sequence[str]
) -> dict[tuple[str, ...], Rows]:
    if not members:
        return {}
    found = query(con, sql, [list(column) for column in zip(*members, strict=True)]).to_pylist()
    return {name: [_plain(r) for r in group] for name, group in groupby(found, key=lambda r: _key(r, keys))}


def _key(row: Mapping[str, Any], keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(row[k] for k in keys)


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: rounded(value) for name, value in row.items()}
