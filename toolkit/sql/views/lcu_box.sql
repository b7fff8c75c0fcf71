-- title: The last known box of the volumes of an LCU
-- grain: one row per platform, system, lcu
-- columns: platform, system, lcu
-- column box VARCHAR []: Box, see volume_box, where its volumes are last; the last by name where they are in several
-- columns: serial, control_unit_type
-- column lcus_in_box BIGINT []: LCUs of this system in the box
SELECT
    *,
    count(*) OVER (PARTITION BY platform, system, box) AS lcus_in_box
FROM (
    SELECT
        platform, system, lcu,
        {{ each("max(NAME)", "box serial control_unit_type") }}
    FROM volume_box
    WHERE lcu IS NOT NULL AND year(until) = 9999
    GROUP BY platform, system, lcu
) AS home
