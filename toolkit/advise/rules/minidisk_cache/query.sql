-- question: minidisk_cache
-- title: What minidisk cache avoids of the requests to each volume
-- grain: one row per platform, system, volume
-- parameter $io_rate DOUBLE [per s]: Requests below which nothing is to be saved
-- parameter $saved DOUBLE [ratio]: Of the requests avoided
-- parameter $reads DOUBLE [ratio]: Of the I/Os are reads
-- column is_saved BOOLEAN []: Most requests are avoided; else none
-- column avoided_rate DOUBLE [per second]: I/Os avoided, mean of the span
WITH span AS (
    SELECT
        platform, system, volume,
        sum(io_rate * interval_s) / sum(interval_s) AS io_rate,
        sum(mdc_avoided_rate * interval_s) / sum(interval_s) AS avoided_rate,
        {{ mean_of("read_ratio", "io_rate") }} AS read_ratio,
        {{ mean_of("disc_ms", "io_rate") }} AS disc_ms,
        {{ mean_of("service_ms", "io_rate") }} AS service_ms
    FROM volume_interval
    WHERE mdc_avoided_rate IS NOT NULL AND io_rate IS NOT NULL
    GROUP BY platform, system, volume
)
SELECT system, volume, avoided_rate > 0 AS is_saved, io_rate, avoided_rate, read_ratio, disc_ms, service_ms
FROM span
WHERE io_rate + avoided_rate >= $io_rate
    AND (avoided_rate >= $saved * (io_rate + avoided_rate) OR (avoided_rate = 0 AND read_ratio >= $reads))
ORDER BY system, is_saved, io_rate + avoided_rate DESC, volume
