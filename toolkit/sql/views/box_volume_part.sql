-- view: box_volume_part
-- layer: derived
-- title: The box of every volume, and the intervals of the box that its measurements belong to
-- grain: one row per box_interval_start, platform, system, interval_start, volume
-- column box VARCHAR []: Name of the box: as in box_subsystem; LCU and its number where no cache record names a subsystem; the system where there is no LCU either
-- column serial VARCHAR []: Serial number of the box as recorded; NULL if no record has it
-- column box_control_unit_type VARCHAR []: Machine type and model of the box; NULL if no record has it
-- column box_subsystem VARCHAR []: Subsystem id (SSID) that says so
-- column box_lcu VARCHAR []: LCU of the volume on this system then, as recorded nearest in time
-- column box_since TIMESTAMP [UTC]: From when on the volume was there; 1900 where it was nowhere else before
-- column box_until TIMESTAMP [UTC]: Until when; 9999 where it is there last
-- columns: box_interval_start, box_interval_s, measured_s, share_ratio, is_main
-- column is_whole BOOLEAN []: As in box_clock
-- columns: platform, system, interval_start, interval_s
-- column volume VARCHAR []: Volume serial; without one the base device
-- columns: volser
-- column lcu VARCHAR []: Logical control unit of the base
-- columns: utc_offset_s, assumed_offset_s, own_clock, disk, duplicates, is_apart
-- note: Which box a volume is in stands in volume_home, what the same interval is in box_clock. What was measured stands in volume_interval under the same keys.
WITH length AS (
    SELECT platform, system, interval_start, max(longest_s) AS longest_s
    FROM _volume_clock
    GROUP BY platform, system, interval_start
)
SELECT
    h.box,
    h.serial,
    h.control_unit_type AS box_control_unit_type,
    h.subsystem AS box_subsystem,
    h.lcu AS box_lcu,
    h.since AS box_since,
    h.until AS box_until,
    c.box_interval_start,
    c.box_interval_s,
    c.measured_s,
    c.share_ratio,
    c.is_main,
    c.is_whole,
    v.platform, v.system, v.interval_start, v.interval_s, v.volume, v.volser, v.lcu, v.utc_offset_s,
    h.assumed_offset_s,
    h.own_clock,
    h.disk,
    h.duplicates,
    h.is_apart
FROM volume_interval v
JOIN length t ON t.platform = v.platform AND t.system = v.system AND t.interval_start = v.interval_start
JOIN volume_home h
    ON h.platform = v.platform AND h.system = v.system AND h.volume = v.volume
    AND h.since <= v.interval_start AND v.interval_start < h.until
LEFT JOIN box_clock c
    ON c.box = h.box
    AND c.platform = v.platform
    AND c.system = v.system
    AND c.interval_start = v.interval_start
    AND c.is_shorter = (1.5 * v.interval_s < t.longest_s)
