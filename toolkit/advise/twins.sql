-- question: twins
-- title: Volume serials that systems name in several subsystems at once
-- grain: one row
-- column volumes BIGINT []: Such serials
-- column volume VARCHAR []: The first of them by name; NULL where there is none, as all that follow
-- column first_subsystem VARCHAR []: Subsystem ids (SSID) it stands in: the first by name
-- column last_subsystem VARCHAR []: The last
-- column first_system VARCHAR []: A system that names the first one
-- column last_system VARCHAR []: One that names the last one
-- note: In most of its hours, as turns of boxes have it: a volume that moves stands in two for an hour.
WITH told AS (
    SELECT
        'subsystem' AS kind, volser AS subject, subsystem AS what, /* hour of interval_start */ AS in_hour,
        /* moments of an hour's intervals */
    FROM volume_interval
    WHERE volser IS NOT NULL AND subsystem IS NOT NULL AND io_rate > 0
    GROUP BY volser, subsystem, /* hour of interval_start */
),
/* turns of told */,
named AS (
    SELECT DISTINCT v.volser, v.subsystem, v.system
    FROM volume_interval v
    JOIN at_once a ON a.subject = v.volser
    WHERE v.subsystem IS NOT NULL AND v.io_rate > 0
),
twin AS (
    SELECT volser, min(subsystem) AS first_subsystem, max(subsystem) AS last_subsystem
    FROM named
    GROUP BY volser
    HAVING count(DISTINCT system) > 1
),
first_twin AS (
    SELECT count(*) AS volumes, min(volser) AS volser FROM twin
)
SELECT
    f.volumes,
    f.volser AS volume,
    max(t.first_subsystem) AS first_subsystem,
    max(t.last_subsystem) AS last_subsystem,
    min(CASE WHEN n.subsystem = t.first_subsystem THEN n.system END) AS first_system,
    min(CASE WHEN n.subsystem = t.last_subsystem THEN n.system END) AS last_system
FROM first_twin f
LEFT JOIN twin t ON t.volser = f.volser
LEFT JOIN named n ON n.volser = f.volser
GROUP BY f.volumes, f.volser
