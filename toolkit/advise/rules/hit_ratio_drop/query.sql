-- question: hit_ratio_drop
-- title: Hours of a box's last day with fewer read hits than the same hour on earlier days
-- grain: one row per box, local_start
-- parameter $days DOUBLE [days]: Of history at least
-- parameter $drop_ratio DOUBLE [ratio]: Read hits lost
-- column box VARCHAR []: Name of the box: its serial number without leading zeros, the subsystem id where no record tells it
-- column serial VARCHAR []: Serial number of the box as recorded; NULL where no record tells it
-- column control_unit_type VARCHAR []: Machine type and model of the box; NULL where no record tells it
-- column local_start TIMESTAMP [local time]: Start of the first interval of the hour
-- column local_end TIMESTAMP [local time]: End of its last interval
-- column reads DOUBLE [I/Os]: Reads
-- column hit_ratio DOUBLE [ratio 0..1]: Read hits over reads in this hour
-- column usual_ratio DOUBLE [ratio 0..1]: Median of the same hour on earlier days
-- column days BIGINT []: Earlier days with this hour
-- note: Each hour of the box's last day, beside the median of the same hour on earlier days.
WITH hourly AS (
    SELECT
        b.box,
        max(b.serial) AS serial,
        max(b.control_unit_type) AS control_unit_type,
        CAST(c.local_start AS DATE) AS day,
        hour(c.local_start) AS hour_of_day,
        sum(c.read_count) AS reads,
        sum(c.read_hit_count) AS hits,
        min(c.local_start) AS local_start,
        max(c.local_end) AS local_end
    FROM cache_subsystem_interval c
    JOIN box_subsystem b ON b.subsystem = c.subsystem
    WHERE c.read_count > 0
    GROUP BY b.box, CAST(c.local_start AS DATE), hour(c.local_start)
),
last_day AS (
    SELECT box, max(day) AS day FROM hourly GROUP BY box
),
past AS (
    SELECT
        h.box, h.hour_of_day,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY h.hits / h.reads) AS usual_ratio,
        count(DISTINCT h.day) AS days
    FROM hourly h
    JOIN last_day l ON l.box = h.box
    WHERE h.day < l.day
    GROUP BY h.box, h.hour_of_day
)
SELECT
    h.box, h.serial, h.control_unit_type, h.local_start, h.local_end, h.reads,
    h.hits / h.reads AS hit_ratio,
    p.usual_ratio, p.days
FROM hourly h
JOIN last_day l ON l.box = h.box AND l.day = h.day
JOIN past p ON p.box = h.box AND p.hour_of_day = h.hour_of_day
WHERE p.days >= $days AND h.hits / h.reads <= p.usual_ratio - $drop_ratio
ORDER BY h.box, h.local_start
