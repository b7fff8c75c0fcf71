-- reach: a day
-- title: Volumes that did I/O, with the box they are in and the interval of the box they belong to
-- grain: one row per platform, system, interval_start, volume
-- column box VARCHAR []: Box, see volume_box
-- column box_interval_start TIMESTAMP [UTC]: interval_start of the row of box_interval that holds most of this one, see box_clock
-- columns: serial, control_unit_type, platform, system, volume, lcu, interval_start, interval_s, io_rate, wait_ms
-- columns: service_ms
-- column device_busy_ms DOUBLE [milliseconds]: Part of the service time that another system's reserve held up; NULL if no record has it
-- column exposures DOUBLE []: Base plus aliases, as models take them: 1, the base itself, where aliases are unknown (volume_interval has NULL there)
-- columns: is_hyperpav, read_ratio, is_held, is_overfull, utc_offset_s
-- note: See box_volume_interval, which is made of it.
SELECT
    h.box, c.box_interval_start, h.serial, h.control_unit_type, v.platform, v.system, v.volume, v.lcu, v.interval_start,
    v.interval_s, v.io_rate, v.wait_ms, v.service_ms, v.device_busy_ms,
    coalesce(v.exposures, 1) AS exposures,
    v.is_hyperpav, v.read_ratio,
    {{ is_held("u", "v") }} AS is_held,
    coalesce(u.is_overfull, FALSE) AS is_overfull,
    v.utc_offset_s
FROM volume_interval v
{{ join_home("v") }}
{{ join_clock("v") }}
LEFT JOIN unfit_interval u ON {{ equal("platform, system, volume, interval_start", "u", "v") }}
WHERE c.is_main AND v.io_rate > 0 AND v.service_ms > 0 AND {{ takes_aliases("v.device_type") }}
