-- reach: a day
-- stored: in memory
-- title: Sums of the same volume over all systems that share it, interval by interval
-- grain: one row per interval_start, volume
-- columns: interval_start, interval_s, volume, volser, io_rate, io_count, wait_ms, pend_ms, cmr_ms, device_busy_ms
-- columns: disc_ms, conn_ms, connect_ratio, read_ratio, read_hit_ratio, write_hit_ratio, nvs_delay_rate
-- columns: subsystem, storage_group, open_exchanges, sync_read_rate, sync_write_rate, sync_read_bytes_rate
-- columns: sync_write_bytes_rate, sync_request_rate, interrupt_delay_ms, sync_read_ms, sync_write_ms
-- columns: sync_success_ratio, sync_link_busy_ratio, sync_miss_ratio, cylinders, extent_pool, utc_offset_s
-- column systems BIGINT []: Systems that measured the volume in this interval
-- column is_parted BOOLEAN []: Service time is pend, disc and conn together
-- column whole_service_ms DOUBLE [milliseconds]: Service time, where it is not
-- note: See _disconnect, which is made of it.
WITH summed AS (
    SELECT
        interval_start,
        interval_s,
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
)
SELECT
    s.*,
    abs(pend_ms + disc_ms + conn_ms - service_ms) <= 1e-9 * service_ms AS is_parted,
    CASE WHEN abs(pend_ms + disc_ms + conn_ms - service_ms) <= 1e-9 * service_ms THEN NULL ELSE service_ms END
        AS whole_service_ms
FROM summed s
