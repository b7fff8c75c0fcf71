-- source: mon.d6r4
-- formula subsystem: CALPSF ssid (medium)
-- formula device: 0 and the device number D6R3 or D1R6 gives for IODCAD_RDEVSID (medium)
-- formula volser: IODDEV_RDEVSER of the device's last D6R3, else MTRDEV_RDEVSER (medium)
-- formula read_count: d (read_normal + read_seq + read_cfw) (medium)
-- formula write_count: d (write_normal + write_seq + write_cfw) (medium)
-- formula read_hit_count: d (read_normal_hits + read_seq_hits + read_cfw_hits) (medium)
-- formula write_hit_count: d (write_fast_normal_hits + write_fast_seq_hits + write_cfw_hits) (medium)
-- formula fast_write_count: d (fw_normal + fw_seq) (medium)
-- formula fast_write_ratio: d (fw_normal + fw_seq) / write_count (medium)
-- formula nvs_delay_count: d fw_delayed_nvs (medium)
-- formula nvs_delay_rate: d fw_delayed_nvs / s (medium)
-- formula nvs_delay_ratio: d fw_delayed_nvs / write_count (medium)
-- formula sequential_count: d (read_seq + write_seq) (medium)
-- formula io_count: reads + writes + d (inhibit_cache_load + bypass_cache) (medium)
-- formula read_rate: read_count / s (medium)
-- formula write_rate: write_count / s (medium)
-- formula read_ratio: read_count / (read_count + write_count) (medium)
-- formula read_hit_ratio: read_hit_count / read_count (medium)
-- formula write_hit_ratio: write_hit_count / write_count (medium)
-- formula hit_ratio: (read_hit_count + write_hit_count) / io_count (medium)
-- formula sequential_ratio: sequential_count / (read_count + write_count) (medium)
-- formula stage_rate: d dasd_to_cache / s (medium)
-- formula sequential_stage_rate: d seq_dasd_to_cache / s (medium)
-- formula destage_rate: d cache_to_dasd / s (medium)
-- formula inhibit_rate: d inhibit_cache_load / s (medium)
-- formula bypass_rate: d bypass_cache / s (medium)
-- formula system: of the systems that report the device's cache on a day the first by name (high)
-- formula source: mon.d6r4 (high)
-- note: d is the difference of two samples as in device_interval, modulo 2^32. A difference of more than a million per second means a restart of the control unit, and the interval is left out.
-- note: Samples without performance statistics (IODCAD_PSFLEN not positive) or with the invalid bit of CALPSF flags are left out.
-- note: The counters are the control unit's and cover all systems.
WITH valid AS (
    SELECT * FROM mon_d6r4 WHERE IODCAD_PSFLEN > 0 AND CALPSF_flags < 128
),
sampled AS (
    SELECT
        {{ since_sample_before() }},
        IODCAD_RDEVSID, CALPSF_ssid, file_id, record_offset,
        {{ each(increase_of("CALPSF_NAME"), "read_normal read_normal_hits write_normal write_fast_normal_hits read_seq
            read_seq_hits write_seq write_fast_seq_hits read_cfw read_cfw_hits write_cfw write_cfw_hits
            inhibit_cache_load bypass_cache dasd_to_cache seq_dasd_to_cache cache_to_dasd fw_normal fw_seq fw_delayed_nvs") }}
    {{ monitor_samples("valid", "IODCAD_RDEVSID") }}
),
summed AS (
    SELECT
        s.*,
        CAST(read_normal + read_seq + read_cfw AS DOUBLE) AS read_count,
        CAST(write_normal + write_seq + write_cfw AS DOUBLE) AS write_count,
        CAST(read_normal_hits + read_seq_hits + read_cfw_hits AS DOUBLE) AS read_hit_count,
        CAST(write_fast_normal_hits + write_fast_seq_hits + write_cfw_hits AS DOUBLE) AS write_hit_count,
        CAST(read_seq + write_seq AS DOUBLE) AS sequential_count,
        CAST(fw_normal + fw_seq AS DOUBLE) AS fast_write_count,
        CAST(fw_delayed_nvs AS DOUBLE) AS nvs_delay_count
    FROM sampled s
    WHERE interval_s > 0
),
active AS (
    SELECT owner AS system, IODDEV_RDEVSID AS sid, IODDEV_RDEVDEV AS dev, IODDEV_RDEVSER AS volser, MRHDRTOD AS stated_at
    FROM {{ monitor_records("mon_d6r3") }} AS activity
    UNION ALL
    SELECT owner, MTRDEV_RDEVSID, MTRDEV_RDEVDEV, MTRDEV_RDEVSER, MRHDRTOD
    FROM {{ monitor_records("mon_d1r6") }} AS configuration
),
named AS (
    SELECT a.*, row_number() OVER (PARTITION BY system, sid ORDER BY stated_at DESC, volser DESC) AS age
    FROM active a
),
chosen AS (
    SELECT
        m.*, n.dev, n.volser,
        m.read_count + m.write_count + m.inhibit_cache_load + m.bypass_cache AS io_count,
        min(m.system) OVER (PARTITION BY m.CALPSF_ssid, n.dev, CAST(m.interval_start AS DATE)) AS teller
    FROM summed m
    JOIN named n ON n.system = m.system AND n.sid = m.IODCAD_RDEVSID AND n.age = 1
    {{ join_sample("m", "'cache'", "m.system") }}
    WHERE x.subject IS NULL
        AND m.read_count + m.write_count + m.inhibit_cache_load + m.bypass_cache <= 1000000 * m.interval_s
)
SELECT
    interval_start, interval_s,
    CALPSF_ssid AS subsystem,
    '0' || dev AS device,
    nullif(volser, '') AS volser,
    read_count, write_count, read_hit_count, write_hit_count,
    fast_write_count, sequential_count, io_count, nvs_delay_count,
    {{ cache_ratios_of_counts() }},
    {{ each("NAME_count / interval_s", "read write nvs_delay", "NAME_rate") }},
    dasd_to_cache / interval_s AS stage_rate,
    seq_dasd_to_cache / interval_s AS sequential_stage_rate,
    cache_to_dasd / interval_s AS destage_rate,
    inhibit_cache_load / interval_s AS inhibit_rate,
    bypass_cache / interval_s AS bypass_rate,
    system, utc_offset_s, file_id, record_offset AS place
FROM chosen
WHERE system = teller
