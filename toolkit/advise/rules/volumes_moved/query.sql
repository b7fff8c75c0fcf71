-- question: volumes_moved
-- title: Where each volume was, and from when to when
-- grain: one row per platform, system, volume, lcu, box, is_hyperpav
-- column is_named BOOLEAN []: The box goes by its serial number
-- column seen_start TIMESTAMP [local time]: Start of the first interval there
-- column seen_end TIMESTAMP [local time]: End of the last interval there
SELECT
    v.platform, v.system, v.volume, v.lcu, b.box,
    coalesce(v.is_hyperpav, FALSE) AS is_hyperpav,
    b.serial IS NOT NULL AS is_named,
    min(v.local_start) AS seen_start,
    max(v.local_end) AS seen_end
FROM volume_interval v
{{ join_volume_box_then("b", "v") }}
GROUP BY v.platform, v.system, v.volume, v.lcu, b.box, coalesce(v.is_hyperpav, FALSE), b.serial IS NOT NULL
ORDER BY v.platform, v.system, v.volume, min(v.local_start), max(v.local_end)
