-- fragment: steps of {relation}
-- The rows of a view in steps of local time, for charts, within `local AS (...)`: the view's columns, step_s and t, the
-- start of the step in the local time of the row's system. Steps are as long as the longest interval, or longer where
-- the span would need more than about a hundred of them.
SELECT
    v.*,
    s.step_s,
    CAST(timestamp_micros(
        CAST(
            floor(unix_micros(v.local_start) / (1000000.0 * s.step_s))
            AS BIGINT
        ) * 1000000 * CAST(s.step_s AS BIGINT)
    ) AS TIMESTAMP) AS t
FROM {relation} AS v
CROSS JOIN (
    -- a damaged record may tell of another century or of months: a year is long enough for any
    SELECT coalesce(min(size), 31536000) AS step_s
    FROM (
        VALUES (60), (300), (900), (1800), (3600), (7200), (14400), (21600), (43200), (86400), (604800), (2592000)
    ) AS s (size)
    WHERE
        size >= (SELECT max(greatest(interval_s * 0.99, 0)) FROM {relation})
        AND size * 100 >= (
            SELECT (max(unix_micros(interval_start)) - min(unix_micros(interval_start))) / 1e6 FROM {relation}
        )
) AS s
