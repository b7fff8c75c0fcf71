-- question: superseded_listings
-- title: Systems with listings and records of the same time, and the ignored part of each
-- grain: one row per platform, system, report, kind
-- column place INTEGER []: Order of the sentences about a report
-- column kind VARCHAR []: records or shorter: left out for a longer interval; gap: what counts instead covers only a part; overlap: both count; clock: known offsets bring two to one time
-- column subjects BIGINT []: Devices, LCUs, channels or boxes; intervals, where the kind is clock
-- column lost_s DOUBLE [s]: Longest such time of one subject
-- column noun VARCHAR []: What a subject is
-- column nouns VARCHAR []: The plural where it is not regular
WITH listing AS (
    SELECT b.platform, b.system, b.report, b.subject, b.left_out_for, b.recorded_s, b.printed_s, o.missing_s, o.twice_s
    FROM listing_beside b
    JOIN listing_left_out o ON {{ equal("platform, report, owner, subject, interval_start", "o", "b") }}
        AND abs(o.interval_s - greatest(least(coalesce(b.printed_s, 0), 604800), 1)) < 0.001
    -- what holds for all of an owner's holds for each as well
    WHERE b.subject <> b.owner OR b.report = 'box' OR b.platform = 'z/VM'
),
lost AS (
    -- seconds at either end are the clocks'
    SELECT l.*, 1 AS place, 'records' AS kind, recorded_s AS lost_s
    FROM listing l
    WHERE left_out_for IS NULL AND recorded_s >= least(60, 0.5 * printed_s)
    UNION ALL
    SELECT l.*, 2, 'shorter', printed_s FROM listing l WHERE left_out_for = 'longer listing' AND printed_s IS NOT NULL
    UNION ALL
    SELECT l.*, 3, 'gap', missing_s FROM listing l WHERE missing_s > 0.02 * printed_s
    UNION ALL
    SELECT l.*, 4, 'overlap', twice_s FROM listing l WHERE twice_s > 0.02 * printed_s
),
loss AS (
    SELECT platform, system, report, place, kind, count(*) AS subjects, max(lost_s) AS lost_s
    FROM (
        SELECT platform, system, report, place, kind, subject, sum(lost_s) AS lost_s
        FROM lost
        GROUP BY platform, system, report, place, kind, subject
    ) AS of_subject
    GROUP BY platform, system, report, place, kind
    UNION ALL
    -- all reports of an interval are left out together
    SELECT platform, system, min(report), 5, 'clock', count(DISTINCT printed_start), NULL
    FROM listing_interval
    WHERE left_out_for = 'clock'
    GROUP BY platform, system
)
SELECT
    l.*,
    CASE report WHEN 'queue' THEN 'LCU' WHEN 'cache' THEN 'device in cache reports' ELSE report END AS noun,
    CASE report WHEN 'cache' THEN 'devices in cache reports' WHEN 'box' THEN 'boxes' ELSE '' END AS nouns
FROM loss l
ORDER BY platform DESC, system, report, place
