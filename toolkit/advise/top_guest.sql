-- question: top_guest
-- title: I/Os of z/VM guests on volumes, with all I/Os of the volumes, while I/Os wait in CP
-- grain: one row per system, lcu, volume, guest; a volume none of whose guests counts has a row without one
-- parameter $least DOUBLE [ratio]: Of the volume's I/Os, for a guest to be listed
-- column volume_s DOUBLE [I/Os]: I/Os of the volume while I/Os waited and minidisks were recorded
-- column guest VARCHAR []: Owner of the minidisks
-- column waited_s DOUBLE [I/Os]: I/Os to its minidisks then
-- note: By FCX110, which times no I/O of a minidisk: the guest with most I/Os is taken for the one that waits most.
WITH waiting AS (
    SELECT
        system, lcu, volume, volser, unix_micros(interval_start) AS from_us,
        unix_micros(interval_start) + 1e6 * interval_s AS until_us, io_rate * interval_s AS ios
    FROM volume_interval
    WHERE platform = 'z/VM' AND queue_length > 0
),
used AS (
    SELECT
        w.system, w.lcu, w.volume, w.from_us, max(w.ios) AS volume_ios, m.userid AS guest,
        sum(m.io_rate * m.interval_s) AS ios
    FROM minidisk_interval m
    JOIN waiting w ON {{ equal("system, volser", "w", "m") }}
        AND unix_micros(m.interval_start) + 5e5 * m.interval_s >= w.from_us
        AND unix_micros(m.interval_start) + 5e5 * m.interval_s < w.until_us
    WHERE m.io_rate > 0
    GROUP BY w.system, w.lcu, w.volume, w.from_us, m.userid
),
whole AS (
    SELECT system, lcu, volume, sum(ios) AS volume_s
    FROM (
        SELECT system, lcu, volume, from_us, greatest(max(volume_ios), sum(ios)) AS ios
        FROM used
        GROUP BY system, lcu, volume, from_us
    ) AS by_interval
    GROUP BY system, lcu, volume
),
by_guest AS (
    SELECT system, lcu, volume, guest, sum(ios) AS ios FROM used WHERE guest <> 'SYSTEM' GROUP BY system, lcu, volume, guest
)
SELECT w.system, w.lcu, w.volume, w.volume_s, g.guest, g.ios AS waited_s
FROM whole w
LEFT JOIN by_guest g
    ON g.system = w.system AND g.volume = w.volume AND coalesce(g.lcu, '') = coalesce(w.lcu, '')
    AND g.ios >= $least * w.volume_s
ORDER BY w.system, w.lcu, w.volume, g.ios DESC, g.guest
