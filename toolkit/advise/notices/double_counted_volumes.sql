-- title: Extent pools whose disk read time differs between volume records and pool record, by box, with the worst of each
-- grain: one row per box
-- column pools BIGINT []: Such pools
-- column pool_ms DOUBLE [milliseconds]: A read by the pool's own record, weighted by I/Os
-- column own_ms DOUBLE [milliseconds]: The same by its volumes' records
WITH pool AS (
    SELECT
        box, extent_pool,
        max(back_end_source) AS back_end_source,
        sum(io_rate * back_end_ms) / sum(io_rate) AS long_ms,
        sum(io_rate * other_back_end_ms) / sum(io_rate) AS short_ms,
        {{ each("min(NAME)", "local_start local_end") }}
    FROM disconnect_interval
    WHERE other_back_end_ms IS NOT NULL
    GROUP BY box, extent_pool
)
SELECT
    box, pools, extent_pool, local_start, local_end,
    CASE WHEN back_end_source = 'extent pool' THEN long_ms ELSE short_ms END AS pool_ms,
    CASE WHEN back_end_source = 'extent pool' THEN short_ms ELSE long_ms END AS own_ms
FROM (
    SELECT
        p.*,
        count(*) OVER (PARTITION BY box) AS pools,
        row_number() OVER (PARTITION BY box ORDER BY long_ms DESC, extent_pool) AS place
    FROM pool p
) AS ranked
WHERE place = 1
ORDER BY box
