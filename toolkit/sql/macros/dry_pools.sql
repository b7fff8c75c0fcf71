{#
Among common table expressions: dry_pool, pools that run dry, one row per platform, system and pool, with what is judged: the
box that they are in now if they ran dry there (is_here; NULL where they never moved), and aliases, the size that they
have now if they ran dry with it (NULL where the size is unknown). Counts of two sizes would be no answer.
asked, the rows of alias_pool_interval in that box and with that size. bad, those of asked that ran dry, with dry_lcus and
lost. shown, with place: of asked the worst interval (place 1), and the worst of each hour of the day with a queue.
The question has the parameters $denied_ratio, $denied_least, $wait_share and $queue_length.
#}
{% macro dry_pools() -%}
dry AS (
    SELECT platform, system, pool, interval_start, count(DISTINCT lcu) AS dry_lcus
    FROM lcu_alias_interval
    -- few I/Os of an interval may be refused, and wait long: a queue counts however many it is made of
    WHERE alias_denied_ratio >= $denied_ratio
        OR (alias_denied_ratio >= $denied_least AND queue_length >= $queue_length AND wait_ms >= $wait_share * response_ms)
    GROUP BY platform, system, pool, interval_start
),
dry_then AS (
    SELECT
        p.*, d.dry_lcus, p.alias_refused_count AS lost, n.aliases_now, n.other_start,
        max(p.interval_start) OVER (PARTITION BY p.platform, p.system, p.pool) > n.other_start AS is_here
    FROM dry d
    JOIN alias_pool_interval p ON {{ equal("platform, system, pool, interval_start", "p", "d") }}
    JOIN alias_pool_now n ON n.platform = d.platform AND n.system = d.system AND n.pool = d.pool
),
placed AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY platform, system, pool
            -- with as many aliases as now, wherever that was measured; else where most waited
            ORDER BY
                CASE WHEN is_size_known AND coalesce((interval_start > other_start) = is_here, TRUE) THEN 0 ELSE 1 END,
                CASE WHEN aliases = aliases_now THEN 0 ELSE 1 END, coalesce(queue_length, 0) DESC, interval_start
        ) AS place
    FROM dry_then
),
dry_pool AS (
    SELECT
        platform, system, pool, other_start, is_here,
        CASE WHEN is_size_known AND coalesce((interval_start > other_start) = is_here, TRUE) THEN aliases END AS aliases
    FROM placed
    WHERE place = 1
),
asked AS (
    SELECT p.*
    FROM dry_pool d
    JOIN alias_pool_interval p ON p.platform = d.platform AND p.system = d.system AND p.pool = d.pool
    WHERE (d.aliases IS NULL OR NOT p.is_size_known OR p.aliases = d.aliases)
        AND coalesce((p.interval_start > d.other_start) = d.is_here, TRUE)
),
bad AS (
    SELECT t.*
    FROM dry_then t
    JOIN asked a ON {{ equal("platform, system, pool, interval_start", "a", "t") }}
),
ranked AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY platform, system, pool ORDER BY coalesce(queue_length, 0) DESC, interval_start
        ) AS place,
        row_number() OVER (
            PARTITION BY platform, system, pool, hour(local_start) ORDER BY coalesce(queue_length, 0) DESC, interval_start
        ) AS hour_place
    FROM asked
),
shown AS (
    SELECT * FROM ranked WHERE place = 1 OR (hour_place = 1 AND queue_length >= $queue_length)
)
{%- endmacro %}
