-- reach: a day
-- title: Volumes over all systems, interval by interval, with the known parts of their disconnect time
-- grain: one row per interval_start, volume
-- columns: interval_start, interval_s, volume, volser, io_rate, io_count, wait_ms, pend_ms, cmr_ms, device_busy_ms
-- columns: disc_ms, conn_ms, connect_ratio, read_ratio, read_hit_ratio, write_hit_ratio, nvs_delay_rate
-- columns: subsystem, storage_group, open_exchanges, sync_read_rate, sync_write_rate, sync_read_bytes_rate
-- columns: sync_write_bytes_rate, sync_request_rate, interrupt_delay_ms, sync_read_ms, sync_write_ms
-- columns: sync_success_ratio, sync_link_busy_ratio, sync_miss_ratio, cylinders, extent_pool, utc_offset_s
-- column systems BIGINT []: Systems that measured the volume in this interval
-- column is_parted BOOLEAN []: Service time is pend, disc and conn together
-- column whole_service_ms DOUBLE [milliseconds]: Service time, where it is not
-- columns: box, fast_write_ratio, back_end_ms, other_back_end_ms, back_end_source, is_mirrored
-- column cache_active BOOLEAN []: Caching is on for the volume, see cache_interval; NULL if unknown
-- column fast_write_active BOOLEAN []: The same of DASD fast write
-- column delays DOUBLE [ratio]: Writes delayed for lack of NVS per I/O, if systems that are not read write as these do
-- column delays_low DOUBLE [ratio]: The same, if they have as many of the delayed writes as they may
-- column delays_high DOUBLE [ratio]: The same, if they have none
-- note: See shared_volume_interval and disconnect_interval, which are made of it; the parts are known where there is disconnect time.
WITH summed AS (
    SELECT
        interval_start, interval_s,
        disk AS volume,
        max(volser) AS volser,
        count(*) AS systems,
        sum(io_rate) AS io_rate,
        sum(io_count) AS io_count,
        {{ each(mean_of("NAME", "io_rate"), "wait_ms pend_ms cmr_ms device_busy_ms disc_ms conn_ms service_ms") }},
        sum(connect_ratio) AS connect_ratio,
        {{ each("max(NAME)", "read_ratio read_hit_ratio write_hit_ratio nvs_delay_rate subsystem storage_group") }},
        {{ each("sum(NAME)", "open_exchanges sync_read_rate sync_write_rate sync_read_bytes_rate
            sync_write_bytes_rate sync_request_rate") }},
        {{ mean_of("interrupt_delay_ms", "io_rate") }} AS interrupt_delay_ms,
        {{ mean_of("sync_read_ms", "sync_read_rate") }} AS sync_read_ms,
        {{ mean_of("sync_write_ms", "sync_write_rate") }} AS sync_write_ms,
        {{ each(mean_of("NAME", "sync_request_rate"), "sync_success_ratio sync_link_busy_ratio sync_miss_ratio") }},
        max(cylinders) AS cylinders,
        max(extent_pool) AS extent_pool,
        min(utc_offset_s) AS utc_offset_s
    FROM volume_on_box_clock
    WHERE volser IS NOT NULL AND NOT coalesce(is_apart, FALSE)
    GROUP BY interval_start, interval_s, disk
),
shared AS (
    SELECT *, CASE WHEN is_parted THEN NULL ELSE service_ms END AS whole_service_ms
    FROM (
        SELECT *, abs(pend_ms + disc_ms + conn_ms - service_ms) <= 1e-9 * service_ms AS is_parted FROM summed
    ) AS compared
),
volume AS (
    SELECT interval_start, interval_s, volume, volser, subsystem, extent_pool
    FROM shared
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
            WHEN bool_or({{ is_mirrored("c") }}) THEN TRUE
            WHEN count(c.mirrored_track_rate) > 0 OR count(c.mirror_state) > 0 THEN FALSE
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
)
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
    -- of systems that are not read some writes are delayed too: as many of their I/Os as of those read, none, or all
    coalesce(v.nvs_delay_rate / nullif(greatest(o.counted_rate, v.io_rate), 0), 0) AS delays,
    coalesce(at_least_0(v.nvs_delay_rate - at_least_0(o.counted_rate - v.io_rate)) / nullif(v.io_rate, 0), 0) AS delays_low,
    coalesce(v.nvs_delay_rate / nullif(v.io_rate, 0), 0) AS delays_high
FROM shared v
LEFT {{ join_box_then("b", "v") }}
LEFT JOIN own o ON o.interval_start = v.interval_start AND o.volume = v.volume
LEFT JOIN behind p ON p.interval_start = v.interval_start AND p.volume = v.volume
LEFT JOIN contradicted c
    ON c.interval_start = v.interval_start AND c.box = b.box AND c.extent_pool = v.extent_pool
