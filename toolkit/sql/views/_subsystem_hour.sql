-- reach: a day
-- title: Which box type 74.5 records name with each subsystem (SSID), hour by hour
-- grain: one row per day, in_hour, subsystem, serial, control_unit_type
-- column interval_start TIMESTAMP [UTC]: Start of the first record
-- column day DATE []: Day of the records, in UTC
-- columns: subsystem, serial, control_unit_type, in_hour, first_us, last_us, middle_us
WITH machine AS (
    SELECT
        record_id,
        max(nullif(NEDSEQN, '')) AS serial,
        max(nullif(NEDTYPEN, '') || coalesce('-' || nullif(NEDMODN, ''), '')) AS control_unit_type,
        max(R745CINT) AS interval_s
    FROM smf74_5_cache_control
    GROUP BY record_id
),
head AS (
    SELECT record_id, min(interval_start) AS interval_start, max(interval_s) AS record_s
    FROM smf74_5_record
    GROUP BY record_id
),
named AS (
    SELECT record_id, R745SSID AS subsystem FROM smf74_5_cache_status
    UNION
    SELECT record_id, R745DSID AS subsystem FROM smf74_5_cache_device
),
seen AS (
    SELECT
        n.subsystem, m.serial, m.control_unit_type, m.interval_s, h.interval_start AS record_start,
        {{ start_of_statistics("m.interval_s", "h.record_s", "h.interval_start") }} AS interval_start
    FROM named n
    JOIN machine m ON m.record_id = n.record_id
    JOIN head h ON h.record_id = n.record_id
    WHERE n.subsystem <> ''
)
SELECT
    min(record_start) AS interval_start, CAST(record_start AS DATE) AS day, subsystem, serial, control_unit_type,
    CAST({{ hour_of("interval_start") }} AS DOUBLE) AS in_hour,
    {{ moments_of_hour() }}
FROM seen
GROUP BY CAST(record_start AS DATE), subsystem, serial, control_unit_type, {{ hour_of("interval_start") }}
