-- title: Systems with listings and records of the same time, and the ignored part of each
-- grain: one row per platform, system, report, kind
-- column system VARCHAR []: System; NULL for subsystems and boxes, which are of several
-- column place INTEGER []: Order of the sentences about a report
-- column kind VARCHAR []: records or shorter: left out for a longer interval; gap: what counts instead covers only a part; overlap: both count; clock: known offsets bring two to one time
-- column subjects BIGINT []: Devices, LCUs, channels or boxes; intervals, where the kind is clock
-- column lost_s DOUBLE [s]: Longest such time of one subject
-- column noun VARCHAR []: What a subject is
-- column nouns VARCHAR []: The plural where it is not regular
WITH of_device AS (
    SELECT
        platform, system, device, interval_s,
        ((max(unix_micros(interval_start) + 1e6 * interval_s) OVER w) - unix_micros(interval_start)) / 1e6 AS twice_s
    FROM device_interval
    WHERE system IN (SELECT system FROM listing_clock)
    WINDOW w AS (
        PARTITION BY platform, system, device ORDER BY interval_start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    )
),
lost AS (
    SELECT
        platform, report, owner, subject, CASE WHEN is_listing THEN 2 ELSE 1 END AS place,
        CASE WHEN is_listing THEN 'shorter' ELSE 'records' END AS kind, interval_s AS lost_s
    FROM left_out
    WHERE left_out_for = 'longer listing'
    UNION ALL
    SELECT platform, report, owner, subject, 3, 'gap', missing_s
    FROM left_out
    WHERE is_listing AND missing_s > 0.02 * interval_s
    UNION ALL
    SELECT platform, 'device', system, device, 4, 'overlap', least(twice_s, interval_s)
    FROM of_device
    WHERE twice_s > 0.02 * interval_s
),
loss AS (
    SELECT platform, system, report, place, kind, count(*) AS subjects, max(lost_s) AS lost_s
    FROM (
        SELECT
            platform, report, place, kind, subject,
            CASE WHEN platform = 'z/VM' OR report NOT IN ('cache', 'box') THEN owner END AS system,
            sum(lost_s) AS lost_s
        FROM lost
        -- what holds for all of an owner's holds for each as well
        WHERE subject <> owner OR report = 'box' OR platform = 'z/VM'
        GROUP BY platform, report, owner, place, kind, subject
    ) AS of_subject
    GROUP BY platform, system, report, place, kind
    UNION ALL
    SELECT platform, system, '', 5, 'clock', count(*), NULL
    FROM listing_clock
    WHERE clashes
    GROUP BY platform, system
)
SELECT
    l.*,
    CASE report WHEN 'queue' THEN 'LCU' WHEN 'cache' THEN 'device in cache reports' ELSE report END AS noun,
    CASE report WHEN 'cache' THEN 'devices in cache reports' WHEN 'box' THEN 'boxes' ELSE '' END AS nouns
FROM loss l
ORDER BY platform DESC, system, report, place
