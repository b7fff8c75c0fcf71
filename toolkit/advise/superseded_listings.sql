-- question: superseded_listings
-- title: Systems with listings and records of the same time, and what of either is left out
-- grain: one row per platform, system, report
-- column records_subjects BIGINT []: Those whose records are left out, as a listing holds more of the time
-- column records_s DOUBLE [s]: Longest such time of one
-- column coarse_subjects BIGINT []: Those with shorter intervals of a listing left out, as a longer one holds more of the time
-- column coarse_s DOUBLE [s]: Longest such time of one
-- column lost_subjects BIGINT []: Those with a listing's rows left out though what counts in their place holds only a part of their time
-- column twice_subjects BIGINT []: Those with two overlapping intervals that count
-- column clashing BIGINT []: Intervals of listings that are left out, as the offsets known bring two to one time
WITH subject AS (
    SELECT
        b.platform, b.system, b.report, b.subject,
        -- seconds at either end are the clocks'
        sum(CASE WHEN b.left_out_for IS NULL AND b.recorded_s >= least(60, 0.5 * b.printed_s) THEN b.recorded_s END) AS records_s,
        sum(CASE WHEN b.left_out_for = 'longer listing' THEN b.printed_s END) AS coarse_s,
        sum(CASE WHEN o.missing_s > 0.02 * b.printed_s THEN o.missing_s END) AS lost_s,
        sum(CASE WHEN o.twice_s > 0.02 * b.printed_s THEN o.twice_s END) AS twice_s
    FROM listing_beside b
    JOIN listing_left_out o
        ON o.platform = b.platform AND o.report = b.report AND o.owner = b.owner AND o.subject = b.subject
        AND o.interval_start = b.interval_start
        AND abs(o.interval_s - greatest(least(coalesce(b.printed_s, 0), 604800), 1)) < 0.001
    -- what holds for all of an owner's holds for each as well
    WHERE b.subject <> b.owner OR b.report = 'box' OR b.platform = 'z/VM'
    GROUP BY b.platform, b.system, b.report, b.subject
),
told AS (
    SELECT
        platform, system, report,
        count(records_s) AS records_subjects,
        max(records_s) AS records_s,
        count(coarse_s) AS coarse_subjects,
        max(coarse_s) AS coarse_s,
        count(lost_s) AS lost_subjects,
        max(lost_s) AS lost_s,
        count(twice_s) AS twice_subjects,
        max(twice_s) AS twice_s,
        0 AS clashing
    FROM subject
    GROUP BY platform, system, report
    UNION ALL
    -- all reports of an interval are left out together
    SELECT platform, system, min(report), 0, NULL, 0, NULL, 0, NULL, 0, NULL, count(DISTINCT printed_start)
    FROM listing_interval
    WHERE left_out_for = 'clock'
    GROUP BY platform, system
)
SELECT
    platform,
    system,
    report,
    CAST(sum(records_subjects) AS BIGINT) AS records_subjects,
    max(records_s) AS records_s,
    CAST(sum(coarse_subjects) AS BIGINT) AS coarse_subjects,
    max(coarse_s) AS coarse_s,
    CAST(sum(lost_subjects) AS BIGINT) AS lost_subjects,
    max(lost_s) AS lost_s,
    CAST(sum(twice_subjects) AS BIGINT) AS twice_subjects,
    max(twice_s) AS twice_s,
    CAST(sum(clashing) AS BIGINT) AS clashing
FROM told
GROUP BY platform, system, report
HAVING sum(records_subjects) + sum(coarse_subjects) + sum(lost_subjects) + sum(twice_subjects) + sum(clashing) > 0
ORDER BY platform DESC, system, CASE report WHEN 'device' THEN 1 WHEN 'queue' THEN 2 WHEN 'channel' THEN 3 WHEN 'cache' THEN 4 ELSE 5 END
