-- title: Alias pools, and where more aliases could come from
-- grain: one row per platform, system, pool
-- column free_addresses BIGINT []: Of the 256 of the LCU, at most; NULL for a group, which may take aliases of any of its LCUs
-- column other_system VARCHAR []: System with a larger pool of the same LCU; NULL where none has one, as the two that follow
-- column other_aliases BIGINT []: Aliases of that pool
-- column other_high_water BIGINT []: Most of them in use at once
-- column idle_lcu VARCHAR []: LCU of the same box with the most aliases that it never used, if it lends none yet; NULL where none has two, as the two that follow
-- column idle_aliases BIGINT []: These
-- column group_rate DOUBLE [per second]: Starts of the whole group where a listing prints fewer of its LCUs; NULL elsewhere, as the next
-- column listed_rate DOUBLE [per second]: Starts of the LCUs that it prints
-- note: LCUs are the same if they have the same number and box and a common volume. Each size is the last one, as one may have been reduced. Groups of several LCUs are not compared.
WITH used AS (
    SELECT
        platform, system, pool,
        max(alias_high_water) AS high_water,
        max_by(aliases, CASE WHEN is_size_known THEN interval_start END) AS aliases
    FROM alias_pool_interval
    GROUP BY platform, system, pool
),
sized AS (
    SELECT p.platform, p.system, p.pool, p.lcu_names AS lcu, u.aliases, u.high_water
    FROM alias_pool p
    JOIN used u ON u.platform = p.platform AND u.system = p.system AND u.pool = p.pool
    WHERE p.alias_group IS NULL AND p.is_size_known
),
same_lcu AS (
    SELECT DISTINCT m.platform, m.system, m.lcu, o.system AS other_system
    FROM volume_box m
    JOIN volume_box o ON {{ equal("platform, volume, lcu, box", "o", "m") }} AND o.system <> m.system
        AND o.since < m.until AND m.since < o.until
    WHERE m.serial IS NOT NULL
),
ranked_pool AS (
    SELECT
        m.platform, m.system, m.pool, o.system AS other_system, o.aliases AS other_aliases,
        o.high_water AS other_high_water,
        row_number() OVER (PARTITION BY m.platform, m.system, m.pool ORDER BY o.aliases DESC, o.system) AS place
    FROM sized m
    JOIN same_lcu s ON s.platform = m.platform AND s.system = m.system AND s.lcu = m.lcu
    JOIN sized o ON o.platform = m.platform AND o.system = s.other_system AND o.pool = m.pool AND o.aliases > m.aliases
),
idle AS (
    SELECT
        m.platform, m.system, m.pool, o.lcu AS idle_lcu, o.aliases - o.high_water AS idle_aliases,
        row_number() OVER (PARTITION BY m.platform, m.system, m.pool ORDER BY o.aliases - o.high_water DESC, o.lcu) AS place
    FROM sized m
    JOIN lcu_box b ON {{ equal("platform, system, lcu", "b", "m") }} AND b.serial IS NOT NULL
    JOIN lcu_box n ON {{ equal("platform, system, box", "n", "b") }} AND n.lcu <> b.lcu
    JOIN sized o ON {{ equal("platform, system, lcu", "o", "n") }} AND o.aliases > o.high_water + 1
),
-- a listing that was cut off has some LCUs of a group, and the group's own row
cut_group AS (
    SELECT platform, system, alias_group, avg(io_rate) AS group_rate, avg(lcu_rate) AS listed_rate
    FROM alias_group_interval
    WHERE lcu_rate > 0
    GROUP BY platform, system, alias_group
    HAVING sum(lcu_rate) < 0.95 * sum(io_rate)
)
SELECT
    p.platform, p.system, p.pool, p.lcu_names, p.alias_group, p.lends,
    256 - a.bases - a.static_aliases - a.hyperpav_aliases AS free_addresses,
    o.other_system, o.other_aliases, o.other_high_water, i.idle_lcu, i.idle_aliases, g.group_rate, g.listed_rate
FROM alias_pool p
LEFT JOIN lcu_address a ON a.platform = p.platform AND a.lcu = p.lcu_names
LEFT JOIN ranked_pool o ON o.platform = p.platform AND o.system = p.system AND o.pool = p.pool AND o.place = 1
LEFT JOIN idle i ON i.platform = p.platform AND i.system = p.system AND i.pool = p.pool AND i.place = 1
LEFT JOIN cut_group g ON g.platform = p.platform AND g.system = p.system AND g.alias_group = p.alias_group
ORDER BY p.platform, p.system, p.pool
