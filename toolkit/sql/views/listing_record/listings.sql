-- feeds: listing_record
-- source: rmf.device, fcx168, fcx108
-- formula printed_start: as in the listing (high)
-- formula printed_offset_s: as in the listing (high)
-- formula printed_s: as in the listing (high)
-- formula device: DEV NUM; Addr of z/VM (high)
-- formula is_recorded: recorded_s of the device, or of the base of an alias, above half of printed_s (high)
-- formula recorded_s: sum of the part of each record's interval (74.1, D6R3) that lies in the interval (high)
WITH printed AS (
    SELECT
        'z/OS' AS platform, system, interval_start, utc_offset_s, interval_s,
        right('0' || device, 5) AS device, right('0' || device, 5) AS volume
    FROM (
        SELECT system, interval_start, utc_offset_s, interval_s, device FROM rmf_dasd_device
        UNION
        SELECT system, interval_start, utc_offset_s, interval_s, device FROM rmf_sync_device
    ) AS rmf
    UNION ALL
    SELECT
        'z/VM', system, interval_start, utc_offset_s, interval_s,
        lpad(addr, 5, '0'), lpad(max(CASE WHEN type LIKE '->%' THEN trim(substr(type, 3)) ELSE addr END), 5, '0')
    FROM (
        SELECT system, interval_start, utc_offset_s, interval_s, addr, type FROM fcx168
        UNION
        SELECT system, interval_start, utc_offset_s, interval_s, addr, type FROM fcx108
    ) AS fcx
    GROUP BY system, interval_start, utc_offset_s, interval_s, addr
),
listed AS (
    SELECT DISTINCT
        p.*,
        l.interval_start AS utc_start,
        l.utc_offset_s AS offset_s,
        unix_micros(l.interval_start) AS start_us,
        unix_micros(l.interval_start)
            + CAST(greatest(least(coalesce(p.interval_s, 0), 604800), 1) * 1000000 AS BIGINT) AS end_us
    FROM printed p
    /* clock of p in p.platform device listings */
),
recorded AS (
    SELECT
        platform, system, device,
        unix_micros(interval_start) AS start_us,
        unix_micros(interval_start) + CAST(least(interval_s, 604800) * 1000000 AS BIGINT) AS end_us
    FROM device_sample
),
longest AS (
    SELECT max(end_us - start_us) AS length_us FROM recorded
),
-- neither side is longer than a slot: what overlaps begins or ends in the same one
slotted AS (
    SELECT
        l.platform, l.system, l.device, l.interval_s, l.interval_start, l.utc_offset_s, l.start_us, l.end_us,
        power(2e0, ceil(log2(greatest(l.end_us - l.start_us, m.length_us)))) AS slot_us
    FROM listed l
    CROSS JOIN longest m
    WHERE m.length_us > 0
),
slot AS (
    SELECT s.*, floor(start_us / slot_us) AS slot FROM slotted s
    UNION
    SELECT s.*, floor(end_us / slot_us) AS slot FROM slotted s
),
record_slot AS (
    SELECT r.*, k.slot_us, floor(r.start_us / k.slot_us) AS slot
    FROM recorded r
    CROSS JOIN (SELECT DISTINCT slot_us FROM slotted) k
    UNION
    SELECT r.*, k.slot_us, floor(r.end_us / k.slot_us) AS slot
    FROM recorded r
    CROSS JOIN (SELECT DISTINCT slot_us FROM slotted) k
),
held AS (
    SELECT
        s.platform, s.system, s.device, s.interval_start, s.utc_offset_s, s.interval_s,
        sum(least(s.end_us, r.end_us) - greatest(s.start_us, r.start_us)) / 1e6 AS recorded_s
    FROM slot s
    JOIN record_slot r
        ON r.platform = s.platform
        AND r.system = s.system
        AND r.device = s.device
        AND r.slot_us = s.slot_us
        AND r.slot = s.slot
        -- once, where the overlap begins
        AND floor(greatest(s.start_us, r.start_us) / s.slot_us) = s.slot
        AND r.start_us < s.end_us
        AND r.end_us > s.start_us
    GROUP BY s.platform, s.system, s.device, s.interval_start, s.utc_offset_s, s.interval_s
),
compared AS (
    SELECT
        l.*,
        coalesce(h.recorded_s, 0) AS recorded_s,
        max(h.recorded_s) OVER (
            PARTITION BY l.platform, l.system, l.interval_start, l.utc_offset_s, l.interval_s
        ) AS any_s,
        max(CASE WHEN l.device = l.volume THEN coalesce(h.recorded_s, 0) END) OVER (
            PARTITION BY l.platform, l.system, l.interval_start, l.utc_offset_s, l.interval_s, l.volume
        ) AS base_s
    FROM listed l
    LEFT JOIN held h
        ON h.platform = l.platform
        AND h.system = l.system
        AND h.device = l.device
        AND h.interval_start = l.interval_start
        AND h.utc_offset_s IS NOT DISTINCT FROM l.utc_offset_s
        AND h.interval_s IS NOT DISTINCT FROM l.interval_s
)
SELECT
    platform,
    system,
    interval_start AS printed_start,
    utc_offset_s AS printed_offset_s,
    interval_s AS printed_s,
    utc_start AS interval_start,
    offset_s AS utc_offset_s,
    device,
    recorded_s,
    coalesce(base_s, recorded_s) * 2000000 > end_us - start_us AS is_recorded
FROM compared
WHERE any_s > 0
