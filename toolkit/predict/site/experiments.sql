-- title: Configuration changes: exposures of a volume, size of an alias pool, box of a volume
-- grain: one row per kind, platform, system, subject, change_start
-- parameter $fraction DOUBLE [exposures]: A mean number of exposures farther from a whole one changed within its interval
-- column kind VARCHAR []: exposures, pool or box
-- column subject VARCHAR []: Volume; of a pool its LCUs, separated by |
-- column value_before VARCHAR []: Number of exposures or aliases, or box, before the change
-- column value_after VARCHAR []: The same after it
-- column change_start TIMESTAMP [UTC]: First interval after the change
-- column change_end TIMESTAMP [UTC]: First interval after the next change; NULL where there is none
-- note: A box that no record names does not count as another box. A pool counts in intervals in which all its LCUs were measured.
WITH pool_size AS (
    SELECT
        i.platform, i.system, p.lcu_names, i.interval_start, i.utc_offset_s, i.aliases,
        i.lcus = max(i.lcus) OVER (PARTITION BY i.platform, i.system, i.pool) AS is_whole
    FROM alias_pool_interval i
    JOIN alias_pool p ON p.platform = i.platform AND p.system = i.system AND p.pool = i.pool
    WHERE i.is_size_known
),
state AS (
    SELECT
        'exposures' AS kind, platform, system, volume AS subject, interval_start, utc_offset_s,
        concat(CAST(round(exposures) AS BIGINT)) AS state_value
    FROM volume_interval
    WHERE io_rate > 0 AND is_hyperpav IS NOT TRUE AND abs(exposures - round(exposures)) <= $fraction
    UNION ALL
    SELECT 'pool', platform, system, lcu_names, interval_start, utc_offset_s, concat(aliases)
    FROM pool_size
    WHERE is_whole
    UNION ALL
    SELECT 'box', platform, system, volume, interval_start, utc_offset_s, box
    FROM box_volume_interval
    WHERE serial IS NOT NULL
),
varied AS (
    -- few ever change: only these are put in the order of time
    SELECT kind, platform, system, subject
    FROM state
    GROUP BY kind, platform, system, subject
    HAVING min(state_value) <> max(state_value)
),
followed AS (
    SELECT
        s.*,
        lag(s.state_value) OVER (PARTITION BY s.kind, s.platform, s.system, s.subject ORDER BY s.interval_start)
            AS value_before
    FROM state s
    JOIN varied v ON v.kind = s.kind AND v.platform = s.platform AND v.system = s.system AND v.subject = s.subject
),
changed AS (
    SELECT *, lead(interval_start) OVER (PARTITION BY kind, platform, system, subject ORDER BY interval_start) AS change_end
    FROM followed
    WHERE value_before <> state_value
)
SELECT
    kind, platform, system, subject, value_before, state_value AS value_after, interval_start AS change_start, change_end,
    utc_offset_s
FROM changed
ORDER BY change_start DESC, kind, platform, system, subject
