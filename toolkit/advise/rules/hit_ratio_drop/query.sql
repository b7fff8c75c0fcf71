-- question: hit_ratio_drop
-- title: Hours in which a box had fewer read hits than in the same hour of the days before
-- grain: one row per box, local_start
-- parameter $days DOUBLE [days]: Of history at least
-- parameter $drop_ratio DOUBLE [ratio]: Read hits lost
-- parameter $poor_ratio DOUBLE [ratio]: Read hits over reads of a volume that reads past the cache
-- parameter $poor_disc DOUBLE [ratio]: Its disconnect over response
-- column box VARCHAR []: Name of the box: its serial number without leading zeros, the subsystem id where no record tells it
-- column serial VARCHAR []: Serial number of the box as recorded; NULL where no record tells it
-- column control_unit_type VARCHAR []: Machine type and model of the box; NULL where no record tells it
-- column local_start TIMESTAMP [local time]: Start of the first interval of the hour
-- column local_end TIMESTAMP [local time]: End of its last interval
-- column reads DOUBLE [I/Os]: Reads, those over zHyperLink too
-- column hit_ratio DOUBLE [ratio 0..1]: Read hits over reads in this hour
-- column usual_ratio DOUBLE [ratio 0..1]: Median of the same hour on so many days before
-- column days BIGINT []: Days before with this hour that were looked at
-- column window_start TIMESTAMP [local time]: Start of the run of such hours that lost most hits
-- column window_end TIMESTAMP [local time]: End of that run
-- column longest_s DOUBLE [s]: Most bad seconds in a run
-- column runs BIGINT []: Runs of such hours
-- column last_end TIMESTAMP [local time]: End of the last of them
-- column poor_volumes VARCHAR []: Volumes that read past the cache then and at no other time, separated by |
-- column poor_else BIGINT []: Most volumes that read past the cache at once at other times
-- note: The last days before each hour are its history, as many as are asked for and no more: however long the lake is, an hour is judged by the same days.
WITH over_link AS (
    -- what goes over zHyperLink has hit, and is missing in the cache statistics of normal I/O
    SELECT
        b.box, v.volser,
        CAST(v.local_start AS DATE) AS day,
        hour(v.local_start) AS hour_of_day,
        sum(v.sync_read_rate * v.interval_s) AS reads
    FROM volume_interval v
    /* box_subsystem b of v then */
    WHERE v.sync_read_rate > 0
    GROUP BY b.box, v.volser, CAST(v.local_start AS DATE), hour(v.local_start)
),
over_link_of_box AS (
    SELECT box, day, hour_of_day, sum(reads) AS reads FROM over_link GROUP BY box, day, hour_of_day
),
normal AS (
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
    /* box_subsystem b of c then */
    WHERE c.read_count > 0
    GROUP BY b.box, CAST(c.local_start AS DATE), hour(c.local_start)
),
hourly AS (
    SELECT
        n.box, n.serial, n.control_unit_type, n.day, n.hour_of_day, n.local_start, n.local_end,
        n.reads + coalesce(o.reads, 0) AS reads,
        n.hits + coalesce(o.reads, 0) AS hits
    FROM normal n
    LEFT JOIN over_link_of_box o ON o.box = n.box AND o.day = n.day AND o.hour_of_day = n.hour_of_day
),
normal_volume AS (
    SELECT
        b.box, c.volser,
        CAST(c.local_start AS DATE) AS day,
        hour(c.local_start) AS hour_of_day,
        -- a cache report has no counts of a volume
        sum(coalesce(c.read_count, c.read_rate * c.interval_s)) AS reads,
        sum(coalesce(c.read_hit_count, c.read_rate * c.interval_s * c.read_hit_ratio)) AS hits
    FROM cache_interval c
    /* box_subsystem b of c then */
    WHERE coalesce(c.read_count, c.read_rate) > 0
    GROUP BY b.box, c.volser, CAST(c.local_start AS DATE), hour(c.local_start)
),
each_volume AS (
    SELECT
        n.box, n.volser, n.day, n.hour_of_day,
        n.reads + coalesce(o.reads, 0) AS reads,
        n.hits + coalesce(o.reads, 0) AS hits
    FROM normal_volume n
    LEFT JOIN over_link o
        ON o.box = n.box AND o.volser = n.volser AND o.day = n.day AND o.hour_of_day = n.hour_of_day
),
poorest AS (
    SELECT
        box, day, hour_of_day, reads, hits,
        row_number() OVER (PARTITION BY box, day, hour_of_day ORDER BY reads - hits DESC, volser) AS place
    FROM each_volume
),
numbered AS (
    SELECT h.*, row_number() OVER (PARTITION BY box, hour_of_day ORDER BY day) AS place FROM hourly h
),
compared AS (
    SELECT
        h.box, h.serial, h.control_unit_type, h.local_start, h.local_end, h.reads,
        h.hits / h.reads AS hit_ratio,
        (h.hits - w.hits) / nullif(h.reads - w.reads, 0) AS others_ratio,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY p.hits / p.reads) AS usual_ratio,
        count(*) AS days
    FROM numbered h
    JOIN numbered p
        ON p.box = h.box AND p.hour_of_day = h.hour_of_day AND p.place < h.place AND p.place >= h.place - $days
    LEFT JOIN poorest w ON w.box = h.box AND w.day = h.day AND w.hour_of_day = h.hour_of_day AND w.place = 1
    GROUP BY h.box, h.serial, h.control_unit_type, h.local_start, h.local_end, h.reads, h.hits, w.hits, w.reads
),
bad AS (
    SELECT *, (usual_ratio - hit_ratio) * reads AS lost
    FROM compared
    -- one volume alone that reads past the cache is no drop of the box: low_hit_ratio names it
    WHERE days >= $days AND hit_ratio <= usual_ratio - $drop_ratio
        AND coalesce(others_ratio, hit_ratio) <= usual_ratio - $drop_ratio
),
worst AS (/* worst run of bad by box */),
/* poor volumes around bad */
SELECT
    b.box, b.serial, b.control_unit_type, b.local_start, b.local_end, b.reads, b.hit_ratio, b.usual_ratio, b.days,
    w.window_start, w.window_end, w.longest_s, w.runs, w.last_end, p.poor_volumes, e.poor_else
FROM bad b
JOIN worst w ON w.box = b.box
LEFT JOIN poor_volume p ON p.box = b.box
LEFT JOIN poor_else e ON e.box = b.box
ORDER BY b.box, b.local_start
