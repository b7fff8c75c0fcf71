-- title: Disconnect time by cause
-- about: An I/O disconnects while the box fetches what is not in cache, waits for room in NVS, or copies to another box. Misses with the time the disks take for one, the share NVS owes by estimate, and what remote copy does, over the whole span.
-- missing: The lake has no cache statistics.
-- zvm: The lake has no cache statistics: ingest {ZVM_CACHE}.
-- columns: subsystem, box
-- column disc_ms .2: disc ms per I/O
-- column disc_s .1: disc, s per hour
-- column miss_rate .1: Read misses per s
-- column disk_read_ms .2: ms per read from disk
-- column miss_percent .0: Misses' share of disc %
-- column nvs_percent .1: NVS share of disc %, worst interval
-- column nvs_high_percent .0: The same, at most %
-- column bypass_rate .1: Past the cache per s
-- column mirrored: Mirrored volumes
-- column suspended: Suspended copies
-- column mirrored_track_rate .1: Tracks copied per s
WITH device AS (
    SELECT subsystem, sum(io_rate * disc_ms * interval_s) / 1000 AS disc_s,
           sum(CASE WHEN disc_ms IS NOT NULL THEN io_rate * interval_s END) AS ios,
           sum(interval_s) / count(DISTINCT volume || coalesce(system, '')) AS span_s
    FROM volume_interval
    WHERE subsystem IS NOT NULL
    GROUP BY subsystem
),
disk AS (
    SELECT subsystem,
           {{ mean_of("disk_read_ms", "disk_read_rate * interval_s") }} AS disk_read_ms,
           sum(mirrored_track_rate * interval_s) AS mirrored_tracks,
           count(DISTINCT CASE WHEN mirror_state IS NOT NULL THEN device END) AS mirrored,
           count(DISTINCT CASE WHEN mirror_state = 'suspended' THEN device END) AS suspended
    FROM cache_interval
    GROUP BY subsystem
),
nvs AS (
    SELECT subsystem, {{ worst_of_delayed_writes("disc_share_ratio") }} AS nvs_share,
           {{ worst_of_delayed_writes("disc_share_ratio_high") }} AS nvs_high
    FROM nvs_delay
    GROUP BY subsystem
),
cached AS (
    SELECT subsystem, max(trim(LEADING '0' FROM control_unit_type) || ' ' || trim(LEADING '0' FROM serial)) AS box,
           nullif(sum(interval_s), 0) AS cache_s,
           sum(read_count - read_hit_count) AS misses, sum(bypass_rate * interval_s) AS bypassed
    FROM cache_subsystem_interval
    GROUP BY subsystem
)
SELECT c.subsystem, c.box, 1000 * d.disc_s / nullif(d.ios, 0) AS disc_ms,
       3600 * d.disc_s / nullif(d.span_s, 0) AS disc_s, c.misses / c.cache_s AS miss_rate, k.disk_read_ms,
       -- both per second: the spans of devices and cache may differ
       100 * (1 - at_least_0(1 - c.misses / c.cache_s * k.disk_read_ms / 1000 / nullif(d.disc_s / nullif(d.span_s, 0), 0)))
           AS miss_percent,
       100 * n.nvs_share AS nvs_percent, 100 * n.nvs_high AS nvs_high_percent, c.bypassed / c.cache_s AS bypass_rate,
       nullif(k.mirrored, 0) AS mirrored, nullif(k.suspended, 0) AS suspended,
       k.mirrored_tracks / c.cache_s AS mirrored_track_rate
FROM cached c
LEFT JOIN device d ON d.subsystem = c.subsystem
LEFT JOIN disk k ON k.subsystem = c.subsystem
LEFT JOIN nvs n ON n.subsystem = c.subsystem
ORDER BY disc_s DESC NULLS LAST, c.subsystem
