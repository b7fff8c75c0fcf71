-- view: shared_volume_interval
-- layer: promised
-- stored: no
-- title: The same volume over all systems that share it, interval by interval
-- grain: one row per interval_start, volume
-- column interval_start TIMESTAMP [UTC]: Start of the interval of the volume's box, see box_clock
-- column interval_s DOUBLE [s]: Length of that interval
-- column volume VARCHAR []: Volume serial; where several disks have it, which: VOL001 in 2000, see disk of volume_home
-- column volser VARCHAR []: Volume serial
-- column systems BIGINT []: Systems that measured the volume in this interval; their I/Os are all in it
-- column io_rate DOUBLE [per second]: Rate of all systems together = sum of io_rate
-- column io_count DOUBLE [events in the interval]: I/Os = sum of io_count
-- column wait_ms DOUBLE [milliseconds]: Mean wait, weighted by rate
-- columns: pend_ms
-- column cmr_ms DOUBLE [milliseconds]: Mean initial command response time, weighted by rate
-- columns: device_busy_ms
-- column disc_ms DOUBLE [milliseconds]: Mean disconnect time, weighted by rate
-- columns: conn_ms
-- column service_ms DOUBLE [milliseconds]: Mean service time, weighted by rate
-- columns: response_ms
-- column in_service DOUBLE []: Mean number of I/Os in progress, all systems = io_rate * service_ms / 1000
-- column queue_length DOUBLE []: Mean number of I/Os waiting, all systems = io_rate * wait_ms / 1000
-- column connect_ratio DOUBLE [ratio]: Connect time of all systems over interval
-- column read_ratio DOUBLE [ratio 0..1]: Reads over reads and writes, from the cache statistics
-- columns: read_hit_ratio, write_hit_ratio
-- column nvs_delay_rate DOUBLE [per second]: Fast writes delayed for lack of NVS
-- columns: subsystem
-- column storage_group VARCHAR []: SMS storage group
-- columns: interrupt_delay_ms
-- column open_exchanges DOUBLE []: Mean number of operations open at the control unit, all systems = sum of open_exchanges
-- columns: cylinders
-- column extent_pool VARCHAR []: Extent pool of the box that the volume lives in, from the cache statistics
-- column sync_read_rate DOUBLE [per second]: Synchronous (zHyperLink) reads of all systems = sum of sync_read_rate
-- column sync_write_rate DOUBLE [per second]: Synchronous (zHyperLink) writes of all systems = sum of sync_write_rate
-- columns: sync_read_ms, sync_write_ms, sync_read_bytes_rate, sync_write_bytes_rate
-- column sync_request_rate DOUBLE [per second]: Synchronous requests of every outcome
-- columns: sync_success_ratio, sync_link_busy_ratio, sync_miss_ratio
-- column total_io_rate DOUBLE [per second]: Normal and synchronous I/Os of all systems = sum of total_io_rate
-- column total_response_ms DOUBLE [milliseconds]: Mean response of normal and synchronous I/Os, weighted by total_io_rate
-- column utc_offset_s INTEGER [s]: Local time minus UTC, the least of the systems'
-- note: Rows use the intervals of the volume's box, those of the system with the longest intervals. Shorter intervals are added up, and intervals that do not divide evenly are split in proportion to time. If some systems did not measure, the row is split, see box_clock. io_count adds up to the I/Os of all systems. A steady load is steady in every row that names the same systems, see volume_on_box_clock.
-- note: A listing without a UTC offset is added to the systems with one if its hours show the offset. Otherwise it is left out of their volumes, see volume_home.
-- note: Volumes without a serial are left out, because device numbers of different systems may be different devices. Equal serials are one volume, unless systems name them in several subsystems at once. Then each disk has its own rows, and so has a system whose disk is unknown. Disks with one serial and one subsystem id in two boxes can't be separated and count as one; iosq advise names such ids.
SELECT
    *,
    wait_ms + service_ms AS response_ms,
    io_rate * service_ms / 1000 AS in_service,
    io_rate * wait_ms / 1000 AS queue_length
FROM _shared_volume
