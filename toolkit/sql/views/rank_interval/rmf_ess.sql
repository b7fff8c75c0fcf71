-- source: rmf.ess
-- formula rank: RRID (medium)
-- formula extent_pool: EXTENT POOL ID of the rank's pool (medium)
-- formula adapter_pair: ADAPT ID (medium)
-- formula read_rate: READ OPERATIONS OPS/SEC (medium)
-- formula write_rate: WRITE OPERATIONS OPS/SEC (medium)
-- formula read_ms: READ OPERATIONS RTIME/OP; NULL without reads (medium)
-- formula write_ms: WRITE OPERATIONS RTIME/OP; NULL without writes (medium)
-- formula read_bytes_rate: READ OPERATIONS BYTES/SEC (medium)
-- formula write_bytes_rate: WRITE OPERATIONS BYTES/SEC (medium)
-- formula raid_type: RAID TYPE (medium)
-- formula drive_class: ssd where SSD is Y; else unknown (low)
-- formula arrays: ARRAY NUM (low)
-- formula drives: ARRAY WIDTH of a rank of one array (low)
-- formula drive_rpm: MIN RPM (low)
-- formula capacity_bytes: RANK CAP, a printed G taken for 10^9 bytes (low)
-- note: Ignored where 74.8 records (of any system) or shorter intervals of a listing hold the same time, see left_out.
-- note: No printed page of this report was available for its headings. An unread_column issue names a different wording.
{% set box = "trim(LEADING '0' FROM i.serial)" -%}
{% call printed("rmf_ess_rank", "'z/OS'", "'box'", box, "i.rank", owner=box, order="i.system",
    where="i.rank <> 'POOL'") %}
    trim(LEADING '0' FROM serial) AS box,
    rank,
    pool AS extent_pool,
    rank_adapter AS adapter_pair,
    read_rate, write_rate,
    CASE WHEN read_rate > 0 THEN read_resp_ms END AS read_ms,
    CASE WHEN write_rate > 0 THEN write_resp_ms END AS write_ms,
    read_bytes_rate, write_bytes_rate,
    replace(raid_type, ' ', '-') AS raid_type,
    CASE WHEN ssd = 'Y' THEN 'ssd' END AS drive_class,
    CAST(arrays AS BIGINT) AS arrays,
    CASE WHEN arrays = 1 THEN CAST(width AS BIGINT) END AS drives,
    CAST(nullif(min_rpm, 0) AS BIGINT) AS drive_rpm,
    rank_capacity_bytes AS capacity_bytes
{% endcall %}
