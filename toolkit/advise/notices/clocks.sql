-- title: Systems whose listings have no UTC offset although other systems of their boxes have one
-- grain: one row per platform, system
SELECT
    platform,
    system,
    CASE WHEN max(own_box) IS NULL THEN 'assumed' ELSE 'own' END AS kind,
    max(assumed_offset_s) AS assumed_offset_s,
    array_join(sort_array(collect_list(own_box)), '|') AS boxes
FROM (
    SELECT DISTINCT platform, system, assumed_offset_s, CASE WHEN own_clock THEN box END AS own_box
    FROM volume_box
    WHERE assumed_offset_s IS NOT NULL OR own_clock
) AS clock
GROUP BY platform, system
ORDER BY platform DESC, system
