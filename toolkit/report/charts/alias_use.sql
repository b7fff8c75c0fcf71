-- question: alias_use
-- title: How much of its alias pool each LCU uses, the 30 in most trouble
-- grain: one row per system, lcu, aliases
-- column pool VARCHAR []: System and LCU, and the size of the pool where it had several
-- column system VARCHAR []: System that measured
-- column lcu VARCHAR []: Logical control unit
-- column high_water BIGINT []: Most aliases in use at once
-- column aliases BIGINT []: HyperPAV aliases configured
-- column denied_ratio DOUBLE []: Refusals per I/O in the worst interval
-- column dry_intervals BIGINT []: Intervals with refusals
-- column intervals BIGINT []: Intervals
WITH of_size AS (
    SELECT
        *,
        min(hyperpav_aliases) OVER (PARTITION BY system, lcu) < max(hyperpav_aliases) OVER (PARTITION BY system, lcu)
            AS has_several
    FROM lcu_interval
    WHERE alias_high_water IS NOT NULL
)
SELECT
    system || ' LCU ' || lcu
        || CASE WHEN has_several THEN coalesce(' with ' || CAST(hyperpav_aliases AS STRING), '') ELSE '' END AS pool,
    system,
    lcu,
    max(alias_high_water) AS high_water,
    hyperpav_aliases AS aliases,
    max(alias_denied_ratio) AS denied_ratio,
    CAST(sum(CASE WHEN alias_denied_count > 0 THEN 1 ELSE 0 END) AS BIGINT) AS dry_intervals,
    count(*) AS intervals
FROM of_size
GROUP BY system, lcu, hyperpav_aliases, has_several
ORDER BY
    coalesce(max(alias_denied_ratio), 0) DESC,
    max(alias_high_water) / nullif(hyperpav_aliases, 0) DESC NULLS LAST,
    system,
    lcu,
    hyperpav_aliases
LIMIT 30
