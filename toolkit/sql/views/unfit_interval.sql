-- title: Intervals that can't be used for alias advice: another system held the volume, or the measurement contradicts itself
-- grain: one row per platform, system, interval_start, volume
-- columns: platform, system, interval_start, interval_s, volume, io_rate, service_ms
-- column held_ms DOUBLE [milliseconds]: Part of it that waits for another system's release: device busy delay, or pend minus queue time in the control unit and usual_pend_ms; NULL if unknown
-- column usual_pend_ms DOUBLE [milliseconds]: The usual pend of the volume, that of a quarter of its intervals, or of the volumes around where its own is nearly all of its service all the time; where neither device busy delay nor command response time is recorded (z/VM) and pend is above it while that of most others is not (of the LCU, or where that is unknown, of the system and of three or more in its range of addresses), no path of the volume is lost, and no channel is full or a record has it reserved; else NULL
-- column is_idle BOOLEAN []: I/Os wait in CP while the device is free: the share of samples with a request waiting is at least a tenth and twice in_service, or queue_length is at least one and 50 times in_service
-- column is_held BOOLEAN []: held_ms is at least 0.5 ms and a fifth of the service time, or is_idle
-- columns: in_service
-- column exposures DOUBLE []: Base plus aliases: the highest of this interval and its neighbours
-- column is_overfull BOOLEAN []: More I/Os in progress than exposures, with one each from the start of pend to the end of connect: more than 1.1 times as many, and 0.1 ms per I/O
-- columns: utc_offset_s
-- note: Further exposures wait for the same release and shorten no wait. An I/O that waits for the device occupies its base or alias meanwhile, so pend counts.
-- note: The tolerance of is_overfull is from the published study of PAV on z/VM. Of its 420 measurements, 419 are within 1.09 times; one at 1.36 is among the seven known to be defective. Listings print at least tenths of a millisecond. HyperPAV volumes, whose exposures are sampled, and counts that are not whole numbers are not checked.
-- note: Delays below 0.1 ms are left out.
WITH limits AS (
    {{ unfit_limits() }}
),
measured AS (
    SELECT
        v.platform, v.system, v.lcu, v.volume, v.interval_start, v.interval_s, v.utc_offset_s, v.io_rate,
        -- what queues in the control unit is held by no system
        v.pend_ms - coalesce(v.cu_queue_ms, 0) AS pend_ms,
        v.cmr_ms, v.device_busy_ms, v.service_ms, v.in_service, v.is_hyperpav, v.reserved_ratio,
        {{ has_lost_paths("v") }} AS is_cut, {{ address_range("v") }} AS addresses,
        -- a request waits for an exposure only while one is busy
        coalesce(d.contention_ratio >= greatest(l.idle_ratio, l.idle_factor * v.in_service), FALSE)
        OR coalesce(v.platform = 'z/VM' AND coalesce(v.throttle_delay_rate, 0) = 0
            AND v.queue_length >= greatest(1, l.idle_queue * v.in_service), FALSE) AS is_idle,
        abs(v.exposures - round(v.exposures)) AS part_exposure,
        greatest(v.exposures, lag(v.exposures) OVER of_volume, lead(v.exposures) OVER of_volume) AS exposures
    FROM volume_interval v
    JOIN (SELECT DISTINCT platform, system, volume FROM _noticed) n ON {{ equal("platform, system, volume", "n", "v") }}
    CROSS JOIN limits l
    LEFT JOIN device_detail_interval d ON {{ equal("platform, system, device, interval_start", "d", "v") }}
    WHERE v.io_rate > 0 AND v.service_ms > 0
    WINDOW of_volume AS (PARTITION BY v.platform, v.system, v.volume ORDER BY v.interval_start)
),
unknown_rows AS (
    SELECT m.*
    FROM measured m
    CROSS JOIN limits l
    WHERE m.device_busy_ms IS NULL AND m.cmr_ms IS NULL AND m.pend_ms IS NOT NULL
        -- half an I/O that waits at all times is enough at any rate
        AND (m.io_rate >= l.io_rate OR m.io_rate * m.pend_ms >= 500)
),
better AS (
    -- of the better hours: what holds a volume for half a day is not usual
    SELECT
        platform, system, volume, max(lcu) AS lcu,
        percentile_cont(0.25) WITHIN GROUP (ORDER BY pend_ms) AS pend_ms,
        percentile_cont(0.25) WITHIN GROUP (ORDER BY service_ms) AS service_ms
    FROM unknown_rows
    GROUP BY platform, system, volume
),
around AS (
    SELECT platform, system, lcu, percentile_cont(0.5) WITHIN GROUP (ORDER BY pend_ms) AS pend_ms
    FROM better
    GROUP BY platform, system, lcu
),
-- intervals with a full channel: pend of whatever uses it is longer
crowded AS (
    SELECT DISTINCT u.platform, u.system, u.interval_start
    FROM (SELECT DISTINCT platform, system, interval_start, interval_s FROM unknown_rows) u
    JOIN disk_channel_interval c ON c.platform = u.platform AND c.system = u.system
        AND unix_micros(c.interval_start) <= unix_micros(u.interval_start) + 5e5 * u.interval_s
        AND unix_micros(c.interval_start) + 1e6 * c.interval_s > unix_micros(u.interval_start) + 5e5 * u.interval_s
    CROSS JOIN limits l
    WHERE c.used_ratio >= l.full_ratio
),
usual AS (
    -- what holds a volume all day shows only against the volumes around it
    SELECT
        b.platform, b.system, b.volume,
        CASE
            WHEN b.pend_ms >= l.always_share * b.service_ms AND b.pend_ms >= l.always_factor * a.pend_ms THEN a.pend_ms
            ELSE b.pend_ms
        END AS pend_ms
    FROM better b
    JOIN around a ON a.platform = b.platform AND a.system = b.system AND a.lcu IS NOT DISTINCT FROM b.lcu
    CROSS JOIN limits l
),
risen AS (
    SELECT
        n.platform, n.system, n.lcu, n.addresses, n.volume, n.interval_start, u.pend_ms AS usual_pend_ms,
        n.is_cut OR (c.system IS NOT NULL AND coalesce(n.reserved_ratio, 0) = 0) AS is_of_path,
        n.pend_ms - u.pend_ms AS rise_ms,
        CASE WHEN n.pend_ms - u.pend_ms >= greatest(l.held_ms, l.held_share * n.service_ms) THEN 1 ELSE 0 END AS rises
    FROM unknown_rows n
    JOIN usual u ON u.platform = n.platform AND u.system = n.system AND u.volume = n.volume
    LEFT JOIN crowded c ON {{ equal("platform, system, interval_start", "c", "n") }}
    CROSS JOIN limits l
),
inferred AS (
    -- what all volumes have in common is the way to them; a lost path and a full channel are ways too
    SELECT platform, system, volume, interval_start, usual_pend_ms, rise_ms
    FROM (
        SELECT
            r.*,
            sum(rises) OVER of_lcu AS risen,
            count(*) OVER of_lcu AS volumes,
            sum(rises) OVER of_range AS near_risen,
            count(*) OVER of_range AS near
        FROM risen r
        WINDOW of_lcu AS (PARTITION BY platform, system, lcu, interval_start),
            of_range AS (PARTITION BY platform, system, lcu, addresses, interval_start)
    ) AS adjacent
    WHERE rises = 1 AND NOT is_of_path AND volumes > 1 AND 2 * (risen - 1) < volumes - 1
        AND (near < 3 OR 2 * near_risen <= near)
),
recorded AS (
    SELECT
        m.*, i.usual_pend_ms,
        coalesce(m.device_busy_ms, i.rise_ms) AS held_ms,
        coalesce(
            m.is_hyperpav IS NOT TRUE AND m.part_exposure <= l.whole
            AND m.in_service > l.most * m.exposures + m.io_rate * l.printed_ms / 1000, FALSE
        ) AS is_overfull
    FROM measured m
    CROSS JOIN limits l
    LEFT JOIN inferred i ON {{ equal("platform, system, volume, interval_start", "i", "m") }}
)
SELECT
    t.*,
    t.is_idle OR coalesce(t.held_ms >= greatest(l.held_ms, l.held_share * t.service_ms), FALSE) AS is_held
FROM recorded t
CROSS JOIN limits l
WHERE t.held_ms >= l.least_ms OR t.is_overfull OR t.is_idle
