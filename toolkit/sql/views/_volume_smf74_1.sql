-- reach: a day
-- title: Volumes of one address that type 74.1 recorded: counts and summed times, with the cache statistics of their interval
-- grain: one row per platform, system, interval_start, volume
-- columns: platform
-- column system VARCHAR []: System id = SMF74SID
-- columns: interval_start, interval_s, utc_offset_s, device
-- column volume VARCHAR []: Volume serial; without one the device
-- columns: volser, device_type, control_unit_type, lcu, storage_group, exposures, is_hyperpav, is_sync_capable
-- columns: cylinders, samples
-- column io_count BIGINT [events in the interval]: Start subchannels = SMF74SSC
-- columns: ios_queue_us, queue_samples, pend_us, cmr_us, device_busy_us, disc_us, conn_us, cu_queue_us, interrupt_us
-- columns: busy_samples, reserved_samples, allocation_samples, not_ready_samples, mount_pending_samples, sync_reads
-- columns: sync_writes, sync_read_half_us, sync_write_half_us, sync_read_bytes, sync_write_bytes, sync_link_busy
-- columns: sync_missed, sync_read_rejected, sync_write_rejected
-- column timed_count BIGINT [events in the interval]: I/Os whose times count; NULL where the volume did no I/O, or more times were stored than I/Os started
-- columns: read_ratio, read_hit_ratio, write_hit_ratio, nvs_delay_rate, subsystem, extent_pool
SELECT
    d.*,
    CASE WHEN d.io_count > 0 AND d.measured_count <= 2 * d.io_count + 1000 THEN d.measured_count END AS timed_count,
    {{ each("CASE WHEN own.device IS NULL THEN other.NAME ELSE own.NAME END", "read_ratio read_hit_ratio
        write_hit_ratio nvs_delay_rate subsystem extent_pool") }}
FROM _device_smf74_1 d
LEFT JOIN device_cache own ON {{ equal("platform, system, interval_start, device", "own", "d") }}
LEFT JOIN volume_cache other ON {{ equal("platform, system, interval_start, volser", "other", "d") }}
WHERE d.is_alone AND coalesce(d.device_class, 'dasd') = 'dasd' AND coalesce(d.online, TRUE)
