-- reach: a day
-- stored: no
-- title: Volumes that did I/O, with the box they are in and the interval of the box they belong to
-- grain: one row per platform, system, interval_start, volume
-- column box VARCHAR []: Box, see volume_box
-- column box_interval_start TIMESTAMP [UTC]: interval_start of the row of box_interval that holds most of this one, see box_clock
-- columns: serial, control_unit_type, platform, system, volume, lcu, interval_start, interval_s, io_rate, wait_ms
-- columns: service_ms
-- column device_busy_ms DOUBLE [milliseconds]: Part of the service time that another system's reserve held up; NULL if no record has it
-- columns: in_service, queue_length
-- column exposures DOUBLE []: Base plus aliases, as models take them: 1, the base itself, where aliases are unknown (volume_interval has NULL there)
-- columns: is_hyperpav, read_ratio, is_held, is_overfull, utc_offset_s
-- note: Rows without I/Os or without a service time are left out. So are devices that take no aliases, such as emulated ones, which are in none of these boxes.
SELECT *, io_rate * service_ms / 1000 AS in_service, io_rate * wait_ms / 1000 AS queue_length
FROM _box_volume
