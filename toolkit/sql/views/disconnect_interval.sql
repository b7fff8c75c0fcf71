-- view: disconnect_interval
-- layer: derived
-- title: Causes of a volume's disconnect time, all systems together, interval by interval
-- grain: one row per interval_start, volume
-- columns: interval_start, interval_s
-- column volume VARCHAR []: Volume serial; where several disks have it, which, see shared_volume_interval
-- column volser VARCHAR []: Volume serial
-- column box VARCHAR []: Box, see box_subsystem; NULL without cache statistics
-- columns: subsystem
-- column extent_pool VARCHAR []: Extent pool of the box that the volume lives in
-- column io_rate DOUBLE [per second]: I/Os of all systems
-- column disc_ms DOUBLE [milliseconds]: Measured disconnect per I/O = miss_ms + nvs_ms + replication_ms + unexplained_ms
-- column miss_ms DOUBLE [milliseconds]: Part of read misses: misses per I/O times back_end_ms, at most disc_ms
-- column miss_low_ms DOUBLE [milliseconds]: Low bound: the same, with other_back_end_ms where two sources contradict each other, 0 where the back end's time is not known
-- column miss_high_ms DOUBLE [milliseconds]: High bound: the same, all of it where that is not known and reads miss
-- column nvs_ms DOUBLE [milliseconds]: Part of writes delayed for lack of NVS: delayed writes per I/O (of all systems, read or not) times delay_ms_per_delayed_write of nvs_delay, at most what misses leave
-- column nvs_low_ms DOUBLE [milliseconds]: Low bound, with the low bound of that delay and as many delayed writes of systems not read as they may have
-- column nvs_high_ms DOUBLE [milliseconds]: High bound, with its high bound and no such writes
-- column replication_ms DOUBLE [milliseconds]: Part of writes that wait for a second box: what is left of volumes that are in a PPRC pair and write, as far as these are fast writes: others wait for the disks for an unknown time
-- column replication_low_ms DOUBLE [milliseconds]: Low bound: 0, as no record times it
-- column replication_high_ms DOUBLE [milliseconds]: High bound: what is left, of every volume that writes, unless a record says that it is in no pair
-- columns: unexplained_ms
-- column back_end_ms DOUBLE [milliseconds]: Mean time of a read from the disks; where two sources contradict each other the longer one
-- column back_end_source VARCHAR []: Where that is from: volume (74.5) or extent pool (74.8)
-- column is_mirrored BOOLEAN []: The cache statistics have a PPRC pair or tracks sent to one; NULL without cache statistics, or where these do not count such tracks (cache reports, older records)
-- columns: utc_offset_s
-- column other_back_end_ms DOUBLE [milliseconds]: The shorter one, where two sources contradict each other: what volumes report themselves (74.5) and their extent pool (74.8 or 74.5) are 3 times apart or more, over all reads of the pool's volumes, and these are at least half of the pool's; else NULL
-- column fast_write_ratio DOUBLE [ratio 0..1]: Fast writes over writes; NULL if unknown
-- column cache_active BOOLEAN []: Caching is on for the volume, see cache_interval; NULL if unknown
-- column fast_write_active BOOLEAN []: The same of DASD fast write
-- column unexplained_low_ms DOUBLE [milliseconds]: Low bound: what the high bounds of the other parts leave
-- column unexplained_high_ms DOUBLE [milliseconds]: High bound: what their low bounds leave
-- note: Disconnect is timed as a whole; its parts are inferred and add up to it. A volume that misses, waits for NVS and replicates at once gets them in this order.
-- note: Two intervals belong together when the middle of one lies inside the other, see shared_alignment.
WITH volume AS (
    SELECT
        interval_start, interval_s, volume, volser, io_rate, disc_ms, read_ratio, read_hit_ratio, nvs_delay_rate, subsystem,
        extent_pool, utc_offset_s
    FROM shared_volume_interval
    WHERE io_rate > 0 AND disc_ms IS NOT NULL
),
around AS (
    SELECT v.interval_start, v.volume, v.volser, v.subsystem, v.extent_pool, a.other_start, a.other_s
    FROM volume v
    JOIN shared_alignment a ON a.interval_start = v.interval_start AND a.interval_s = v.interval_s
),
own AS (
    SELECT
        v.interval_start, v.volume,
        {{ mean_of("c.disk_read_ms", "c.disk_read_rate") }} AS disk_read_ms,
        sum(c.disk_read_rate * c.interval_s) / sum(c.interval_s) AS disk_read_rate,
        CASE
            WHEN max(CASE WHEN c.mirror_state IS NOT NULL OR c.mirrored_track_rate > 0 THEN 1 ELSE 0 END) = 1 THEN TRUE
            WHEN count(c.mirrored_track_rate) > 0 THEN FALSE
        END AS is_mirrored,
        sum(CASE WHEN c.subsystem = v.subsystem THEN (c.read_rate + c.write_rate) * c.interval_s END)
            / nullif(sum(CASE WHEN c.subsystem = v.subsystem THEN c.interval_s END), 0) AS counted_rate,
        1 - sum(c.fast_write_inhibit_rate * c.interval_s)
            / nullif(sum(CASE WHEN c.fast_write_inhibit_rate IS NOT NULL THEN c.write_rate * c.interval_s END), 0)
            AS fast_write_ratio,
        bool_and(c.cache_active) AS cache_active,
        bool_and(c.fast_write_active) AS fast_write_active
    FROM around v
    JOIN cache_interval c
        ON c.volser = v.volser AND (v.volume = v.volser OR c.subsystem = v.subsystem)
        AND c.interval_start = v.other_start AND c.interval_s = v.other_s
    GROUP BY v.interval_start, v.volume
),
behind AS (
    SELECT v.interval_start, v.volume, avg(p.read_ms) AS read_ms, avg(p.read_rate) AS read_rate
    FROM around v
    {{ join_box_then("b", "v") }}
    JOIN extent_pool_interval p
        ON p.box = b.box AND p.extent_pool = v.extent_pool
        AND p.interval_start = v.other_start AND p.interval_s = v.other_s
    GROUP BY v.interval_start, v.volume
),
delay AS (
    SELECT
        v.interval_start, v.volume,
        avg(n.delay_ms_per_delayed_write) AS each_ms,
        avg(n.delay_ms_per_delayed_write_low) AS each_low_ms,
        avg(n.delay_ms_per_delayed_write_high) AS each_high_ms
    FROM around v
    JOIN nvs_delay n
        ON n.subsystem = v.subsystem AND n.interval_start = v.other_start AND n.interval_s = v.other_s
    WHERE n.nvs_delay_count > 0
    GROUP BY v.interval_start, v.volume
),
together AS (
    -- one volume may differ from its pool, all of them can't
    SELECT
        v.interval_start, b.box, v.extent_pool,
        {{ mean_of("o.disk_read_ms", "o.disk_read_rate") }} AS disk_read_ms,
        max(p.read_ms) AS read_ms
    FROM volume v
    {{ join_box_then("b", "v") }}
    JOIN own o ON o.interval_start = v.interval_start AND o.volume = v.volume
    JOIN behind p ON p.interval_start = v.interval_start AND p.volume = v.volume
    WHERE o.disk_read_ms > 0 AND p.read_ms > 0
    GROUP BY v.interval_start, b.box, v.extent_pool
    HAVING sum(o.disk_read_rate) >= 0.5 * max(p.read_rate)
),
contradicted AS (
    SELECT interval_start, box, extent_pool
    FROM together
    WHERE greatest(read_ms, disk_read_ms) >= 3 * least(read_ms, disk_read_ms)
),
known AS (
    SELECT
        v.*, b.box, o.is_mirrored, o.cache_active, o.fast_write_active,
        CASE
            WHEN o.fast_write_ratio < 0 THEN 0
            WHEN o.fast_write_ratio > 1 THEN 1
            ELSE o.fast_write_ratio
        END AS fast_write_ratio,
        CASE WHEN c.box IS NULL THEN coalesce(o.disk_read_ms, p.read_ms) ELSE greatest(o.disk_read_ms, p.read_ms) END
            AS back_end_ms,
        CASE
            WHEN c.box IS NOT NULL AND p.read_ms > o.disk_read_ms THEN 'extent pool'
            WHEN o.disk_read_ms IS NOT NULL THEN 'volume'
            WHEN p.read_ms IS NOT NULL THEN 'extent pool'
        END AS back_end_source,
        CASE WHEN c.box IS NOT NULL AND o.disk_read_ms IS NOT NULL THEN least(o.disk_read_ms, p.read_ms) END
            AS other_back_end_ms,
        v.read_ratio * (1 - v.read_hit_ratio) AS misses,
        -- of systems that are not read some writes are delayed too: as many of their I/Os as of those read, none, or all
        coalesce(v.nvs_delay_rate / greatest(o.counted_rate, v.io_rate), 0) AS delays,
        coalesce(at_least_0(v.nvs_delay_rate - at_least_0(o.counted_rate - v.io_rate)) / v.io_rate, 0) AS delays_low,
        coalesce(v.nvs_delay_rate / v.io_rate, 0) AS delays_high,
        d.each_ms, d.each_low_ms, d.each_high_ms
    FROM volume v
    LEFT {{ join_box_then("b", "v") }}
    LEFT JOIN own o ON o.interval_start = v.interval_start AND o.volume = v.volume
    LEFT JOIN behind p ON p.interval_start = v.interval_start AND p.volume = v.volume
    LEFT JOIN contradicted c
        ON c.interval_start = v.interval_start AND c.box = b.box AND c.extent_pool = v.extent_pool
    LEFT JOIN delay d ON d.interval_start = v.interval_start AND d.volume = v.volume
),
missed AS (
    SELECT k.*, least(coalesce(misses * back_end_ms, 0), disc_ms) AS miss_ms FROM known k
),
delayed AS (
    SELECT
        m.*,
        least(coalesce(delays * each_ms, 0), disc_ms - miss_ms) AS nvs_ms,
        least(coalesce(delays_low * each_low_ms, 0), disc_ms - miss_ms) AS nvs_low_ms,
        least(coalesce(delays_high * each_high_ms, CASE WHEN delays_high > 0 THEN disc_ms ELSE 0 END), disc_ms - miss_ms)
            AS nvs_high_ms
    FROM missed m
),
parted AS (
    SELECT
        interval_start,
        interval_s,
        volume,
        volser,
        box,
        subsystem,
        extent_pool,
        io_rate,
        disc_ms,
        miss_ms,
        least(coalesce(misses * other_back_end_ms, miss_ms), miss_ms) AS miss_low_ms,
        CASE WHEN misses IS NULL OR (misses > 0 AND back_end_ms IS NULL) THEN disc_ms ELSE miss_ms END AS miss_high_ms,
        nvs_ms,
        nvs_low_ms,
        nvs_high_ms,
        CASE
            WHEN is_mirrored AND read_ratio < 1 THEN (disc_ms - miss_ms - nvs_ms) * coalesce(fast_write_ratio, 1)
            ELSE 0
        END AS replication_ms,
        CAST(0 AS DOUBLE) AS replication_low_ms,
        CASE WHEN coalesce(is_mirrored, TRUE) AND coalesce(read_ratio, 0) < 1 THEN disc_ms - miss_ms - nvs_low_ms ELSE 0 END
            AS replication_high_ms,
        CASE
            WHEN is_mirrored AND read_ratio < 1 THEN (disc_ms - miss_ms - nvs_ms) * (1 - coalesce(fast_write_ratio, 1))
            ELSE disc_ms - miss_ms - nvs_ms
        END AS unexplained_ms,
        back_end_ms,
        back_end_source,
        is_mirrored,
        utc_offset_s,
        other_back_end_ms,
        fast_write_ratio,
        cache_active,
        fast_write_active
    FROM delayed
)
SELECT
    *,
    CASE WHEN disc_ms > miss_high_ms + nvs_high_ms + replication_high_ms
        THEN disc_ms - miss_high_ms - nvs_high_ms - replication_high_ms ELSE 0 END AS unexplained_low_ms,
    disc_ms - miss_low_ms - nvs_low_ms - replication_low_ms AS unexplained_high_ms
FROM parted
