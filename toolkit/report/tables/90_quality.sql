-- title: Completeness by system
-- about: Per system. Suspect rows are those whose time components contradict each other (view device_check).
-- missing: The lake has no device measurements.
-- zvm: same
-- columns: system
-- column platform: Platform
-- column span_from: From, local time
-- column span_to: To, local time
-- column interval_min .1: Interval min
-- column intervals: Intervals
-- column missing_intervals: Missing
-- column longest_gap_min .1: Longest gap min
-- column device_rows: Device rows
-- column offline_rows: Offline
-- column voided_rows: Voided by flags
-- column suspect_rows: Suspect
SELECT q.system, q.platform,
       CAST(timestamp_micros(unix_micros(q.span_start) + coalesce(o.offset_us, 0)) AS TIMESTAMP) AS span_from,
       CAST(timestamp_micros(unix_micros(q.span_end) + coalesce(o.offset_us, 0)) AS TIMESTAMP) AS span_to,
       q.interval_s / 60 AS interval_min, q.intervals, q.missing_intervals, q.longest_gap_s / 60 AS longest_gap_min,
       q.device_rows, q.offline_rows, q.voided_rows,
       q.active_differs_rows + q.busier_than_possible_rows + q.parts_differ_rows + q.pend_suspect_rows + q.wait_differs_rows AS suspect_rows
FROM data_quality q
LEFT JOIN (
    SELECT platform, system, CAST(max(utc_offset_s) AS BIGINT) * 1000000 AS offset_us
    FROM volume_interval GROUP BY platform, system
) o ON o.platform = q.platform AND o.system = q.system
ORDER BY q.platform, q.system
