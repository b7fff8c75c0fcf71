"""Pools of aliases: what lends and borrows together, interval by interval, and the volumes that draw on it."""

from __future__ import annotations

from collections.abc import Sequence

from iosq.toolkit.advise.finding import Row
from iosq.toolkit.advise.window import LOCAL
from iosq.toolkit.predict.open_load import Load

# names that rules use for what the views of toolkit/sql/views/ hold. The ? is the share of I/Os denied that makes an
# LCU dry
LCU_ALIAS = """lcu_alias AS (
    SELECT * FROM main.lcu_alias_interval
)"""
POOL_INTERVAL = f"""{LCU_ALIAS}, lcu_pool AS (
    SELECT *, {LOCAL}
    FROM lcu_alias
), dry AS (
    SELECT system, pool, interval_start, count(DISTINCT lcu) AS dry_lcus
    FROM lcu_alias
    WHERE alias_denied_ratio >= ?
    GROUP BY system, pool, interval_start
), pool_interval AS (
    SELECT p.system, p.pool, p.interval_start, p.interval_s, {LOCAL}, p.alias_denied_count AS denied,
           p.alias_io_count AS requests, p.alias_refused_count AS lost, p.lcus, coalesce(d.dry_lcus, 0) AS dry_lcus,
           p.alias_denied_ratio_max AS worst_ratio, p.alias_high_water AS high_water,
           p.alias_high_water_per_base AS per_base, p.alias_borrowed_count AS borrowed, p.aliases, p.is_size_known,
           p.alias_throttled_count AS throttled, p.queue_high_water, p.queue_length, p.wait_ms,
           p.waiting_devices AS waiting
    FROM main.alias_pool_interval p
    LEFT JOIN dry d ON d.system = p.system AND d.pool = p.pool AND d.interval_start = p.interval_start
)"""
POOL_NAMED = """named AS (
    SELECT system, pool, lcu_names, alias_group, CASE WHEN lends THEN 1 ELSE 0 END AS lends FROM main.alias_pool
)"""


def lcus_of(row: Row) -> list[str]:
    """The LCUs of a pool, by name, from `named`."""
    return sorted(row["lcu_names"].split("|"))


def pool_loads(members: Sequence[Row]) -> list[Load]:
    """The volumes of a pool in one interval: rows with `io_rate`, `wait_ms` and `service_ms`."""
    return [Load(m["io_rate"], max(m["wait_ms"] or 0.0, 0.0), m["service_ms"]) for m in members]
