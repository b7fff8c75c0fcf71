-- layer: summed
-- reach: a day
-- title: How many device rows of a day (UTC) have what device_check looks for, and intervals with skipped samples
-- grain: one row per system, day
-- column interval_start TIMESTAMP [UTC]: Start of the first interval of the day
-- columns: system, day, offline_rows, voided_rows, partial_rows, connect_overflow_rows, samples_dropped_rows
-- columns: samples_skipped_intervals, active_differs_rows, busier_than_possible_rows, parts_differ_rows
-- columns: pend_suspect_rows, wait_differs_rows
WITH suspect AS (
    SELECT
        system,
        CAST(interval_start AS DATE) AS day,
        {% for flag in [
            "is_offline", "is_voided", "is_partial", "connect_overflow", "samples_dropped", "active_differs",
            "busier_than_possible", "parts_differ", "pend_suspect", "wait_differs"
        ] -%}
        CAST(sum(CASE WHEN {{ flag }} THEN 1 ELSE 0 END) AS BIGINT) AS {{ flag|replace("is_", "") }}_rows
        {{- "," if not loop.last }}
        {% endfor -%}
    FROM device_check
    GROUP BY system, CAST(interval_start AS DATE)
),
recorded AS (
    SELECT
        min(interval_start) AS interval_start,
        CAST(interval_start AS DATE) AS day,
        system,
        count(DISTINCT CASE WHEN SMF74FLA_ISS THEN interval_start END) AS samples_skipped_intervals
    FROM smf74_1_record
    GROUP BY system, CAST(interval_start AS DATE)
)
SELECT * FROM recorded LEFT JOIN suspect USING (system, day)
