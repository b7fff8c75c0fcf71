{#
What pools did, interval by interval, that had several numbers of aliases, within `tried_size AS (...)`: platform,
system and pool, and of each interval whose size is known trial_start, trial_s (its length), trial_aliases,
trial_rate, trial_in_service, trial_queue and trial_read_ratio. USED has the rows of `volumes together`.
#}
{% macro trials_of_pools(used) -%}
WITH varied AS (
    SELECT platform, system, pool
    FROM alias_pool_interval
    WHERE is_size_known AND aliases > 0
    GROUP BY platform, system, pool
    HAVING min(aliases) < max(aliases)
)
SELECT
    p.platform, p.system, p.pool, p.interval_start AS trial_start, p.interval_s AS trial_s, p.aliases AS trial_aliases,
    u.io_rate AS trial_rate, u.in_service AS trial_in_service, u.queue_length AS trial_queue,
    u.read_ratio AS trial_read_ratio
FROM varied m
JOIN alias_pool_interval p
    ON p.platform = m.platform AND p.system = m.system AND p.pool = m.pool AND p.aliases > 0 AND p.is_size_known
JOIN {{ used }} u
    ON u.platform = p.platform AND u.system = p.system AND u.pool = p.pool AND u.interval_start = p.interval_start
{%- endmacro %}
