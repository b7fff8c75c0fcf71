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
-- column box_interval_start TIMESTAMP [UTC]: Start of the box's interval; NULL where a row has no length
-- column box_interval_s DOUBLE [s]: Length of the box's interval
-- column measured_s DOUBLE [s]: Seconds that the system measured in the box's interval: what its I/Os there are divided by
-- column share_ratio DOUBLE [ratio 0..1]: Part of the system's interval that lies in the box's; all parts of an interval add up to 1
-- column is_main BOOLEAN []: The box's interval that holds most of the system's: where a row belongs as a whole
-- column is_whole BOOLEAN []: As in box_clock
-- column platform VARCHAR []: Operating system that measured
-- column system VARCHAR []: System id
-- column interval_start TIMESTAMP [UTC]: Start of the measured interval
-- column interval_s DOUBLE [s]: Length of the measured interval
-- column volume VARCHAR []: Volume serial, else the base device
-- column volser VARCHAR []: Volume serial; NULL if none
-- column lcu VARCHAR []: Logical control unit of the base
-- column utc_offset_s INTEGER [s]: Local time minus UTC, as recorded
-- column assumed_offset_s INTEGER [s]: Local time minus UTC that a listing is taken to have without one, in the box's intervals: that of the systems with which it shares a box, where it covers the same hours of local time as theirs
-- column own_clock BOOLEAN []: The listing has no offset, other systems of the box do, and the hours they cover don't show it: the box is named once more, after the system, and what it holds is added to nothing
-- column disk VARCHAR []: What systems share: the volume serial; where systems name that in several subsystems at once, the serial in one of them (VOL001 in 2000), or of a system alone whose disk is unknown (VOL001 of SYSC); NULL where there is no serial
-- column twins VARCHAR []: Subsystem ids of several disks of that serial, each by a system whose cache statistics say so, separated by |; NULL where it is one disk
-- column is_apart BOOLEAN []: Such a row of a volume that other systems measured: it is no part of shared_volume_interval
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
    h.twins,
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
