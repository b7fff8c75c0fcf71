-- title: Alias management groups and their LCUs, as listings print them
-- grain: one row per platform, system, alias_group, interval_start
-- columns: platform, system, alias_group, interval_start, interval_s
-- column io_rate DOUBLE [per second]: Starts on all paths of the group: its row for all paths, else the sum of the paths printed
-- columns: css_delay_ms
-- column denied_ratio DOUBLE [ratio]: Refusals per I/O (HPAV WAIT) of the group
-- column lcus BIGINT []: LCUs of the group that the listing prints
-- column lcu_rate DOUBLE [per second]: Starts on all paths of these LCUs
-- columns: utc_offset_s
-- note: Only I/O queuing listings and XML print groups. If lcu_rate is less than io_rate, the listing is truncated and LCUs of the group are missing.
WITH path AS (
    {{ first_printed("rmf_ioq_lcu", "'z/OS'", "'queue'", "i.system", "i.amg, i.path",
        "i.scope = 'AMG' AND i.amg IS NOT NULL") }}
),
printed AS (
    SELECT
        system, amg AS alias_group, start AS interval_start,
        max(interval_s) AS interval_s, max(offset_s) AS utc_offset_s,
        coalesce(
            max(CASE WHEN path = '*' THEN taken_rate END), sum(CASE WHEN path <> '*' THEN taken_rate END)
        ) AS io_rate,
        max(CASE WHEN path = '*' THEN css_ms END) AS css_delay_ms,
        max(CASE WHEN path = '*' THEN hpav_wait_ratio END) AS denied_ratio
    FROM path
    GROUP BY system, amg, start
),
member AS (
    SELECT x.system, x.alias_group, x.interval_start, count(*) AS lcus, sum(q.path_taken_rate) AS lcu_rate
    FROM lcu_extra x
    LEFT JOIN lcu_queue q ON {{ equal("platform, system, lcu, interval_start", "q", "x") }}
    WHERE x.platform = 'z/OS' AND x.alias_group IS NOT NULL
    GROUP BY x.system, x.alias_group, x.interval_start
)
SELECT
    p.*,
    'z/OS' AS platform,
    coalesce(m.lcus, 0) AS lcus,
    coalesce(m.lcu_rate, 0) AS lcu_rate
FROM printed p
LEFT JOIN member m ON {{ equal("system, alias_group, interval_start", "m", "p") }}
