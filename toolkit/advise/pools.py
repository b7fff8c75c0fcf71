"""Pools of aliases: what lends and borrows together, interval by interval, and the volumes that draw on it."""

from __future__ import annotations

from collections.abc import Sequence

from iosq.toolkit.advise.finding import Row
from iosq.toolkit.advise.window import LOCAL
from iosq.toolkit.predict.open_load import Load

# LCUs with HyperPAV. A listing of I/O queuing alone has no devices, hence no row in lcu_interval: there its own
# numbers stand alone. It prints no pool size either; where an I/O found no alias free, all of them were in use
LCU_ALIAS = """lcu_alias AS (
    SELECT platform, system, interval_start, interval_s, utc_offset_s, lcu, alias_group, alias_io_count,
           alias_denied_count, alias_denied_ratio, alias_high_water, alias_high_water_per_base, alias_borrowed_count,
           alias_need_count, queue_high_water, alias_throttled_count, io_rate, queue_length, wait_ms,
           response_ms, waiting_devices, hyperpav_aliases,
           coalesce(hyperpav_aliases, CASE WHEN alias_denied_ratio > 0 THEN alias_high_water END) AS aliases
    FROM lcu_interval
    WHERE alias_io_count IS NOT NULL OR alias_denied_ratio IS NOT NULL
    UNION ALL
    SELECT x.platform, x.system, x.interval_start, x.interval_s, NULL, x.lcu, x.alias_group, x.alias_io_count,
           x.alias_denied_count, x.alias_denied_ratio, x.alias_high_water, x.alias_high_water_per_base,
           x.alias_borrowed_count, x.alias_need_count, x.queue_high_water, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
           CASE WHEN x.alias_denied_ratio > 0 THEN x.alias_high_water END
    FROM lcu_extra x
    LEFT JOIN lcu_interval l ON l.platform = x.platform AND l.system = x.system AND l.lcu = x.lcu
        AND l.interval_start = x.interval_start
    WHERE l.lcu IS NULL
)"""
# what lends and borrows together is one pool: an alias management group where the records name one, else an LCU;
# `pool` names it. The ? is the share of I/Os denied that makes an LCU dry
POOL_INTERVAL = f"""{LCU_ALIAS}, lcu_pool AS (
    SELECT *, coalesce('group ' || alias_group, 'LCU ' || lcu) AS pool, {LOCAL}
    FROM lcu_alias
), pool_interval AS (
    SELECT system, pool, interval_start, max(interval_s) AS interval_s, min(start_us) AS start_us,
           max(end_us) AS end_us, sum(alias_denied_count) AS denied, sum(alias_io_count) AS requests,
           sum(coalesce(alias_denied_count, alias_denied_ratio * coalesce(io_rate, 1) * interval_s)) AS lost,
           count(DISTINCT lcu) AS lcus,
           CAST(sum(CASE WHEN alias_denied_ratio >= ? THEN 1 ELSE 0 END) AS BIGINT) AS dry_lcus,
           max(alias_denied_ratio) AS worst_ratio, CAST(sum(alias_high_water) AS BIGINT) AS high_water,
           max(alias_high_water_per_base) AS per_base, sum(alias_borrowed_count) AS borrowed,
           CAST(sum(aliases) AS BIGINT) AS aliases, max(hyperpav_aliases) IS NOT NULL AS is_size_known,
           sum(alias_throttled_count) AS throttled,
           max(queue_high_water) AS queue_high_water, sum(queue_length) AS queue_length, max(wait_ms) AS wait_ms,
           CAST(sum(waiting_devices) AS BIGINT) AS waiting
    FROM lcu_pool
    GROUP BY system, pool, interval_start
)"""
# the names of a pool's LCUs and of its group
POOL_NAMED = """named AS (
    SELECT system, pool, string_agg(DISTINCT lcu, '|') AS lcu_names, max(alias_group) AS alias_group,
           max(CASE WHEN alias_need_count IS NOT NULL THEN 1 ELSE 0 END) AS lends
    FROM lcu_pool
    GROUP BY system, pool
)"""


def lcus_of(row: Row) -> list[str]:
    """The LCUs of a pool, by name, from `named`."""
    return sorted(row["lcu_names"].split("|"))


def pool_loads(members: Sequence[Row]) -> list[Load]:
    """The volumes of a pool in one interval: rows with `io_rate`, `wait_ms` and `service_ms`."""
    return [Load(m["io_rate"], max(m["wait_ms"] or 0.0, 0.0), m["service_ms"]) for m in members]
