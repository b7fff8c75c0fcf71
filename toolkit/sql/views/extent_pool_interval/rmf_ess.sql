-- source: rmf.ess
-- formula extent_pool: EXTENT POOL ID (medium)
-- formula pool_type: EXTENT POOL TYPE, without the size of an extent (medium)
-- formula ranks: rank lines of the pool (medium)
-- formula read_rate: line POOL of the rank statistics: READ OPERATIONS OPS/SEC (medium)
-- formula write_rate: line POOL: WRITE OPERATIONS OPS/SEC (medium)
-- formula read_ms: line POOL: READ OPERATIONS RTIME/OP; NULL without reads (medium)
-- formula write_ms: line POOL: WRITE OPERATIONS RTIME/OP; NULL without writes (medium)
-- formula read_bytes_rate: line POOL: READ OPERATIONS BYTES/SEC (medium)
-- formula write_bytes_rate: line POOL: WRITE OPERATIONS BYTES/SEC (medium)
-- formula real_capacity_bytes: REAL EXTENTS CAPACITY * 10^9, taken for gigabytes (low)
-- formula real_extents: REAL EXTENTS (medium)
-- formula virtual_capacity_bytes: VIRTUAL EXTENTS CAPACITY * 10^9, taken for gigabytes (low)
-- formula virtual_extents: VIRTUAL EXTENTS (medium)
-- note: Ignored where 74.8 records (of any system) or shorter intervals of a listing hold the same time, see left_out.
-- note: No printed page of this report was available for its headings. An unread_column issue names a different wording.
-- note: A pool of one rank has no POOL line; the numbers of the rank are used.
{% set box = "trim(LEADING '0' FROM i.serial)" -%}
WITH ranked AS (
    SELECT
        r.*,
        l.interval_start AS start,
        l.utc_offset_s AS offset_s,
        row_number() OVER (
            PARTITION BY trim(LEADING '0' FROM r.serial), l.interval_start, r.pool
            ORDER BY CASE WHEN r.rank = 'POOL' THEN 0 ELSE 1 END, r.system, r.file_id, r.line
        ) AS turn,
        count(CASE WHEN r.rank <> 'POOL' THEN 1 END) OVER (
            PARTITION BY trim(LEADING '0' FROM r.serial), l.interval_start, r.pool, r.system, r.file_id
        ) AS ranks
    FROM rmf_ess_rank r
    {{ join_listing("r", "'z/OS'", "'box'", "trim(LEADING '0' FROM r.serial)", "trim(LEADING '0' FROM r.serial)") }}
    WHERE x.subject IS NULL AND r.pool IS NOT NULL
),
sized AS (
    {{ first_printed("rmf_ess_extent_pool", "'z/OS'", "'box'", box, "i.pool", owner=box, order="i.system") }}
),
worked AS (
    SELECT *, CASE WHEN rank = 'POOL' OR ranks = 1 THEN 1 END AS summed
    FROM ranked
    WHERE turn = 1
)
SELECT
    coalesce(w.start, s.start) AS interval_start,
    coalesce(w.interval_s, s.interval_s) AS interval_s,
    trim(LEADING '0' FROM coalesce(w.serial, s.serial)) AS box,
    coalesce(w.pool, s.pool) AS extent_pool,
    CASE
        WHEN coalesce(s.pool_type, w.pool_type) LIKE 'CKD%' THEN 'CKD'
        WHEN coalesce(s.pool_type, w.pool_type) LIKE 'FB%' THEN 'FB'
    END AS pool_type,
    w.ranks,
    {{ each("w.summed * w.NAME", "read_rate write_rate read_bytes_rate write_bytes_rate") }},
    CASE WHEN w.read_rate > 0 THEN w.summed * w.read_resp_ms END AS read_ms,
    CASE WHEN w.write_rate > 0 THEN w.summed * w.write_resp_ms END AS write_ms,
    s.real_capacity_gb * 1e9 AS real_capacity_bytes,
    CAST(s.real_extents AS BIGINT) AS real_extents,
    s.virtual_capacity_gb * 1e9 AS virtual_capacity_bytes,
    CAST(s.virtual_extents AS BIGINT) AS virtual_extents,
    coalesce(w.system, s.system) AS system,
    coalesce(w.offset_s, s.offset_s) AS utc_offset_s,
    coalesce(w.file_id, s.file_id) AS file_id,
    CASE WHEN w.file_id IS NULL THEN s.line ELSE w.line END AS place
FROM worked w
FULL OUTER JOIN sized s
    ON trim(LEADING '0' FROM s.serial) = trim(LEADING '0' FROM w.serial) AND s.start = w.start AND s.pool = w.pool
