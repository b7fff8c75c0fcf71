-- title: Intervals in which sequential staging floods a box's cache
-- grain: one row per box, local_start
-- column flood_rate DOUBLE [per second]: Tracks staged by volumes in sequential use
-- column job VARCHAR []: Job with the most I/Os on these volumes while it floods, by 42.6 records
-- note: Stage rate of volumes in sequential use, and read hits of all others.
WITH volume AS (
    SELECT
        b.box, b.serial, b.control_unit_type, a.box_interval_start, c.*,
        c.sequential_ratio >= $sequential_ratio AS floods,
        c.sequential_stage_rate * c.interval_s / a.box_interval_s AS staged_rate
    FROM cache_interval c
    {{ join_box_then("b", "c") }}
    JOIN cache_box_alignment a ON {{ equal("platform, system, subsystem, interval_start", "a", "c") }}
    WHERE c.read_count + c.write_count > 0
),
flooded AS (
    SELECT
        box,
        min(local_start) AS local_start,
        {{ each("max(NAME)", "serial control_unit_type local_end") }},
        sum(staged_rate) AS staged_rate,
        sum(CASE WHEN floods THEN staged_rate ELSE 0 END) AS flood_rate,
        sum(CASE WHEN NOT floods THEN read_count END) AS reads,
        sum(CASE WHEN NOT floods THEN read_hit_count END) AS hits,
        nullif(
            array_join(
                sort_array(collect_set(CASE WHEN floods AND staged_rate >= $stage_share * $stage_rate THEN volser END)), '|'
            ),
            ''
        ) AS volumes
    FROM volume
    GROUP BY box, box_interval_start
),
candidate AS (
    SELECT f.*, flood_rate >= $stage_rate AS is_flood, hits / nullif(reads, 0) AS hit_ratio FROM flooded f
),
compared AS (
    -- the hours around an interval in which nothing floods: as good as it gets without
    SELECT
        f.box, f.local_start,
        max(c.hit_ratio) AS usual_ratio,
        min(c.staged_rate) AS usual_rate
    FROM candidate f
    JOIN candidate c ON c.box = f.box AND NOT c.is_flood AND c.reads > 0
        AND abs(unix_micros(c.local_start) - unix_micros(f.local_start)) <= $around_hours * 3600 * 1e6
    WHERE f.is_flood
    GROUP BY f.box, f.local_start
),
flood AS (
    SELECT f.*, u.usual_rate, u.usual_ratio, (u.usual_ratio - f.hit_ratio) * f.reads AS lost
    FROM candidate f
    JOIN compared u ON u.box = f.box AND u.local_start = f.local_start
    WHERE f.is_flood AND f.flood_rate >= $stage_factor * u.usual_rate AND f.hit_ratio <= u.usual_ratio - $drop_ratio
),
job_io AS (
    SELECT f.box, d.job, sum(d.io_count) AS ios
    FROM flood f
    JOIN volume v ON v.box = f.box AND v.floods AND v.local_start = f.local_start
    JOIN dataset_interval d ON d.volser = v.volser AND d.local_start < f.local_end AND d.local_end > f.local_start
    WHERE d.job IS NOT NULL
    GROUP BY f.box, d.job
),
flooder AS (
    SELECT box, max_by(job, name_order(ios, job)) AS job FROM job_io GROUP BY box
),
{{ poor_volumes_around("flood") }},
{{ waiting_only_then("flood", "flood", "v.local_start < i.local_end AND v.local_end > i.local_start") }},
{% call incident("flood", "box", is_select=true) %}
    SELECT
        box, serial, control_unit_type, local_start, local_end, flood_rate, usual_rate, reads, hit_ratio, usual_ratio, volumes, waiting,
        waiting_on, poor_volumes, poor_else, job
    FROM flood
    LEFT JOIN flooder USING (box)
    LEFT JOIN waiting USING (box)
    LEFT JOIN poor_volume USING (box)
    LEFT JOIN poor_else USING (box)
{% endcall %}
ORDER BY a.box, a.local_start
