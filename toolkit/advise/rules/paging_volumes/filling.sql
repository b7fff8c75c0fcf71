-- question: paging_volumes_filling
-- title: Page space that is full in some days if it fills as in the last one
-- grain: one row per platform, system
-- column filling_s DOUBLE [s]: Length of the last day of the data, or what there is of it
-- column left_s DOUBLE [s]: Until the most of that day is all of it, at the pace of that day
WITH space AS (
    SELECT
        platform, system, interval_start, max(local_end) AS local_end,
        {{ mean_of("used_ratio", "coalesce(slots, 1)") }} AS used_ratio
    FROM paging_volume_interval
    WHERE upper(area) LIKE 'PAG%' AND coalesce(page_data_set_type, 'LOCAL') = 'LOCAL'
    GROUP BY platform, system, interval_start
),
day AS ({{ filling("space", "platform, system") }})
SELECT platform, system, filling_s, (1 - day_ratio) / (used_ratio - usual_ratio) * filling_s AS left_s
FROM day
WHERE used_ratio > usual_ratio AND day_ratio = fullest_ratio
    AND (1 - day_ratio) / (used_ratio - usual_ratio) * filling_s <= 86400 * $soon
ORDER BY platform, system
