-- view: volume_box
-- layer: derived
-- title: The box a volume is in: the one place that decides it
-- grain: one row per platform, system, volume
-- column platform VARCHAR []: Operating system that measured
-- column system VARCHAR []: System id
-- column volume VARCHAR []: Volume as in volume_interval
-- column box VARCHAR []: Name of the box: as in box_subsystem; LCU and its number where no cache record names a subsystem; the system where there is no LCU either
-- column serial VARCHAR []: Serial number of the box as recorded; NULL where no record tells it
-- column control_unit_type VARCHAR []: Machine type and model of the box; NULL where no record tells it
-- column subsystem VARCHAR []: Subsystem id (SSID), from the cache statistics
-- column lcu VARCHAR []: Logical control unit of the base on this system
-- note: Volumes of the same serial are one volume: what one system's records tell of its box holds for all systems.
WITH place AS (
    SELECT platform, system, volume, max(volser) AS volser, max(subsystem) AS subsystem, max(lcu) AS lcu
    FROM volume_interval
    GROUP BY platform, system, volume
),
shared AS (
    SELECT volser, max(subsystem) AS subsystem, min(lcu) AS lcu, min(system) AS system
    FROM place
    WHERE volser IS NOT NULL
    GROUP BY volser
),
told AS (
    SELECT
        p.platform,
        p.system,
        p.volume,
        coalesce(s.subsystem, p.subsystem) AS subsystem,
        p.lcu,
        coalesce(s.lcu, p.lcu) AS box_lcu,
        coalesce(s.system, p.system) AS box_system
    FROM place p
    LEFT JOIN shared s ON s.volser = p.volser
)
SELECT
    t.platform,
    t.system,
    t.volume,
    coalesce(b.box, 'LCU ' || t.box_lcu, t.box_system) AS box,
    b.serial,
    b.control_unit_type,
    t.subsystem,
    t.lcu
FROM told t
LEFT JOIN box_subsystem b ON b.subsystem = t.subsystem
