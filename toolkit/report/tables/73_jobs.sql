-- title: Jobs with most disk I/O
-- about: Disk I/Os of jobs and started tasks over the whole span (type 30), the 2,000 with most time. Time is pending, disconnect and connect time, summed over all I/Os; these records have no IOSQ time.
-- missing: The lake has no intervals of jobs (type 30 subtypes 2, 3 and 6).
-- columns: job, system
-- column program: Program
-- columns: service_class, io_count, pend_ms, disc_ms, conn_ms, excp_count
-- column time_s .1: Time s
SELECT job, system, max(program) AS program, max(service_class) AS service_class, sum(ios) AS io_count,
       {{ each(mean_of("disk_NAME", "ios"), "pend_ms disc_ms conn_ms") }}, sum(excp_count) AS excp_count,
       sum(ios * (disk_pend_ms + disk_disc_ms + disk_conn_ms)) / 1000 AS time_s
FROM (SELECT *, disk_io_rate * interval_s AS ios FROM job_interval) AS measured
GROUP BY platform, system, job
ORDER BY time_s DESC NULLS LAST, job, system
LIMIT 2000
