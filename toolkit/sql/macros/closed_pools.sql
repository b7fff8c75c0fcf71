{#
Among common table expressions: closed_pool, intervals in which closed work filled an alias pool; closed_here, those in the box
that the pool is in now, if it ran dry there; bad_pool, of these those that are judged, with the aliases that it has now if it
was seen with them, and lost; pool_hour, the worst of each hour of the day.
The question has the parameters of is_closed, and $denied_ratio.
#}
{% macro closed_pools() -%}
closed_pool AS (
    SELECT
        p.platform, p.system, p.pool, p.interval_start, p.interval_s, p.local_start, p.local_end, p.aliases,
        p.queue_length, u.io_rate,
        u.in_service + p.queue_length AS outstanding,
        u.in_use / p.aliases AS busy_ratio,
        p.queue_length * p.interval_s AS lost
    FROM alias_pool_interval p
    JOIN alias_pool_load u ON {{ equal("platform, system, pool, interval_start", "u", "p") }}
    WHERE p.alias_denied_ratio_max >= $denied_ratio AND p.aliases > 0
        AND {{ is_closed("u.in_use", "p.queue_length", "p.aliases") }}
),
dry_last AS (
    SELECT platform, system, pool, max(interval_start) AS interval_start
    FROM alias_pool_interval
    WHERE alias_denied_ratio_max >= $denied_ratio AND queue_length >= $queue_length
    GROUP BY platform, system, pool
),
closed_here AS (
    SELECT
        c.*, n.other_start, d.interval_start > n.other_start AS is_here,
        {{ as_now_first("c.platform, c.system, c.pool", "c.aliases = n.aliases_now") }} AS now_place
    FROM closed_pool c
    JOIN dry_last d ON d.platform = c.platform AND d.system = c.system AND d.pool = c.pool
    JOIN alias_pool_now n ON n.platform = c.platform AND n.system = c.system AND n.pool = c.pool
    WHERE coalesce((c.interval_start > n.other_start) = (d.interval_start > n.other_start), TRUE)
),
bad_pool AS (
    SELECT * FROM closed_here WHERE now_place = 1
),
ranked_pool AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY platform, system, pool, hour(local_start) ORDER BY lost DESC, local_start) AS place
    FROM bad_pool
),
pool_hour AS (
    SELECT * FROM ranked_pool WHERE place = 1
)
{%- endmacro %}
