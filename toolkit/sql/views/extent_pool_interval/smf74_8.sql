-- source: smf74.8
-- formula extent_pool: R748XPID in hexadecimal (high)
-- formula pool_type: R748XPLT: 4 FB, 132 CKD (high)
-- formula volumes: devices of the 74.5 records whose R7452XID is the pool, counted over the day (UTC) (medium)
-- formula ranks: ranks with R748RPNM = R748XPID (high)
-- formula read_rate: sum of R748RROP of these ranks / R748CINT (medium)
-- formula write_rate: sum of R748RWOP of these ranks / R748CINT (medium)
-- formula read_ms: sum of R748RKRT * 16 / sum of R748RROP (medium)
-- formula write_ms: sum of R748RKWT * 16 / sum of R748RWOP (medium)
-- formula read_bytes_rate: sum of R748RBYR * 131072 / R748CINT (medium)
-- formula write_bytes_rate: sum of R748RBYW * 131072 / R748CINT (medium)
-- formula real_capacity_bytes: R748XRCP * 10^9 (medium)
-- formula real_extents: R748XRNS (high)
-- formula real_extents_allocated: R748XRNA (high)
-- formula virtual_capacity_bytes: R748XVCP * 10^9 if R748CFLG bit CXVL (medium)
-- formula virtual_extents: R748XVNS if R748CFLG bit CXVL (high)
-- formula extents_moved_in_count: R748XTDY if R748CFLG bit CXVL (high)
-- formula extents_moved_out_count: R748XSDY if R748CFLG bit CXVL (high)
WITH ranked AS (
    SELECT
        interval_start, box, extent_pool,
        count(*) AS ranks,
        {{ mean_of("read_ms", "read_rate") }} AS read_ms,
        {{ mean_of("write_ms", "write_rate") }} AS write_ms,
        {{ each("sum(NAME)", "read_rate write_rate read_bytes_rate write_bytes_rate") }}
    FROM rank_interval
    WHERE source = 'smf74.8'
    GROUP BY interval_start, box, extent_pool
),
housed AS (
    SELECT s.box, c.extent_pool, CAST(c.interval_start AS DATE) AS _day, count(DISTINCT c.subsystem || c.device) AS volumes
    FROM cache_interval c
    {{ join_box_then("s", "c") }}
    WHERE c.extent_pool IS NOT NULL
    GROUP BY s.box, c.extent_pool, CAST(c.interval_start AS DATE)
),
pool AS (
    SELECT
        b.interval_start, b.box,
        lpad(hex(CAST(x.R748XPID AS BIGINT)), 4, '0') AS extent_pool,
        CAST(b.interval_start AS DATE) AS _day,
        {{ each("max(b.NAME)", "interval_s system utc_offset_s") }},
        CASE max(x.R748XPLT) WHEN 4 THEN 'FB' WHEN 132 THEN 'CKD' END AS pool_type,
        max(x.R748XRCP) * 1e9 AS real_capacity_bytes,
        max(x.R748XRNS) AS real_extents,
        max(x.R748XRNA) AS real_extents_allocated,
        max(CASE WHEN b.extended THEN x.R748XVCP END) * 1e9 AS virtual_capacity_bytes,
        max(CASE WHEN b.extended THEN x.R748XVNS END) AS virtual_extents,
        max(CASE WHEN b.extended THEN x.R748XTDY END) AS extents_moved_in_count,
        max(CASE WHEN b.extended THEN x.R748XSDY END) AS extents_moved_out_count,
        min(x.file_id) AS file_id,
        min(x.record_offset) AS place
    FROM smf74_8_extent_pool x
    JOIN box_record b ON b.record_id = x.record_id AND b.kept
    GROUP BY b.interval_start, b.box, x.R748XPID
)
SELECT *
FROM pool
LEFT JOIN ranked USING (interval_start, box, extent_pool)
LEFT JOIN housed USING (box, extent_pool, _day)
