-- layer: promised
-- stored: no
-- title: The same volume over all systems that share it, interval by interval
-- grain: one row per interval_start, volume
-- column interval_start TIMESTAMP [UTC]: Start of the interval of the volume's box, see box_clock
-- columns: interval_s
-- column volume VARCHAR []: Volume serial; where several disks have it, which: VOL001 in 2000, see disk of volume_home
-- columns: volser
-- column systems BIGINT []: Systems that measured the volume in this interval; their I/Os are all in it
-- column io_rate DOUBLE [per second]: Rate of all systems together = sum of io_rate
-- column io_count DOUBLE [events in the interval]: I/Os = sum of io_count
-- columns: wait_ms, pend_ms, cmr_ms, device_busy_ms, disc_ms, conn_ms, service_ms, response_ms, in_service
-- columns: queue_length
-- column connect_ratio DOUBLE [ratio]: Connect time of all systems over interval
-- columns: read_ratio, read_hit_ratio, write_hit_ratio, nvs_delay_rate, subsystem, storage_group, interrupt_delay_ms
-- column open_exchanges DOUBLE []: Mean number of operations open at the control unit, all systems = sum of open_exchanges
-- columns: cylinders, extent_pool
-- column sync_read_rate DOUBLE [per second]: Synchronous (zHyperLink) reads of all systems = sum of sync_read_rate
-- column sync_write_rate DOUBLE [per second]: Synchronous (zHyperLink) writes of all systems = sum of sync_write_rate
-- columns: sync_read_ms, sync_write_ms, sync_read_bytes_rate, sync_write_bytes_rate, sync_request_rate
-- columns: sync_success_ratio, sync_link_busy_ratio, sync_miss_ratio
-- column total_io_rate DOUBLE [per second]: Normal and synchronous I/Os of all systems = sum of total_io_rate
-- column total_response_ms DOUBLE [milliseconds]: Mean response of normal and synchronous I/Os together = (io_rate * response_ms + sync_read_rate * sync_read_ms + sync_write_rate * sync_write_ms) / total_io_rate
-- column utc_offset_s INTEGER [s]: Local time minus UTC, the least of the systems'
-- note: Rows use the intervals of the volume's box, those of the system with the longest intervals. Shorter intervals are added up, and intervals that do not divide evenly are split in proportion to time. If some systems did not measure, the row is split, see box_clock. io_count adds up to the I/Os of all systems. A steady load is steady in every row that names the same systems, see volume_on_box_clock.
-- note: A listing without a UTC offset is added to the systems with one if its hours show the offset. Otherwise it is left out of their volumes, see volume_home.
-- note: Volumes without a serial are left out, because device numbers of different systems may be different devices. Equal serials are one volume, unless systems name them in several subsystems at once. Then each disk has its own rows, and so has a system whose disk is unknown. Disks with one serial and one subsystem id in two boxes can't be separated and count as one; iosq advise names such ids.
WITH summed AS (
    SELECT
        *,
        CASE WHEN is_parted THEN pend_ms + disc_ms + conn_ms ELSE whole_service_ms END AS service_ms,
        io_rate + coalesce(sync_read_rate, 0) + coalesce(sync_write_rate, 0) AS total_io_rate
    FROM _disconnect
)
SELECT
    *,
    wait_ms + service_ms AS response_ms,
    io_rate * service_ms / 1000 AS in_service,
    io_rate * wait_ms / 1000 AS queue_length,
    {{ total_response() }} AS total_response_ms
FROM summed
