-- question: top_job
-- title: Connect time of jobs on volumes, with the total connect time of the volumes, while I/Os wait in the host
-- grain: one row per system, lcu, volume, job; a volume none of whose jobs counts has a row without one
-- parameter $least DOUBLE [ratio]: Of the volume's connect time, for a job to be listed
-- column volume_s DOUBLE [s]: Connect time of the volume while I/Os waited and jobs were recorded
-- column dd VARCHAR []: DD name with most of it
-- note: By type 30, whose EXCPs have device and DD, but no data set.
WITH recorded AS (
    SELECT
        system, min(unix_micros(interval_start)) AS since_us,
        max(unix_micros(interval_start) + 1e6 * interval_s) AS until_us
    FROM job_volume_interval
    GROUP BY system
),
waiting AS (
    SELECT
        v.system, v.lcu, v.volume, v.volser, unix_micros(v.interval_start) AS from_us,
        unix_micros(v.interval_start) + 1e6 * v.interval_s AS until_us,
        v.io_rate * v.conn_ms / 1000 * v.interval_s AS conn_s
    FROM volume_interval v
    JOIN recorded r ON r.system = v.system AND unix_micros(v.interval_start) + 1e6 * v.interval_s > r.since_us
        AND unix_micros(v.interval_start) < r.until_us
    WHERE v.platform = 'z/OS' AND v.queue_length > 0
),
whole AS (
    SELECT system, max(lcu) AS lcu, volume, sum(conn_s) AS volume_s FROM waiting GROUP BY system, volume
),
used AS (
    SELECT
        system, volser, job, dd, connect_ratio, unix_micros(interval_start) AS from_us,
        unix_micros(interval_start) + 1e6 * interval_s AS until_us
    FROM job_volume_interval
    WHERE job IS NOT NULL AND volser IS NOT NULL AND connect_ratio > 0
),
by_dd AS (
    SELECT
        w.system, w.volume, u.job, u.dd,
        sum(u.connect_ratio * (least(u.until_us, w.until_us) - greatest(u.from_us, w.from_us)) / 1e6) AS conn_s
    FROM waiting w
    JOIN used u ON {{ equal("system, volser", "u", "w") }} AND u.from_us < w.until_us AND w.from_us < u.until_us
    GROUP BY w.system, w.volume, u.job, u.dd
),
by_job AS (
    SELECT system, volume, job, max_by(dd, name_order(conn_s, dd)) AS dd, sum(conn_s) AS conn_s
    FROM by_dd
    GROUP BY system, volume, job
)
SELECT
    w.system, w.lcu, w.volume, greatest(w.volume_s, coalesce(o.conn_s, 0)) AS volume_s, j.job, j.dd, j.conn_s AS waited_s
FROM whole w
LEFT JOIN (
    SELECT system, volume, sum(conn_s) AS conn_s FROM by_job GROUP BY system, volume
) AS o ON o.system = w.system AND o.volume = w.volume
LEFT JOIN by_job j ON {{ equal("system, volume", "j", "w") }} AND j.conn_s >= $least * greatest(w.volume_s, o.conn_s)
ORDER BY w.system, w.lcu, w.volume, j.conn_s DESC, j.job
