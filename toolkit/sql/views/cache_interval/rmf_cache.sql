-- source: rmf.cache
-- formula device: DEV NUM, subchannel set 0 put in front of 4 digits (high)
-- formula volser: VOLUME SERIAL (high)
-- formula read_rate: I/O RATE * % READ / 100 (medium)
-- formula write_rate: I/O RATE * (100 - % READ) / 100 (medium)
-- formula read_ratio: % READ / 100 (high)
-- formula read_hit_ratio: READ H/R (high)
-- formula write_hit_ratio: WRITE H/R (high)
-- formula nvs_delay_rate: DEL NVS, older layouts DFWBP (medium)
-- formula nvs_delay_ratio: DEL NVS / write_rate (medium)
-- formula stage_rate: STAGE: requests that missed, each of at least one track; the overview prints no tracks (low)
-- formula destage_rate: ASYNC RATE (high)
-- formula inhibit_rate: ICL, older layouts only (medium)
-- formula bypass_rate: BYP, older layouts only (medium)
-- formula cache_active: CACHING - ACTIVE of the subsystem's page; NULL where the layout does not print it (high)
-- formula fast_write_active: NON-VOLATILE STORAGE - ACTIVE of the subsystem's page (high)
-- note: Left out where 74.5 records (of any system) or shorter intervals of a listing hold the same time, see left_out.
-- note: The overview prints rates with one decimal and no counts; counts and sequential requests are therefore NULL.
WITH named AS (
    {{ first_printed("rmf_cache_device", "'z/OS'", "'cache'", "right('0' || i.device, 5)", "right('0' || i.device, 5)",
        "i.device IS NOT NULL AND i.list = 'OVERVIEW'", "i.subsystem", "i.system") }}
),
split AS (
    SELECT
        n.*,
        CASE WHEN io_rate = 0 THEN 0 ELSE io_rate * read_pct / 100 END AS reads,
        CASE WHEN io_rate = 0 THEN 0 ELSE io_rate * (100 - read_pct) / 100 END AS writes
    FROM named n
),
whole AS (
    SELECT
        file_id, system, interval_start, subsystem,
        bool_and(caching_status = 'ACTIVE') AS cache_active,
        bool_and(nvs_status = 'ACTIVE') AS nvs_active
    FROM rmf_cache_status
    WHERE device IS NULL
    GROUP BY file_id, system, interval_start, subsystem
)
SELECT
    s.start AS interval_start,
    s.interval_s, s.subsystem,
    right('0' || s.device, 5) AS device,
    volser,
    reads AS read_rate,
    writes AS write_rate,
    read_pct / 100 AS read_ratio,
    read_hit_ratio_device AS read_hit_ratio,
    write_hit_ratio_device AS write_hit_ratio,
    total_hit_ratio_device AS hit_ratio,
    nvs_delay_rate_device AS nvs_delay_rate,
    nvs_delay_rate_device / nullif(writes, 0) AS nvs_delay_ratio,
    stage_rate,
    async_rate_device AS destage_rate,
    inhibit_rate_device AS inhibit_rate,
    bypass_rate_device AS bypass_rate,
    w.cache_active,
    w.nvs_active AS fast_write_active,
    s.system,
    s.offset_s AS utc_offset_s,
    s.file_id, s.line AS place
FROM split s
LEFT JOIN whole w ON {{ equal("file_id, system, interval_start, subsystem", "w", "s") }}
