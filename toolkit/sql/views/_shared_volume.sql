-- view: _shared_volume
-- layer: derived
-- reach: a day
-- title: Sums of the same volume over all systems that share it, interval by interval
-- grain: one row per interval_start, volume
-- columns: interval_start, interval_s, volume, volser, io_rate, io_count, wait_ms, pend_ms, cmr_ms, device_busy_ms
-- columns: disc_ms, conn_ms, service_ms, connect_ratio, read_ratio, read_hit_ratio, write_hit_ratio, nvs_delay_rate
-- columns: subsystem, storage_group, open_exchanges, sync_read_rate, sync_write_rate, sync_read_bytes_rate
-- columns: sync_write_bytes_rate, sync_request_rate, total_io_rate, interrupt_delay_ms, sync_read_ms, sync_write_ms
-- columns: sync_success_ratio, sync_link_busy_ratio, sync_miss_ratio, total_response_ms, cylinders, extent_pool
-- columns: utc_offset_s
-- column systems BIGINT []: Systems that measured the volume in this interval
-- note: See shared_volume_interval, which is made of it.
SELECT
    interval_start,
    interval_s,
    disk AS volume,
    max(volser) AS volser,
    count(*) AS systems,
    sum(io_rate) AS io_rate,
    sum(io_count) AS io_count,
    {{ mean_of("wait_ms", "io_rate") }} AS wait_ms,
    {{ mean_of("pend_ms", "io_rate") }} AS pend_ms,
    {{ mean_of("cmr_ms", "io_rate") }} AS cmr_ms,
    {{ mean_of("device_busy_ms", "io_rate") }} AS device_busy_ms,
    {{ mean_of("disc_ms", "io_rate") }} AS disc_ms,
    {{ mean_of("conn_ms", "io_rate") }} AS conn_ms,
    {{ mean_of("service_ms", "io_rate") }} AS service_ms,
    sum(connect_ratio) AS connect_ratio,
    max(read_ratio) AS read_ratio,
    max(read_hit_ratio) AS read_hit_ratio,
    max(write_hit_ratio) AS write_hit_ratio,
    max(nvs_delay_rate) AS nvs_delay_rate,
    max(subsystem) AS subsystem,
    max(storage_group) AS storage_group,
    sum(open_exchanges) AS open_exchanges,
    sum(sync_read_rate) AS sync_read_rate,
    sum(sync_write_rate) AS sync_write_rate,
    sum(sync_read_bytes_rate) AS sync_read_bytes_rate,
    sum(sync_write_bytes_rate) AS sync_write_bytes_rate,
    sum(sync_request_rate) AS sync_request_rate,
    sum(total_io_rate) AS total_io_rate,
    {{ mean_of("interrupt_delay_ms", "io_rate") }} AS interrupt_delay_ms,
    {{ mean_of("sync_read_ms", "sync_read_rate") }} AS sync_read_ms,
    {{ mean_of("sync_write_ms", "sync_write_rate") }} AS sync_write_ms,
    {{ mean_of("sync_success_ratio", "sync_request_rate") }} AS sync_success_ratio,
    {{ mean_of("sync_link_busy_ratio", "sync_request_rate") }} AS sync_link_busy_ratio,
    {{ mean_of("sync_miss_ratio", "sync_request_rate") }} AS sync_miss_ratio,
    {{ mean_of("total_response_ms", "total_io_rate") }} AS total_response_ms,
    max(cylinders) AS cylinders,
    max(extent_pool) AS extent_pool,
    min(utc_offset_s) AS utc_offset_s
FROM volume_on_box_clock
WHERE volser IS NOT NULL AND NOT coalesce(is_apart, FALSE)
GROUP BY interval_start, interval_s, disk
