-- source: smf74.5
-- formula extent_pool: R7452XID in hexadecimal (high)
-- formula pool_type: R7452XTY: 4 FB, 132 CKD (high)
-- formula volumes: devices with R7452XID (high)
-- formula read_rate: sum of R7452PRO / R745CINT over the devices (high)
-- formula write_rate: sum of R7452PWO / R745CINT over the devices (high)
-- formula read_ms: sum of R7452PRT * 16 / sum of R7452PRO if R7451INC bits UNT = 0 (high)
-- formula write_ms: sum of R7452PWT * 16 / sum of R7452PWO if R7451INC bits UNT = 0 (high)
-- formula read_bytes_rate: sum of R7452PBR * 131072 / R745CINT if R7451INC bits UNT = 0 (high)
-- formula write_bytes_rate: sum of R7452PBW * 131072 / R745CINT if R7451INC bits UNT = 0 (high)
-- note: Each device of the pool records its own share. Devices of subsystems that are not gathered are missing from the sums. Not used if 74.8 measured the box on that day (UTC).
SELECT
    coalesce(a.box_interval_start, c.interval_start) AS interval_start,
    max(coalesce(a.box_interval_s, c.interval_s)) AS interval_s,
    s.box,
    lpad(hex(CAST(e.R7452XID AS BIGINT)), 4, '0') AS extent_pool,
    CASE max(e.R7452XTY) WHEN 4 THEN 'FB' WHEN 132 THEN 'CKD' END AS pool_type,
    count(DISTINCT c.subsystem || e.R7451DVN) AS volumes,
    sum(e.R7452PRO / nullif(coalesce(a.covered_s, c.interval_s), 0)) AS read_rate,
    sum(e.R7452PWO / nullif(coalesce(a.covered_s, c.interval_s), 0)) AS write_rate,
    sum(CASE WHEN e.R7451INC_UNT = 0 THEN e.R7452PRT END) * 16
        / nullif(sum(CASE WHEN e.R7451INC_UNT = 0 THEN e.R7452PRO END), 0) AS read_ms,
    sum(CASE WHEN e.R7451INC_UNT = 0 THEN e.R7452PWT END) * 16
        / nullif(sum(CASE WHEN e.R7451INC_UNT = 0 THEN e.R7452PWO END), 0) AS write_ms,
    sum(CASE WHEN e.R7451INC_UNT = 0 THEN e.R7452PBR * 131072 / nullif(coalesce(a.covered_s, c.interval_s), 0) END) AS read_bytes_rate,
    sum(CASE WHEN e.R7451INC_UNT = 0 THEN e.R7452PBW * 131072 / nullif(coalesce(a.covered_s, c.interval_s), 0) END) AS write_bytes_rate,
    max(c.system) AS system,
    max(e.utc_offset_s) AS utc_offset_s,
    min(e.file_id) AS file_id,
    min(e.record_offset) AS place
{{ from_raid_sections(2) }}, e.R7452XID
