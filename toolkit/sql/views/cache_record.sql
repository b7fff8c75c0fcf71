-- reach: a day
-- title: Usable 74.5 records, the one system kept per subsystem and interval marked
-- grain: one row per record_id
-- column record_id BIGINT []: The 74.5 record
-- columns: system
-- column subsystem VARCHAR []: Subsystem id (SSID) = R745SSID of the status section, else the R745DSID of its devices
-- column interval_start TIMESTAMP [UTC]: Start of the time that the statistics cover = SMF74IST; SMF74IST + SMF74INT - R745CINT if R745CINT differs from SMF74INT by more than a tenth (medium)
-- column record_start TIMESTAMP [UTC]: Start of the record's interval = SMF74IST
-- column interval_s DOUBLE [s]: Seconds the statistics cover = R745CINT
-- column devices BIGINT []: Device sections that this system's records of the subsystem and interval hold
-- column kept BOOLEAN []: This record's system is the one kept = no other system has more devices (or as many and a lower name) in an interval around this one's middle
-- note: Records with R745CSC, R745CRTN or R745CIOC other than 0 carry no device sections and are left out. So are records that repeat the same devices and interval (the longest interval counts). Data recorded at two interval lengths counts at one of them (see left_out).
-- note: Intervals of two systems are the same if the middle of this record lies inside the other's interval; a few seconds of difference do not matter.
WITH device AS (
    SELECT
        record_id,
        count(*) AS devices,
        max(nullif(R745DSID, '')) AS subsystem,
        min(CAST(coalesce(R745DFL4_DSCS, 0) AS STRING) || R745DEVN) AS first_device,
        max(CAST(coalesce(R745DFL4_DSCS, 0) AS STRING) || R745DEVN) AS last_device
    FROM smf74_5_cache_device
    GROUP BY record_id
),
status AS (
    SELECT record_id, max(nullif(R745SSID, '')) AS subsystem
    FROM smf74_5_cache_status
    GROUP BY record_id
),
control AS (
    SELECT record_id, CAST(max(R745CINT) AS DOUBLE) AS interval_s
    FROM smf74_5_cache_control
    GROUP BY record_id
    HAVING max(R745CSC) = 0 AND max(R745CRTN) = 0 AND max(R745CIOC) = 0
),
head AS (
    SELECT record_id, min(system) AS system, min(interval_start) AS record_start, max(interval_s) AS record_s
    FROM smf74_5_record
    GROUP BY record_id
),
usable AS (
    SELECT
        h.*, c.interval_s, d.devices AS own_devices, d.first_device, d.last_device,
        coalesce(s.subsystem, d.subsystem) AS subsystem,
        {{ start_of_statistics("c.interval_s", "h.record_s", "h.record_start") }} AS interval_start
    FROM head h
    JOIN control c ON c.record_id = h.record_id
    JOIN device d ON d.record_id = h.record_id
    LEFT JOIN status s ON s.record_id = h.record_id
),
section AS (
    SELECT system, record_start AS interval_start, record_s AS interval_s, subsystem AS subject, 2 AS grade FROM usable
),
repeated_interval AS (
    {{ left_out_of("section", "system") }}
),
record AS (
    SELECT u.*
    FROM usable u
    LEFT JOIN repeated_interval o
        ON o.system = u.system AND o.interval_start = u.record_start AND o.interval_s = u.record_s AND o.subject = u.subsystem
    WHERE o.subject IS NULL
),
repeated AS (
    SELECT DISTINCT mine.record_id
    FROM record mine
    JOIN record other ON {{ equal("system, subsystem, record_start", "other", "mine") }}
        AND other.first_device <= mine.last_device AND other.last_device >= mine.first_device
    WHERE other.interval_s > mine.interval_s
        OR (other.interval_s = mine.interval_s AND other.record_id < mine.record_id)
),
gathered AS (
    SELECT r.*, CAST(sum(own_devices) OVER (PARTITION BY system, subsystem, record_start) AS BIGINT) AS devices
    FROM record r
    LEFT JOIN repeated p ON p.record_id = r.record_id
    WHERE p.record_id IS NULL
),
{{ timed_by_slots("gathered") }},
beaten AS (
    SELECT DISTINCT mine.record_id
    FROM timed mine
    JOIN reach other
        ON other.subsystem = mine.subsystem
        AND other.slot = floor(mine.middle_us / mine.slot_us)
    WHERE other.system <> mine.system
        AND mine.middle_us >= other.start_us
        AND mine.middle_us < other.end_us
        AND (
            other.devices > mine.devices
            OR (other.devices = mine.devices AND other.system < mine.system)
        )
)
SELECT g.*, b.record_id IS NULL AS kept
FROM gathered g
LEFT JOIN beaten b ON b.record_id = g.record_id
