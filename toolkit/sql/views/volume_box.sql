-- view: volume_box
-- layer: derived
-- title: The box a volume is in: the one place that decides it
-- grain: one row per platform, system, volume, since
-- columns: platform, system, volume
-- column since TIMESTAMP [UTC]: From when on it is or was there; 1900 where it was nowhere else before
-- columns: until
-- column box VARCHAR []: Name of the box: as in box_subsystem; LCU and its number where no cache record names a subsystem; the system where there is no LCU either
-- column serial VARCHAR []: Serial number of the box as recorded; NULL if no record has it
-- column control_unit_type VARCHAR []: Machine type and model of the box; NULL if no record has it
-- columns: subsystem
-- column lcu VARCHAR []: Logical control unit of the base on this system
-- column assumed_offset_s INTEGER [s]: Local time minus UTC that a listing is taken to have that has none, see box_volume_part
-- column disk VARCHAR []: What systems share, see box_volume_part
-- column duplicates VARCHAR []: Where the disks of that serial are, see box_volume_part; NULL where it is one
-- column own_clock BOOLEAN []: The box is named after the system, whose listing has no offset from UTC, see box_volume_part
SELECT
    platform,
    system,
    volume,
    box_since AS since,
    box_until AS until,
    box,
    max(serial) AS serial,
    max(box_control_unit_type) AS control_unit_type,
    max(box_subsystem) AS subsystem,
    max(box_lcu) AS lcu,
    max(assumed_offset_s) AS assumed_offset_s,
    max(disk) AS disk,
    max(duplicates) AS duplicates,
    bool_or(own_clock) AS own_clock
FROM box_volume_part
GROUP BY platform, system, volume, box_since, box_until, box
