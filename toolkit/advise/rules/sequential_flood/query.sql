-- question: sequential_flood
-- title: Intervals in which sequential staging floods a box's cache
-- grain: one row per box, local_start
-- parameter $sequential_ratio DOUBLE [ratio]: Of a volume's requests that are sequential
-- parameter $stage_rate DOUBLE [tracks/s]: Staged by sequential work
-- parameter $stage_factor DOUBLE []: Times the usual staging
-- parameter $hit_loss DOUBLE [ratio]: Read hits lost by the others
-- column box VARCHAR []: Name of the box: its serial number without leading zeros, the subsystem id where no record tells it
-- column serial VARCHAR []: Serial number of the box as recorded; NULL where no record tells it
-- column control_unit_type VARCHAR []: Machine type and model of the box; NULL where no record tells it
-- column local_start TIMESTAMP [local time]: Start of the interval by the system's clock; as interval_start where its offset is unknown
-- column local_end TIMESTAMP [local time]: End of the interval by the same clock
-- column flood_rate DOUBLE [per second]: Tracks staged by volumes in sequential use
-- column usual_rate DOUBLE [per second]: Tracks staged sequentially, median of all intervals
-- column reads DOUBLE [I/Os]: Reads of all other volumes
-- column hit_ratio DOUBLE [ratio 0..1]: Read hits over reads of all other volumes
-- column usual_ratio DOUBLE [ratio 0..1]: Read hits over reads of all other volumes, median of all intervals
-- column intervals BIGINT []: Intervals measured
-- column volumes VARCHAR []: Volumes in sequential use that stage much, separated by |
-- column waiting VARCHAR []: Volumes that wait in the host mostly then, separated by |
-- column waiting_on VARCHAR []: The system that sees each of them, separated by |
-- note: What volumes in sequential use stage, and what reads of all others hit.
WITH volume AS (
    SELECT
        b.box, b.serial, b.control_unit_type, a.box_interval_start, c.*,
        c.sequential_ratio >= $sequential_ratio AS floods,
        c.sequential_stage_rate * c.interval_s / a.box_interval_s AS staged_rate
    FROM cache_interval c
    JOIN box_subsystem b ON b.subsystem = c.subsystem
    JOIN cache_box_alignment a
        ON a.platform = c.platform AND a.system = c.system AND a.subsystem = c.subsystem
        AND a.interval_start = c.interval_start
    WHERE c.read_count + c.write_count > 0
),
flooded AS (
    SELECT
        box,
        min(local_start) AS local_start,
        max(serial) AS serial,
        max(control_unit_type) AS control_unit_type,
        max(local_end) AS local_end,
        sum(staged_rate) AS staged_rate,
        sum(CASE WHEN floods THEN staged_rate ELSE 0 END) AS flood_rate,
        sum(CASE WHEN NOT floods THEN read_count END) AS reads,
        sum(CASE WHEN NOT floods THEN read_hit_count END) AS hits,
        string_agg(DISTINCT CASE WHEN floods AND sequential_stage_rate >= $stage_rate THEN volser END, '|') AS volumes
    FROM volume
    GROUP BY box, box_interval_start
),
usual AS (
    SELECT
        box,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY staged_rate) AS usual_rate,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY hits / nullif(reads, 0)) AS usual_ratio,
        count(*) AS intervals
    FROM flooded
    GROUP BY box
),
flood AS (
    SELECT f.*, f.hits / nullif(f.reads, 0) AS hit_ratio, u.usual_rate, u.usual_ratio, u.intervals
    FROM flooded f
    JOIN usual u ON u.box = f.box
    WHERE f.flood_rate >= $stage_rate AND f.flood_rate >= $stage_factor * u.usual_rate
        AND f.hits / nullif(f.reads, 0) <= u.usual_ratio - $hit_loss
),
queue AS (
    SELECT
        b.box, v.volume, v.system,
        sum(v.queue_length) AS queued,
        sum(CASE WHEN f.box IS NOT NULL THEN v.queue_length END) AS queued_then,
        max(CASE WHEN f.box IS NULL THEN v.queue_length END) AS queue_else
    FROM volume_interval v
    JOIN volume_box b ON b.platform = v.platform AND b.system = v.system AND b.volume = v.volume
    LEFT JOIN flood f ON f.box = b.box AND v.local_start < f.local_end AND v.local_end > f.local_start
    GROUP BY b.box, v.volume, v.system
),
waiting AS (
    SELECT
        box,
        string_agg(volume, '|' ORDER BY volume, system) AS waiting,
        string_agg(system, '|' ORDER BY volume, system) AS waiting_on
    FROM queue
    -- a queue at other times, of the length that pav_add_alias looks for, has another cause
    WHERE queued > 0 AND queued_then >= 0.5 * queued AND coalesce(queue_else, 0) < 0.5
    GROUP BY box
)
SELECT
    f.box, f.serial, f.control_unit_type, f.local_start, f.local_end, f.flood_rate, f.usual_rate, f.reads, f.hit_ratio,
    f.usual_ratio, f.intervals, f.volumes, w.waiting, w.waiting_on
FROM flood f
LEFT JOIN waiting w ON w.box = f.box
ORDER BY f.box, f.local_start
