-- title: Completeness and consistency of each system's measurements
-- grain: one row per platform, system
-- columns: platform, system
-- column span_start TIMESTAMP [UTC]: Start of the first interval
-- column span_end TIMESTAMP [UTC]: End of the last interval
-- column span_s DOUBLE [s]: Length of the span
-- column interval_s DOUBLE [s]: Usual (median) interval length
-- column least_interval_s DOUBLE [s]: Shortest length, to the minute, that four intervals or more have; NULL where none has as many
-- column most_interval_s DOUBLE [s]: The longest
-- column intervals BIGINT []: Intervals with device measurements
-- column missing_intervals BIGINT []: Intervals of the usual length that fit into the gaps; the time between two logs (FCX168) that state their span is none
-- column longest_gap_s DOUBLE [s]: Longest gap between two intervals
-- column unmeasured_s DOUBLE [s]: Time of the span that no interval holds, gaps of a minute and more: listings print starts to the minute
-- column overlap_s DOUBLE [s]: Time in two intervals, for example after a clock was set back; only overlaps of a minute or more
-- column overlap_start TIMESTAMP [UTC]: Start of the first interval that begins before one before it ends; NULL where none does
-- column device_rows BIGINT []: Device rows
-- columns: offline_rows, voided_rows, partial_rows, connect_overflow_rows, samples_dropped_rows, active_differs_rows
-- columns: busier_than_possible_rows, parts_differ_rows, pend_suspect_rows, wait_differs_rows
-- columns: samples_skipped_intervals
-- column totals_apart BIGINT []: Totals in RMF listings that their rows do not add up to, mostly for rows that are missing = rows of listing_total that do not add up; NULL where no listing counts
-- note: Columns from offline_rows to samples_skipped_intervals come from type 74.1 and are NULL for other sources. device_check explains each test.
{% set before = "OVER (PARTITION BY m.platform, m.system ORDER BY m.interval_start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)" -%}
WITH log AS (
    SELECT 'z/VM' AS platform, system, interval_start, max(interval_s) AS interval_s FROM fcx_page GROUP BY system, interval_start
),
ordered AS (
    SELECT
        m.*,
        unix_micros(m.interval_start) AS start_us,
        unix_micros(m.interval_start) + m.interval_s * 1000000 AS end_us,
        max(unix_micros(m.interval_start) + m.interval_s * 1000000) {{ before }} AS before_us,
        -- a log of several intervals states its span: before its first one, only what an earlier log states is missing
        CASE
            WHEN l.interval_s > m.interval_s
                THEN max(unix_micros(m.interval_start) + l.interval_s * 1000000) {{ before }}
            ELSE unix_micros(m.interval_start)
        END AS stated_us
    FROM measured_interval m
    LEFT JOIN log l ON {{ equal("platform, system, interval_start", "l", "m") }}
),
usual AS (
    SELECT platform, system, percentile_cont(0.5) WITHIN GROUP (ORDER BY interval_s) AS usual_s
    FROM measured_interval
    GROUP BY platform, system
),
length AS (
    SELECT platform, system, length_s
    FROM (
        SELECT platform, system, CASE WHEN interval_s >= 60 THEN 60 * round(interval_s / 60) ELSE interval_s END AS length_s
        FROM measured_interval
    ) AS to_the_minute
    GROUP BY platform, system, length_s
    HAVING count(*) >= 4
),
mixed AS (
    SELECT platform, system, min(length_s) AS least_s, max(length_s) AS most_s FROM length GROUP BY platform, system
),
gap AS (
    SELECT
        o.*, u.usual_s,
        greatest((least(o.start_us, o.stated_us) - o.before_us) / 1e6, 0) AS gap_s,
        CASE
            WHEN o.before_us > o.start_us THEN (least(o.end_us, o.before_us) - o.start_us) / 1e6
            ELSE 0
        END AS overlap_s
    FROM ordered o
    JOIN usual u ON u.platform = o.platform AND u.system = o.system
),
span AS (
    SELECT
        platform, system,
        min(interval_start) AS span_start,
        max(interval_start) AS last_start,
        min(start_us) AS first_us,
        max(end_us) AS last_us,
        max(usual_s) AS interval_s,
        count(*) AS intervals,
        CAST(sum(round(coalesce(gap_s, 0) / nullif(usual_s, 0))) AS BIGINT) AS missing_intervals,
        max(gap_s) AS longest_gap_s,
        sum(CASE WHEN gap_s >= 60 THEN gap_s ELSE 0 END) AS unmeasured_s,
        sum(CASE WHEN overlap_s >= 60 THEN overlap_s ELSE 0 END) AS overlap_s,
        min(CASE WHEN overlap_s >= 60 THEN interval_start END) AS overlap_start,
        CAST(sum(device_rows) AS BIGINT) AS device_rows
    FROM gap
    GROUP BY platform, system
),
suspect AS (
    SELECT
        system,
        {{ each("sum(NAME)", "offline_rows voided_rows partial_rows connect_overflow_rows
            samples_dropped_rows active_differs_rows busier_than_possible_rows parts_differ_rows
            pend_suspect_rows wait_differs_rows samples_skipped_intervals") }}
    FROM _check_day
    GROUP BY system
),
apart AS (
    SELECT platform, system, sum(CASE WHEN adds_up THEN 0 ELSE 1 END) AS totals_apart
    FROM listing_total
    WHERE adds_up IS NOT NULL
    GROUP BY platform, system
)
SELECT
    s.*,
    CAST(timestamp_micros(CAST(s.last_us AS BIGINT)) AS TIMESTAMP) AS span_end,
    (s.last_us - s.first_us) / 1e6 AS span_s,
    m.least_s AS least_interval_s,
    m.most_s AS most_interval_s,
    {{ each("CAST(q.NAME AS BIGINT)", "offline_rows voided_rows partial_rows connect_overflow_rows
        samples_dropped_rows active_differs_rows busier_than_possible_rows parts_differ_rows pend_suspect_rows
        wait_differs_rows samples_skipped_intervals") }},
    CAST(t.totals_apart AS BIGINT) AS totals_apart
FROM span s
LEFT JOIN suspect q ON q.system = CASE WHEN s.platform = 'z/OS' THEN s.system END
LEFT JOIN mixed m ON m.platform = s.platform AND m.system = s.system
LEFT JOIN apart t ON t.system = s.system AND t.platform = s.platform
