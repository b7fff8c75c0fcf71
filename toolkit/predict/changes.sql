-- title: Parts of each volume's response and its work, over the whole span
-- grain: one row per platform, system, volume
-- column eligible_ratio DOUBLE [ratio 0..1]: Read hits that records of data sets count as eligible for zHyperLink, of its I/Os
-- column block_bytes DOUBLE [bytes]: Data per read or write, from the cache statistics
-- column back_end_ms DOUBLE [milliseconds]: Time of a read from the back end, from the cache statistics
WITH cached AS (
    SELECT
        volser,
        sum((read_bytes_rate + write_bytes_rate) * interval_s) / nullif(sum(CASE
            WHEN read_bytes_rate + write_bytes_rate IS NOT NULL THEN (read_rate + write_rate) * interval_s
        END), 0) AS block_bytes,
        {{ mean_of("disk_read_ms", "disk_read_rate * interval_s") }} AS back_end_ms
    FROM cache_interval
    WHERE volser IS NOT NULL
    GROUP BY volser
),
busy AS (
    SELECT
        platform, system, volume, max(volser) AS volser, sum(io_rate * interval_s) AS ios,
        sum(io_rate * interval_s) / sum(interval_s) AS io_rate,
        {{ each(mean_of("NAME", "io_rate * interval_s"), "wait_ms pend_ms disc_ms conn_ms read_ratio") }},
        {{ mean_of("read_hit_ratio", "io_rate * read_ratio * interval_s") }} AS read_hit_ratio,
        sum(sync_read_rate * interval_s) / sum(interval_s) AS sync_read_rate
    FROM volume_interval
    WHERE io_rate > 0
    GROUP BY platform, system, volume
),
-- of all I/Os of the volume, so that what these records leave out counts as not eligible
eligible AS (
    SELECT system, volser, sum(sync_eligible_rate * interval_s) AS hits FROM dataset_interval GROUP BY system, volser
)
SELECT
    b.platform, b.system, b.volume, b.io_rate, b.wait_ms, b.pend_ms, b.disc_ms, b.conn_ms, b.read_ratio, b.read_hit_ratio,
    b.sync_read_rate, e.hits / b.ios AS eligible_ratio, c.block_bytes, c.back_end_ms
FROM busy b
LEFT JOIN cached c ON c.volser = b.volser
LEFT JOIN eligible e ON e.system = b.system AND e.volser = b.volser
ORDER BY b.io_rate * (b.wait_ms + b.pend_ms + b.disc_ms + b.conn_ms) DESC NULLS LAST, b.system, b.volume
