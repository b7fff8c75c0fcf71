{#
How many aliases pools have now, and what they did with that number, one row per platform, system and pool of known
size, within `sized AS (...)`: aliases_now; since_start, from when on it was never another; since_queue and
since_rate, the longest queue and the highest rate with as many, whenever that was in the box it is in now, and
since_response_ms, the mean response at that rate; larger_aliases and larger_until, the most they ever had above that (NULL: never). An interval
in which an LCU of a group was not measured gives no size.
USED has the rows of `volumes together`, MOVED those of `moves of pools`.
#}
{% macro sizes_of_pools(used, moved) -%}
WITH whole AS (
    SELECT *, lcus = max(lcus) OVER (PARTITION BY platform, system, pool) AS is_whole
    FROM alias_pool_interval
    WHERE is_size_known
),
latest AS (
    SELECT platform, system, pool, max_by(aliases, interval_start) AS aliases_now
    FROM whole
    WHERE is_whole
    GROUP BY platform, system, pool
),
compared AS (
    SELECT
        w.platform, w.system, w.pool, w.local_start, w.local_end, w.interval_start, w.aliases, w.queue_length,
        n.aliases_now,
        max(CASE WHEN w.aliases <> n.aliases_now THEN w.interval_start END)
            OVER (PARTITION BY w.platform, w.system, w.pool) AS other_start,
        w.aliases = n.aliases_now AND coalesce(w.interval_start > m.other_start, TRUE) AS is_now
    FROM whole w
    JOIN latest n ON n.platform = w.platform AND n.system = w.system AND n.pool = w.pool
    LEFT JOIN {{ moved }} m ON m.platform = w.platform AND m.system = w.system AND m.pool = w.pool
    WHERE w.is_whole
)
SELECT
    c.platform, c.system, c.pool, c.aliases_now,
    min(CASE WHEN c.interval_start > coalesce(c.other_start, {{ beginning_of_time() }}) THEN c.local_start END)
        AS since_start,
    max(CASE WHEN c.is_now THEN c.queue_length END) AS since_queue,
    max(CASE WHEN c.is_now THEN u.io_rate END) AS since_rate,
    max_by(
        1e3 * (u.in_service + u.queue_length) / nullif(u.io_rate, 0),
        CASE WHEN c.is_now THEN peak_order(u.io_rate, c.interval_start) END
    ) AS since_response_ms,
    max(CASE WHEN c.aliases > c.aliases_now THEN c.aliases END) AS larger_aliases,
    max(CASE WHEN c.aliases > c.aliases_now THEN c.local_end END) AS larger_until
FROM compared c
LEFT JOIN {{ used }} u
    ON u.platform = c.platform AND u.system = c.system AND u.pool = c.pool AND u.interval_start = c.interval_start
GROUP BY c.platform, c.system, c.pool, c.aliases_now
{%- endmacro %}
