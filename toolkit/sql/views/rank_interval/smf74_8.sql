-- source: smf74.8
-- formula rank: R748RRID in hexadecimal (high)
-- formula extent_pool: R748RPNM in hexadecimal (high)
-- formula adapter_pair: R748RAI in hexadecimal if R748RTQ bit RAIV (high)
-- formula read_rate: R748RROP / R748CINT (high)
-- formula write_rate: R748RWOP / R748CINT (high)
-- formula read_ms: R748RKRT * 16 / R748RROP (high)
-- formula write_ms: R748RKWT * 16 / R748RWOP (high)
-- formula read_bytes_rate: R748RBYR * 131072 / R748CINT (high)
-- formula write_bytes_rate: R748RBYW * 131072 / R748CINT (high)
-- formula raid_type: R748ATYP of the rank's arrays: 1 RAID-5, 2 RAID-10, 3 RAID-6; NULL where they differ (high)
-- formula drive_class: R748AAST bits ADC: 0 enterprise, 1 nearline, 2 sata, 3 ssd; NULL where they differ (high)
-- formula arrays: R748RCNT (high)
-- formula drives: sum of R748AAWD (high)
-- formula drive_rpm: lowest R748AASP * 1000 (high)
-- formula capacity_bytes: sum of R748AAWD * R748AACP * 10^9 (medium)
-- formula is_degraded: R748AAST bit ARD of any array (high)
-- formula is_throttled: R748AAST bit ADT of any array (high)
-- formula is_encrypted: R748RTQ bit RTCR (high)
-- note: Arrays are matched to ranks by the rank they name (R748ARID), not by position.
WITH array_of AS (
    SELECT
        record_id,
        R748ARID AS rank_id,
        count(*) AS arrays,
        CASE WHEN min(R748ATYP) = max(R748ATYP) THEN max(R748ATYP) END AS raid,
        CASE WHEN min(R748AAST_ADC) = max(R748AAST_ADC) THEN max(R748AAST_ADC) END AS drive_class,
        sum(R748AAWD) AS drives,
        min(nullif(R748AASP, 0)) AS speed,
        sum(R748AAWD * R748AACP) AS capacity,
        bool_or(R748AAST_ARD) AS is_degraded,
        bool_or(R748AAST_ADT) AS is_throttled
    FROM smf74_8_array
    GROUP BY record_id, R748ARID
)
SELECT
    b.interval_start, b.interval_s, b.box,
    lpad(hex(CAST(r.R748RRID AS BIGINT)), 4, '0') AS rank,
    max(lpad(hex(CAST(r.R748RPNM AS BIGINT)), 4, '0')) AS extent_pool,
    max(CASE WHEN r.R748RTQ_RAIV THEN lpad(hex(CAST(r.R748RAI AS BIGINT)), 4, '0') END) AS adapter_pair,
    sum(r.R748RROP) / b.interval_s AS read_rate,
    sum(r.R748RWOP) / b.interval_s AS write_rate,
    sum(r.R748RKRT) * 16 / nullif(sum(r.R748RROP), 0) AS read_ms,
    sum(r.R748RKWT) * 16 / nullif(sum(r.R748RWOP), 0) AS write_ms,
    sum(r.R748RBYR) * 131072 / b.interval_s AS read_bytes_rate,
    sum(r.R748RBYW) * 131072 / b.interval_s AS write_bytes_rate,
    CASE max(a.raid) WHEN 1 THEN 'RAID-5' WHEN 2 THEN 'RAID-10' WHEN 3 THEN 'RAID-6' END AS raid_type,
    CASE max(a.drive_class) WHEN 0 THEN 'enterprise' WHEN 1 THEN 'nearline' WHEN 2 THEN 'sata' WHEN 3 THEN 'ssd' END
        AS drive_class,
    CAST(max(r.R748RCNT) AS BIGINT) AS arrays,
    CAST(max(a.drives) AS BIGINT) AS drives,
    CAST(max(a.speed) * 1000 AS BIGINT) AS drive_rpm,
    max(a.capacity) * 1e9 AS capacity_bytes,
    bool_or(a.is_degraded) AS is_degraded,
    bool_or(a.is_throttled) AS is_throttled,
    bool_or(r.R748RTQ_RTCR) AS is_encrypted,
    max(b.system) AS system,
    max(b.utc_offset_s) AS utc_offset_s,
    min(r.file_id) AS file_id,
    min(r.record_offset) AS place
FROM smf74_8_rank r
JOIN box_record b ON b.record_id = r.record_id AND b.kept
LEFT JOIN array_of a ON a.record_id = r.record_id AND a.rank_id = r.R748RRID
GROUP BY b.interval_start, b.interval_s, b.box, r.R748RRID
