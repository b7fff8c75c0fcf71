-- question: volumes_moved
-- title: Where each volume was, from when to when, and where it was before
-- grain: one row per platform, system, volume, lcu, box, is_hyperpav
-- column is_named BOOLEAN []: The box goes by its serial number
-- column seen_start TIMESTAMP [local time]: Start of the first interval there
-- column seen_end TIMESTAMP [local time]: End of the last interval there
-- column left_lcu VARCHAR []: LCU before; NULL where it was nowhere else or the LCU is unknown, as the one that follows
-- column left_box VARCHAR []: Box before, where both boxes go by their serial number
-- column was_hyperpav BOOLEAN []: HyperPAV base before
-- column left_end TIMESTAMP [local time]: End of the last interval in the place before
WITH place AS (
    SELECT
        v.platform, v.system, v.volume, v.lcu, b.box,
        coalesce(v.is_hyperpav, FALSE) AS is_hyperpav,
        b.serial IS NOT NULL AS is_named,
        min(v.local_start) AS seen_start,
        max(v.local_end) AS seen_end
    FROM volume_interval v
    {{ join_volume_box_then("b", "v") }}
    GROUP BY v.platform, v.system, v.volume, v.lcu, b.box, coalesce(v.is_hyperpav, FALSE), b.serial IS NOT NULL
)
SELECT
    platform, system, volume, lcu, box, is_hyperpav, is_named, seen_start, seen_end,
    lag(lcu) OVER (PARTITION BY platform, system, volume ORDER BY seen_start, seen_end) AS left_lcu,
    lag(CASE WHEN is_named THEN box END) OVER (PARTITION BY platform, system, volume ORDER BY seen_start, seen_end)
        AS left_box,
    lag(is_hyperpav) OVER (PARTITION BY platform, system, volume ORDER BY seen_start, seen_end) AS was_hyperpav,
    lag(seen_end) OVER (PARTITION BY platform, system, volume ORDER BY seen_start, seen_end) AS left_end
FROM place
ORDER BY platform, system, volume, seen_start, seen_end
