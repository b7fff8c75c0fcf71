-- source: smf74.5
-- formula read_count: sum of R745DRCR + R745DRSR + R745DRNR (high)
-- formula write_count: sum of R745DWRC + R745DWSR + R745DWNR (high)
-- formula read_hit_count: sum of R745DCRH + R745DRSH + R745DNRH (high)
-- formula write_hit_count: sum of R745DWCH + R745DWSH + R745DWNH (high)
-- formula io_count: sum of reads, writes, R745DICL and R745DBCR (high)
-- formula devices: count of R745DEV sections (high)
-- formula read_rate: sum of R745DRCR + R745DRSR + R745DRNR over the devices / R745CINT (high)
-- formula write_rate: sum of R745DWRC + R745DWSR + R745DWNR / R745CINT (high)
-- formula read_ratio: sum of reads / sum of reads and writes (high)
-- formula read_hit_ratio: sum of read hits / sum of reads (high)
-- formula write_hit_ratio: sum of write hits / sum of writes (high)
-- formula hit_ratio: sum of hits / sum of total I/O (high)
-- formula sequential_ratio: sum of R745DRSR + R745DWSR / sum of reads and writes (high)
-- formula fast_write_ratio: sum of fast writes / sum of writes (high)
-- formula nvs_delay_count: sum of R745DFWB (high)
-- formula nvs_delay_rate: sum of R745DFWB / R745CINT (high)
-- formula nvs_delay_ratio: sum of R745DFWB / sum of writes (high)
-- formula cache_delay_rate: sum of R745DFWR / R745CINT (high)
-- formula fast_write_inhibit_rate: sum of writes minus fast writes / R745CINT (high)
-- formula stage_rate: sum of R745DNTD / R745CINT (high)
-- formula sequential_stage_rate: sum of R745DTC / R745CINT (high)
-- formula destage_rate: sum of R745DCTD / R745CINT (high)
-- formula inhibit_rate: sum of R745DICL / R745CINT (high)
-- formula bypass_rate: sum of R745DBCR / R745CINT (high)
-- formula cache_bytes: R745SCNF; bytes if R745SFT = 0, KB if 1 or 2 (high)
-- formula cache_available_bytes: R745SAVL, unit by R745SFT (high)
-- formula cache_offline_bytes: R745SOFF, unit by R745SFT (high)
-- formula cache_pinned_bytes: R745SPIN, unit by R745SFT (high)
-- formula nvs_bytes: R745SCNV, unit by R745SFT (high)
-- formula nvs_pinned_bytes: R745SPND, unit by R745SFT (high)
-- formula cache_active: R745SCS bits SOS = 0 and R745SDS1 bits SDCS = 0 (high)
-- formula nvs_active: R745SVSS bits 0-4 all zero (high)
-- formula control_unit_type: NEDTYPEN-NEDMODN (high)
-- formula serial: NEDSEQN (high)
-- note: Sizes are NULL if the low nibble of R745SFT is not 0, 1 or 2, because their unit is not known.
WITH kept AS (
    SELECT record_id, system, subsystem, interval_start
    FROM cache_record
    WHERE kept
),
sized AS (
    SELECT *, CASE R745SFT % 16 WHEN 0 THEN 1.0 WHEN 1 THEN 1024.0 WHEN 2 THEN 1024.0 END AS unit_bytes
    FROM smf74_5_cache_status
),
status AS (
    SELECT
        r.system, r.subsystem, r.interval_start,
        max(s.R745SCNF * s.unit_bytes) AS cache_bytes,
        max(s.R745SAVL * s.unit_bytes) AS cache_available_bytes,
        max(s.R745SOFF * s.unit_bytes) AS cache_offline_bytes,
        max(s.R745SPIN * s.unit_bytes) AS cache_pinned_bytes,
        max(s.R745SCNV * s.unit_bytes) AS nvs_bytes,
        max(s.R745SPND * s.unit_bytes) AS nvs_pinned_bytes,
        bool_and(s.R745SCS_SOS = 0 AND s.R745SDS1_SDCS = 0) AS cache_active,
        bool_and(NOT (s.R745SVSS_SNHT OR s.R745SVSS_SNIS OR s.R745SVSS_DFWI OR s.R745SVSS_SNDS OR s.R745SVSS_SNPE))
            AS nvs_active,
        min(s.file_id) AS file_id,
        min(s.record_offset) AS place
    FROM sized s
    JOIN kept r ON r.record_id = s.record_id
    GROUP BY r.system, r.subsystem, r.interval_start
),
machine AS (
    SELECT
        r.system, r.subsystem, r.interval_start,
        max(nullif(c.NEDTYPEN, '') || '-' || nullif(c.NEDMODN, '')) AS control_unit_type,
        max(nullif(c.NEDSEQN, '')) AS serial
    FROM smf74_5_cache_control c
    JOIN kept r ON r.record_id = c.record_id
    GROUP BY r.system, r.subsystem, r.interval_start
),
summed AS (
    SELECT
        system, subsystem, interval_start,
        nullif(max(interval_s), 0) AS interval_s,
        max(utc_offset_s) AS utc_offset_s,
        count(*) AS devices,
        {{ each("sum(NAME)", "read_count write_count read_hit_count write_hit_count fast_write_count sequential_count
            io_count nvs_delay_count cache_delay_rate stage_rate sequential_stage_rate destage_rate inhibit_rate
            bypass_rate") }}
    FROM cache_interval
    WHERE source = 'smf74.5'
    GROUP BY system, subsystem, interval_start
)
SELECT
    *,
    {{ cache_ratios_of_counts() }},
    {{ each("NAME_count / interval_s", "read write nvs_delay", "NAME_rate") }},
    (write_count - fast_write_count) / interval_s AS fast_write_inhibit_rate
FROM summed
LEFT JOIN status USING (system, subsystem, interval_start)
LEFT JOIN machine USING (system, subsystem, interval_start)
