-- IBM's z/VM PAV study, read back from its listings: for each run the mean over eight volumes and the middle minutes.
-- The first and the last minute of a run are dropped, because the workers are starting and ending in them.
-- Rate, service and response are those of the volume: base and aliases added up, the wait taken from the base's queue.
WITH run_minute AS (
    SELECT DISTINCT system, remark, interval_start
    FROM fcx_page
    WHERE report = 'fcx168' AND remark IS NOT NULL
),
numbered AS (
    SELECT
        system,
        remark,
        interval_start,
        row_number() OVER (PARTITION BY system, remark ORDER BY interval_start) AS minute,
        count(*) OVER (PARTITION BY system, remark) AS minutes
    FROM run_minute
)
SELECT
    split_part(n.remark, ':', 1) AS run,
    CAST(regexp_extract(n.remark, 'read ([0-9]+)', 1) AS INTEGER) AS read_pct,
    CAST(regexp_extract(n.remark, 'workers ([0-9]+)', 1) AS INTEGER) AS workers_per_volume,
    CAST(regexp_extract(n.remark, 'aliases ([0-9]+)', 1) AS INTEGER) AS aliases,
    round(avg(v.io_rate), 2) AS ior_per_s,
    round(avg(v.service_ms), 2) AS iost_ms,
    round(avg(v.response_ms), 2) AS iort_ms
FROM numbered n
JOIN volume_interval v ON v.platform = 'z/VM' AND v.system = n.system AND v.interval_start = n.interval_start
WHERE n.minute > 1 AND n.minute < n.minutes
GROUP BY n.system, n.remark
ORDER BY run, read_pct, workers_per_volume, aliases
