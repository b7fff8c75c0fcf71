-- title: The box of each volume
-- grain: one row per platform, system, volume, since
-- columns: platform, system, volume
-- column since TIMESTAMP [UTC]: Start of its time there; 1900 if it has no previous location
-- columns: until
-- column box VARCHAR []: Name of the box: as in box_subsystem; LCU and its number where no cache record names a subsystem; the system where there is no LCU either
-- columns: serial, control_unit_type, subsystem, lcu, assumed_offset_s, disk, duplicates, own_clock
WITH stay AS (
    SELECT *, count(*) OVER (PARTITION BY platform, system, volume) AS stays FROM volume_home
),
-- which of several it was measured in
measured AS (
    SELECT DISTINCT s.platform, s.system, s.volume, s.since
    FROM _volume_hour v
    JOIN stay s
        ON s.platform = v.platform AND s.system = v.system AND s.volume = v.volume AND s.stays > 1
        AND v.first_us < unix_micros(s.until) AND v.last_us >= unix_micros(s.since)
)
SELECT s.*
FROM stay s
LEFT JOIN measured m ON {{ equal("platform, system, volume, since", "m", "s") }}
WHERE s.stays = 1 OR m.volume IS NOT NULL
