-- question: twins
-- title: Volume serials that systems name in several subsystems at once
-- grain: one row
-- column volumes BIGINT []: Such serials
-- column volume VARCHAR []: The first of them by name; NULL where there is none, as all that follow
-- column first_subsystem VARCHAR []: Subsystem ids (SSID) it stands in: the first by name
-- column last_subsystem VARCHAR []: The last
-- column first_system VARCHAR []: A system that names the first one
-- column last_system VARCHAR []: One that names the last one
-- note: In most of the hours in which two systems name a subsystem of it: a volume that moves stands in two for an hour.
WITH hour_of_system AS (
    SELECT
        volser, system, floor(unix_micros(interval_start) / 3.6e9) AS in_hour,
        min(subsystem) AS subsystem
    FROM volume_interval
    WHERE volser IS NOT NULL AND subsystem IS NOT NULL AND io_rate > 0
    GROUP BY volser, system, floor(unix_micros(interval_start) / 3.6e9)
    -- one that moves within the hour tells nothing
    HAVING min(subsystem) = max(subsystem)
),
hour_of_volume AS (
    SELECT volser, in_hour, min(subsystem) AS first_subsystem, max(subsystem) AS last_subsystem
    FROM hour_of_system
    GROUP BY volser, in_hour
    HAVING count(*) > 1
),
twin AS (
    SELECT volser, min(first_subsystem) AS first_subsystem, max(last_subsystem) AS last_subsystem
    FROM hour_of_volume
    GROUP BY volser
    HAVING 2 * sum(CASE WHEN first_subsystem <> last_subsystem THEN 1 ELSE 0 END) > count(*)
),
first_twin AS (
    SELECT count(*) AS volumes, min(volser) AS volser FROM twin
)
SELECT
    f.volumes,
    f.volser AS volume,
    max(t.first_subsystem) AS first_subsystem,
    max(t.last_subsystem) AS last_subsystem,
    min(CASE WHEN h.subsystem = t.first_subsystem THEN h.system END) AS first_system,
    min(CASE WHEN h.subsystem = t.last_subsystem THEN h.system END) AS last_system
FROM first_twin f
LEFT JOIN twin t ON t.volser = f.volser
LEFT JOIN hour_of_system h ON h.volser = f.volser
GROUP BY f.volumes, f.volser
