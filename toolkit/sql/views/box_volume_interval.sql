-- view: box_volume_interval
-- layer: derived
-- reach: a day
-- title: Volumes that did I/O, with the box they are in and the interval of the box they belong to
-- grain: one row per platform, system, interval_start, volume
-- column box VARCHAR []: Box of the volume, see volume_box
-- column box_interval_start TIMESTAMP [UTC]: interval_start of the row of box_interval that holds most of this one, see box_clock
-- columns: serial
-- column control_unit_type VARCHAR []: Machine type and model of the box
-- columns: platform, system, volume
-- column lcu VARCHAR []: Logical control unit of the base
-- columns: interval_start, interval_s
-- column io_rate DOUBLE [per second]: I/O rate of all addresses
-- column wait_ms DOUBLE [milliseconds]: Mean wait in the base's queue
-- column service_ms DOUBLE [milliseconds]: Mean service time
-- column device_busy_ms DOUBLE [milliseconds]: Part of the service time that another system's reserve held up; NULL if no record has it
-- column in_service DOUBLE []: Mean number of I/Os in progress
-- column queue_length DOUBLE []: Mean number of I/Os waiting in the host
-- column exposures DOUBLE []: Base plus aliases, as models take them: 1, the base itself, where aliases are unknown (volume_interval has NULL there)
-- columns: is_hyperpav
-- column read_ratio DOUBLE [ratio 0..1]: Reads over reads and writes, from the cache statistics
-- column is_held BOOLEAN []: Another system held the volume for a good part of the service time, see unfit_interval
-- column is_overfull BOOLEAN []: More I/Os in progress than its exposures can hold: the measurement contradicts itself, see unfit_interval
-- columns: utc_offset_s
-- note: Rows without I/Os or without a service time are left out. So are devices that take no aliases, such as emulated ones, which are in none of these boxes.
SELECT
    h.box,
    c.box_interval_start,
    h.serial,
    h.control_unit_type,
    v.platform,
    v.system,
    v.volume,
    v.lcu,
    v.interval_start,
    v.interval_s,
    v.io_rate,
    v.wait_ms,
    v.service_ms,
    v.device_busy_ms,
    v.in_service,
    v.queue_length,
    coalesce(v.exposures, 1) AS exposures,
    v.is_hyperpav,
    v.read_ratio,
    coalesce(u.is_held, FALSE) AS is_held,
    coalesce(u.is_overfull, FALSE) AS is_overfull,
    v.utc_offset_s
FROM volume_interval v
{{ join_home("v") }}
{{ join_clock("v") }}
LEFT JOIN unfit_interval u
    ON u.platform = v.platform AND u.system = v.system AND u.volume = v.volume AND u.interval_start = v.interval_start
WHERE c.is_main AND v.io_rate > 0 AND v.service_ms > 0 AND {{ takes_aliases("v.device_type") }}
