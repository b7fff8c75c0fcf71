-- title: Megabytes read and written per second over all channels
-- grain: one row per t
-- columns: t, step_s, intervals
-- column read_mb DOUBLE [megabytes per second]: Bytes read
-- column write_mb DOUBLE [megabytes per second]: Bytes written
-- column least_mb DOUBLE [megabytes per second]: Bytes read and written in the interval of the step that moved least
-- column most_mb DOUBLE [megabytes per second]: Bytes read and written in the interval that moved most
-- columns: most_at
-- column most_read_mb DOUBLE [megabytes per second]: Bytes read in it
-- column most_write_mb DOUBLE [megabytes per second]: Bytes written in it
WITH local AS (
    {{ steps_of("channel_interval") }}
),
by_system AS (
    SELECT
        platform, system, t, slot, min(local_start) AS began, {{ each("max(NAME)", "step_s interval_s") }},
        {{ each("sum(coalesce(partition_NAME_bytes_rate, NAME_bytes_rate)) / 1e6", "read write", "NAME_mb") }}
    FROM local
    GROUP BY platform, system, t, slot, interval_start
),
by_slot AS (
    SELECT
        t, slot, max(step_s) AS step_s, min(began) AS began, sum(interval_s) AS interval_s,
        {{ each("sum(NAME * interval_s) / sum(interval_s)", "read_mb write_mb") }}
    FROM by_system
    WHERE read_mb IS NOT NULL AND write_mb IS NOT NULL AND interval_s > 0
    GROUP BY platform, system, t, slot
),
by_interval AS (
    SELECT
        t, min(began) AS began, {{ each("max(NAME)", "step_s interval_s") }}, {{ each("sum(NAME)", "read_mb write_mb") }}
    FROM by_slot
    GROUP BY t, slot
)
SELECT
    t, max(step_s) AS step_s, count(*) AS intervals,
    {{ each("sum(NAME * interval_s) / sum(interval_s)", "read_mb write_mb") }},
    min(read_mb + write_mb) AS least_mb, max(read_mb + write_mb) AS most_mb,
    max_by(began, peak_order(read_mb + write_mb, began)) AS most_at,
    {{ each("max_by(NAME, peak_order(read_mb + write_mb, began))", "read_mb write_mb", "most_NAME") }}
FROM by_interval
GROUP BY t
ORDER BY t
