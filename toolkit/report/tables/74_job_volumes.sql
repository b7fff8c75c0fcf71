-- title: Volumes by job
-- about: Who uses a volume over the whole span (type 30), the 2,000 jobs and volumes with most connect time. An EXCP is a block; work that counts none, as Db2 and VSAM may, is missing here.
-- missing: The lake has no intervals of jobs (type 30 subtypes 2, 3 and 6).
-- columns: volume, job, system
-- column dd: DD with most
-- columns: device, excp_count
-- column conn_ms .2: conn ms per EXCP
-- column connect_s .1: Connect time s
SELECT max(volser) AS volume, job, system, max_by(dd, peak_order(conn_s, interval_start)) AS dd, device,
       sum(excp_count) AS excp_count,
       1000 * sum(conn_s) / nullif(sum(CASE WHEN conn_s IS NOT NULL THEN excp_count END), 0) AS conn_ms,
       sum(conn_s) AS connect_s
FROM (SELECT *, connect_ratio * interval_s AS conn_s FROM job_volume_interval) AS measured
GROUP BY platform, system, job, device
ORDER BY connect_s DESC NULLS LAST, device, job, system
LIMIT 2000
