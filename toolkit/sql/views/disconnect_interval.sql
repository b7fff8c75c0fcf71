-- stored: no
-- title: Causes of a volume's disconnect time, all systems together, interval by interval
-- grain: one row per interval_start, volume
-- columns: interval_start, interval_s
-- column volume VARCHAR []: Volume serial; where several disks have it, which, see shared_volume_interval
-- columns: volser
-- column box VARCHAR []: Box, see box_subsystem; NULL without cache statistics
-- columns: subsystem, extent_pool
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
-- columns: unexplained_ms, back_end_ms, back_end_source, is_mirrored, utc_offset_s, other_back_end_ms, fast_write_ratio
-- column cache_active BOOLEAN []: Caching is on for the volume, see cache_interval; NULL if unknown
-- column fast_write_active BOOLEAN []: The same of DASD fast write
-- column unexplained_low_ms DOUBLE [milliseconds]: Low bound: what the high bounds of the other parts leave
-- column unexplained_high_ms DOUBLE [milliseconds]: High bound: what their low bounds leave
-- note: Only total disconnect time is measured; its parts are inferred and add up to it. They are assigned in this order: misses, NVS, replication.
-- note: Two intervals belong together when the middle of one lies inside the other, see shared_alignment.
WITH known AS (
    SELECT *, read_ratio * (1 - read_hit_ratio) AS misses, read_ratio >= 1 AS reads_only
    FROM _disconnect
    WHERE io_rate > 0 AND disc_ms IS NOT NULL
),
missed AS (
    SELECT
        k.*, d.each_ms, d.each_low_ms, d.each_high_ms,
        least(coalesce(misses * back_end_ms, 0), disc_ms) AS miss_ms
    FROM known k
    LEFT JOIN _delayed_write d ON {{ equal("interval_start, interval_s, subsystem", "d", "k") }}
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
        *,
        least(coalesce(misses * other_back_end_ms, miss_ms), miss_ms) AS miss_low_ms,
        CASE WHEN misses IS NULL OR (misses > 0 AND back_end_ms IS NULL) THEN disc_ms ELSE miss_ms END AS miss_high_ms,
        CASE
            WHEN is_mirrored AND NOT reads_only THEN (disc_ms - miss_ms - nvs_ms) * coalesce(fast_write_ratio, 1)
            ELSE 0
        END AS replication_ms,
        CAST(0 AS DOUBLE) AS replication_low_ms,
        CASE WHEN coalesce(is_mirrored, TRUE) AND NOT coalesce(reads_only, FALSE) THEN disc_ms - miss_ms - nvs_low_ms ELSE 0 END
            AS replication_high_ms,
        CASE
            WHEN is_mirrored AND NOT reads_only THEN (disc_ms - miss_ms - nvs_ms) * (1 - coalesce(fast_write_ratio, 1))
            ELSE disc_ms - miss_ms - nvs_ms
        END AS unexplained_ms
    FROM delayed
)
SELECT
    *,
    CASE WHEN disc_ms > miss_high_ms + nvs_high_ms + replication_high_ms
        THEN disc_ms - miss_high_ms - nvs_high_ms - replication_high_ms ELSE 0 END AS unexplained_low_ms,
    disc_ms - miss_low_ms - nvs_low_ms - replication_low_ms AS unexplained_high_ms
FROM parted
