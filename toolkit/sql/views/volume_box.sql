-- view: volume_box
-- layer: derived
-- title: The box of each volume
-- grain: one row per platform, system, volume, since
-- columns: platform, system, volume
-- column since TIMESTAMP [UTC]: Start of its time there; 1900 if it has no previous location
-- columns: until
-- column box VARCHAR []: Name of the box: as in box_subsystem; LCU and its number where no cache record names a subsystem; the system where there is no LCU either
-- columns: serial, control_unit_type, subsystem, lcu, assumed_offset_s, disk, duplicates, own_clock
SELECT DISTINCT h.*
FROM volume_home h
-- only where it was measured meanwhile
JOIN _volume_hour v
    ON v.platform = h.platform AND v.system = h.system AND v.volume = h.volume
    AND v.first_us < unix_micros(h.until) AND v.last_us >= unix_micros(h.since)
