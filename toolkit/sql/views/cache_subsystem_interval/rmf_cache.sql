-- source: rmf.cache
-- formula read_count: COUNT of reads, row TOTAL of the overview, else the sum of the other rows (high)
-- formula write_count: COUNT of writes, likewise (high)
-- formula read_hit_count: HITS of reads, likewise (high)
-- formula write_hit_count: HITS of writes, likewise (high)
-- formula io_count: TOTAL I/O (high)
-- formula read_rate: read_count / CINT (high)
-- formula write_rate: write_count / CINT (high)
-- formula read_ratio: read_count / (read_count + write_count) (high)
-- formula read_hit_ratio: read_hit_count / read_count (high)
-- formula write_hit_ratio: write_hit_count / write_count (high)
-- formula sequential_ratio: COUNT of row SEQUENTIAL, reads and writes, over all (high)
-- formula fast_write_ratio: FAST / COUNT of writes (high)
-- formula nvs_delay_count: DELAYED DUE TO NVS, older layouts DFW BYPASS (medium)
-- formula nvs_delay_rate: nvs_delay_count / CINT (medium)
-- formula nvs_delay_ratio: nvs_delay_count / write_count (medium)
-- formula cache_delay_rate: DELAYED DUE TO CACHE, older layouts CFW BYPASS, over CINT (medium)
-- formula fast_write_inhibit_rate: DFW INHIBIT / CINT (medium)
-- formula stage_rate: TRACKS of row NORMAL of the misses / CINT (medium)
-- formula sequential_stage_rate: TRACKS of row SEQUENTIAL of the misses / CINT (medium)
-- formula destage_rate: ASYNC (TRKS) / CINT (medium)
-- formula inhibit_rate: ICL / CINT, older layouts only (medium)
-- formula bypass_rate: BYPASS / CINT, older layouts only (medium)
-- formula cache_bytes: SUBSYSTEM STORAGE CONFIGURED (high)
-- formula cache_available_bytes: AVAILABLE (high)
-- formula cache_offline_bytes: OFFLINE (high)
-- formula cache_pinned_bytes: PINNED (high)
-- formula nvs_bytes: NON-VOLATILE STORAGE CONFIGURED (high)
-- formula nvs_pinned_bytes: NON-VOLATILE STORAGE PINNED (high)
-- formula cache_active: CACHING - ACTIVE; NULL where the layout does not print it (high)
-- formula nvs_active: NON-VOLATILE STORAGE - ACTIVE (high)
-- formula control_unit_type: TYPE-MODEL (high)
-- formula serial: SERIAL (high)
-- note: Left out where 74.5 records (of any system) or shorter intervals of a listing hold the same time, see left_out.
-- note: If a listing prints a subsystem id twice, for two boxes or one, the first counts, with the panels that follow it. The raw tables have all.
WITH block AS (
    -- what is printed from a status to the next one of the same id
    SELECT
        file_id, system, interval_start, subsystem, line,
        lag(line) OVER (PARTITION BY file_id, system, interval_start, subsystem ORDER BY line) AS last_line,
        lead(line) OVER (PARTITION BY file_id, system, interval_start, subsystem ORDER BY line) AS next_line
    FROM rmf_cache_status
    WHERE device IS NULL
),
requests AS (
    SELECT
        o.file_id, o.system, o.interval_start, o.subsystem, b.line,
        {{ each("coalesce(max(CASE WHEN kind = 'TOTAL' THEN o.NAME END), sum(CASE WHEN kind <> 'TOTAL' THEN o.NAME END))",
            "read_count write_count read_hit_count write_hit_count fast_count") }},
        sum(CASE WHEN kind = 'SEQUENTIAL' THEN read_count + write_count END) AS sequential,
        sum(CASE WHEN kind = 'NORMAL' THEN track_count END) AS normal_tracks,
        sum(CASE WHEN kind = 'SEQUENTIAL' THEN track_count END) AS sequential_tracks
    FROM rmf_cache_overview o
    JOIN block b
        ON {{ equal("file_id, system, interval_start, subsystem", "b", "o") }}
        AND (o.line >= b.line OR b.last_line IS NULL) AND (o.line < b.next_line OR b.next_line IS NULL)
    WHERE o.device IS NULL
    GROUP BY o.file_id, o.system, o.interval_start, o.subsystem, b.line
),
listed AS (
    SELECT d.file_id, d.system, d.interval_start, d.subsystem, b.line, count(DISTINCT d.device) AS devices
    FROM rmf_cache_device d
    JOIN block b
        ON {{ equal("file_id, system, interval_start, subsystem", "b", "d") }}
        AND (d.line >= b.line OR b.last_line IS NULL) AND (d.line < b.next_line OR b.next_line IS NULL)
    WHERE d.device IS NOT NULL AND d.list = 'OVERVIEW'
    GROUP BY d.file_id, d.system, d.interval_start, d.subsystem, b.line
),
status AS (
    {{ first_printed("rmf_cache_status", "'z/OS'", "'cache'", "i.subsystem", "i.subsystem", "i.device IS NULL", "i.subsystem",
        "i.system") }}
)
SELECT
    s.start AS interval_start,
    s.interval_s, s.subsystem, l.devices,
    r.read_count / s.interval_s AS read_rate,
    r.write_count / s.interval_s AS write_rate,
    r.read_count / nullif(r.read_count + r.write_count, 0) AS read_ratio,
    r.read_hit_count / nullif(r.read_count, 0) AS read_hit_ratio,
    r.write_hit_count / nullif(r.write_count, 0) AS write_hit_ratio,
    s.total_hit_ratio AS hit_ratio,
    r.sequential / nullif(r.read_count + r.write_count, 0) AS sequential_ratio,
    r.fast_count / nullif(r.write_count, 0) AS fast_write_ratio,
    s.nvs_delay_count,
    {{ each("s.NAME_count / s.interval_s", "nvs_delay cache_delay inhibit bypass", "NAME_rate") }},
    s.nvs_delay_count / nullif(r.write_count, 0) AS nvs_delay_ratio,
    s.dfw_inhibit_count / s.interval_s AS fast_write_inhibit_rate,
    r.normal_tracks / s.interval_s AS stage_rate,
    r.sequential_tracks / s.interval_s AS sequential_stage_rate,
    s.async_count / s.interval_s AS destage_rate,
    s.cache_configured_bytes AS cache_bytes,
    s.cache_available_bytes, s.cache_offline_bytes, s.cache_pinned_bytes,
    s.nvs_configured_bytes AS nvs_bytes,
    s.nvs_pinned_bytes,
    s.caching_status = 'ACTIVE' AS cache_active,
    s.nvs_status = 'ACTIVE' AS nvs_active,
    r.read_count, r.write_count, r.read_hit_count, r.write_hit_count,
    s.total_io_count AS io_count,
    s.type_model AS control_unit_type,
    s.serial, s.system,
    s.offset_s AS utc_offset_s,
    s.file_id, s.line AS place
FROM status s
LEFT JOIN requests r ON {{ equal("file_id, system, interval_start, subsystem, line", "r", "s") }}
LEFT JOIN listed l ON {{ equal("file_id, system, interval_start, subsystem, line", "l", "s") }}
