-- source: smf94.1
-- formula library: SMF94SNO (high)
-- formula library_type: SMF94SLT-SMF94SLM (high)
-- formula mount_count: SMF94MTO (high)
-- formula mount_rate: SMF94MTO / 3600 (medium)
-- formula mount_s: SMF94MT3 (high)
-- formula mount_longest_s: SMF94MT1 (high)
-- formula mount_shortest_s: SMF94MT2 (high)
-- formula mount_pending: SMF94MP3 (high)
-- formula mount_pending_high_water: SMF94MP1 (high)
-- formula index_mount_count: SMF94MIN (high)
-- formula premount_count: SMF94MPM (high)
-- formula eject_count: SMF94ETO (high)
-- formula eject_s: SMF94ET3 (high)
-- formula eject_longest_s: SMF94ET1 (high)
-- formula eject_pending_high_water: SMF94EP1 (high)
-- formula audit_count: SMF94ATO (high)
-- formula audit_s: SMF94AT3 (high)
-- formula audit_longest_s: SMF94AT1 (high)
-- formula audit_pending_high_water: SMF94AP1 (high)
-- formula system: SMF94SID, the lowest of those that wrote the library's record for this hour, those whose offset is known first (high)
-- formula interval_start: local start of the hour minus the offset of the same system's RMF records of that day (or of any day), see system_clock (medium)
-- formula utc_offset_s: SMF74LGO of the same system's RMF records, else of those of another system of the library: type 94 carries none (medium)
-- note: A system without RMF records is assumed to have the clock of the systems with RMF records that use the same library, whose records take precedence. Without any, the offset is NULL and interval_start is local time.
-- note: Every connected system writes the same record, so one is kept per library and hour. Records are of the same hour if the middles of their intervals are in the same hour (UTC).
WITH day_offset AS (
    SELECT system, day, max(utc_offset_s) AS utc_offset_s FROM system_clock WHERE platform = 'z/OS' GROUP BY system, day
),
any_offset AS (
    SELECT system, max(utc_offset_s) AS utc_offset_s FROM day_offset GROUP BY system
),
own_clock AS (
    SELECT
        l.system, l.record_id, l.file_id, l.record_offset, l.interval_s, l.SMF94SNO, l.SMF94SLT, l.SMF94SLM,
        l.interval_start AS recorded_start,
        coalesce(l.utc_offset_s, d.utc_offset_s, a.utc_offset_s) AS own_offset_s,
        l.utc_offset_s IS NULL AS is_local
    FROM smf94_1_self_description l
    LEFT JOIN day_offset d ON d.system = l.system AND d.day = CAST(l.interval_start AS DATE)
    LEFT JOIN any_offset a ON a.system = l.system
    WHERE l.SMF94SNO <> ''
),
local_library AS (
    SELECT
        l.*,
        coalesce(own_offset_s, day_offset_s, any_offset_s) AS utc_offset_s
    FROM (
        SELECT
            o.*,
            max(own_offset_s) OVER (PARTITION BY SMF94SNO, CAST(recorded_start AS DATE)) AS day_offset_s,
            max(own_offset_s) OVER (PARTITION BY SMF94SNO) AS any_offset_s
        FROM own_clock o
    ) AS l
),
moved AS (
    SELECT
        l.*,
        timestamp_micros(
            unix_micros(recorded_start) - CASE WHEN is_local THEN CAST(coalesce(utc_offset_s, 0) AS BIGINT) ELSE 0 END * 1000000
        ) AS interval_start
    FROM local_library l
),
ranked AS (
    SELECT
        m.*,
        row_number() OVER (
            -- the hour that holds the middle of the interval
            PARTITION BY SMF94SNO, floor((unix_micros(interval_start) + coalesce(interval_s, 3600) * 500000) / 3.6e9)
            ORDER BY CASE WHEN own_offset_s IS NULL THEN 1 ELSE 0 END, system, interval_start, record_id
        ) AS place
    FROM moved m
)
SELECT
    l.interval_start,
    coalesce(l.interval_s, 3600) AS interval_s,
    l.SMF94SNO AS library,
    nullif(l.SMF94SLT, '') || coalesce('-' || nullif(l.SMF94SLM, ''), '') AS library_type,
    m.SMF94MTO AS mount_count,
    m.SMF94MTO / nullif(coalesce(l.interval_s, 3600), 0) AS mount_rate,
    CASE WHEN m.SMF94MTO > 0 THEN m.SMF94MT3 END AS mount_s,
    CASE WHEN m.SMF94MTO > 0 THEN m.SMF94MT1 END AS mount_longest_s,
    CASE WHEN m.SMF94MTO > 0 THEN m.SMF94MT2 END AS mount_shortest_s,
    m.SMF94MP3 AS mount_pending,
    m.SMF94MP1 AS mount_pending_high_water,
    m.SMF94MIN AS index_mount_count,
    m.SMF94MPM AS premount_count,
    e.SMF94ETO AS eject_count,
    CASE WHEN e.SMF94ETO > 0 THEN e.SMF94ET3 END AS eject_s,
    CASE WHEN e.SMF94ETO > 0 THEN e.SMF94ET1 END AS eject_longest_s,
    e.SMF94EP1 AS eject_pending_high_water,
    a.SMF94ATO AS audit_count,
    CASE WHEN a.SMF94ATO > 0 THEN a.SMF94AT3 END AS audit_s,
    CASE WHEN a.SMF94ATO > 0 THEN a.SMF94AT1 END AS audit_longest_s,
    a.SMF94AP1 AS audit_pending_high_water,
    l.system, l.utc_offset_s, l.file_id, l.record_offset AS place
FROM ranked l
LEFT JOIN smf94_1_mount m ON m.record_id = l.record_id
LEFT JOIN smf94_1_eject e ON e.record_id = l.record_id
LEFT JOIN smf94_1_audit a ON a.record_id = l.record_id
WHERE l.place = 1
