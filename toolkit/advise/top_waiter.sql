-- question: top_waiter
-- title: Host wait of data sets, with the total wait of their volumes
-- grain: one row per system, lcu, volume and data_set; a volume none of whose data sets counts has a row without one
-- parameter $least DOUBLE [ratio]: Of the volume's wait, for a data set to be listed
-- column volume_s DOUBLE [s]: I/O time that the volume's I/Os waited in the host while data sets were recorded; at least that of all its data sets
-- column jobs BIGINT []: Jobs that waited for it
-- column is_recorded BOOLEAN []: Its system has records of data sets (42.6); where it has none, volume_s is all of the volume's wait
-- note: A volume of z/OS whose system has no type 42 subtype 6 has a row without a data set; one of z/VM has none.
WITH recorded AS (
    SELECT system, min(unix_micros(interval_start)) AS since_us,
        max(unix_micros(interval_start) + 1e6 * coalesce(interval_s, 0)) AS until_us
    FROM dataset_interval
    GROUP BY system
),
by_job AS (
    SELECT system, volser, data_set, job, sum(io_count * wait_ms) / 1000 AS waited_s
    FROM dataset_interval
    WHERE io_count > 0 AND wait_ms > 0
    GROUP BY system, volser, data_set, job
),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY system, volser, data_set ORDER BY waited_s DESC, job) AS place
    FROM by_job
),
by_data_set AS (
    SELECT
        system, volser, data_set, max(CASE WHEN place = 1 THEN job END) AS job, count(*) AS jobs,
        sum(waited_s) AS waited_s
    FROM ranked
    GROUP BY system, volser, data_set
),
of_all AS (
    SELECT system, volser, sum(waited_s) AS waited_s FROM by_data_set GROUP BY system, volser
),
waiting AS (
    SELECT
        v.system, v.lcu, v.volume, v.volser, r.system IS NOT NULL AS is_recorded,
        sum(v.queue_length * v.interval_s) AS waited_s
    FROM volume_interval v
    LEFT JOIN recorded r ON r.system = v.system
    WHERE v.queue_length > 0 AND (
        (r.system IS NULL AND v.platform = 'z/OS')
        OR (unix_micros(v.interval_start) + 1e6 * v.interval_s > r.since_us AND unix_micros(v.interval_start) < r.until_us)
    )
    GROUP BY v.system, v.lcu, v.volume, v.volser, r.system IS NOT NULL
)
SELECT
    w.system, w.lcu, w.volume, greatest(w.waited_s, coalesce(a.waited_s, 0)) AS volume_s,
    d.data_set, d.job, d.jobs, d.waited_s, w.is_recorded
FROM waiting w
LEFT JOIN of_all a ON a.system = w.system AND a.volser = w.volser
LEFT JOIN by_data_set d
    ON d.system = w.system AND d.volser = w.volser AND d.waited_s >= $least * greatest(w.waited_s, a.waited_s)
ORDER BY w.system, w.lcu, w.volume, d.waited_s DESC, d.data_set
