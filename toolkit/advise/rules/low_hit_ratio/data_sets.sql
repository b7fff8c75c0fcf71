-- question: low_hit_ratio_data_sets
-- title: Disconnect time of a volume by data set and job
-- grain: one row per data_set, job
-- parameter $volser VARCHAR []: The volume
-- parameter $start VARCHAR [local time]: Start of the time asked about
-- parameter $end VARCHAR [local time]: Its end
-- column disc_ratio DOUBLE [ratio 0..1]: Its share of the disconnect time of all data sets recorded then
-- column disc_ms DOUBLE [ms]: Its disconnect per I/O
-- column io_count DOUBLE [I/Os]: Its I/Os
SELECT
    data_set,
    job,
    sum(io_count * disc_ms) / sum(sum(io_count * disc_ms)) OVER () AS disc_ratio,
    sum(io_count * disc_ms) / sum(io_count) AS disc_ms,
    CAST(sum(io_count) AS DOUBLE) AS io_count
FROM dataset_interval
WHERE volser = $volser AND io_count > 0
    AND local_start >= CAST($start AS TIMESTAMP) AND local_start < CAST($end AS TIMESTAMP)
GROUP BY data_set, job
ORDER BY disc_ratio DESC
