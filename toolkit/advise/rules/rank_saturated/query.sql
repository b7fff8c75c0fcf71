-- question: rank_saturated
-- title: Ranks and extent pools whose reads from disk take far longer than in their best intervals
-- grain: one row per box, unit
-- parameter $read_rate DOUBLE [per s]: Reads from its disks
-- parameter $above_factor DOUBLE []: Times its best intervals
-- parameter $above_ms DOUBLE [ms]: Above its best intervals
-- parameter $always_ms DOUBLE [ms]: Slow whatever its best intervals were
-- parameter $deep_share DOUBLE [ratio]: Lost of the time of a read in an interval that counts by its depth
-- column is_rank BOOLEAN []: It is a rank; else an extent pool of unknown ranks
-- column drives VARCHAR []: Class of its drives and kind of array; NULL if unknown
-- column as_busy_quick BIGINT []: Intervals that were not bad, with as many reads and nine tenths of the writes and bytes as the bad ones in the mean
-- column quick_ms DOUBLE [milliseconds]: Mean time of a read in these
-- column usual_rate DOUBLE [per second]: The same at the same hours of the day when it was not bad
-- column grown_system VARCHAR []: System whose I/Os there grew most
-- column system_rate DOUBLE [per second]: Its I/Os there then
-- column system_usual_rate DOUBLE [per second]: The same at the same hours when it was not bad; 0 where none was measured
-- column grown_volume VARCHAR []: Volume whose I/Os grew most
-- column volume_rate DOUBLE [per second]: Its I/Os then
-- column volume_usual_rate DOUBLE [per second]: The same at the same hours when it was not bad
WITH seen AS (
    SELECT
        box, rank AS unit, TRUE AS is_rank, extent_pool, drive_class || ' ' || coalesce(raid_type, '') AS drives,
        is_degraded, is_throttled, interval_start, interval_s, local_start, local_end, read_rate, read_ms, write_rate,
        read_bytes_rate + write_bytes_rate AS bytes_rate
    FROM rank_interval
    UNION ALL
    SELECT
        p.box, p.extent_pool AS unit, FALSE AS is_rank, p.extent_pool, NULL AS drives, NULL AS is_degraded,
        NULL AS is_throttled, p.interval_start, p.interval_s, p.local_start, p.local_end, p.read_rate, p.read_ms,
        p.write_rate, p.read_bytes_rate + p.write_bytes_rate AS bytes_rate
    FROM extent_pool_interval p
    LEFT JOIN (SELECT DISTINCT box, extent_pool FROM rank_interval) r
        ON r.box = p.box AND r.extent_pool = p.extent_pool
    WHERE r.box IS NULL
),
measured AS (
    SELECT * FROM seen WHERE {{ has_enough_io("read_rate", "$read_rate", "read_ms") }} AND read_ms IS NOT NULL
),
steady AS (
    SELECT * FROM measured WHERE read_rate >= $read_rate
),
best AS (
    {{ best_of("read_ms", "steady", "box, unit, is_rank") }}
),
bad AS (
    SELECT
        m.*,
        least(b.best_ms, $always_ms / $above_factor) AS best_ms,
        m.read_rate * (m.read_ms - least(b.best_ms, $always_ms / $above_factor)) * m.interval_s / 1000 AS lost
    FROM measured m
    JOIN best b ON b.box = m.box AND b.unit = m.unit AND b.is_rank = m.is_rank
    WHERE m.read_ms >= $always_ms
        OR (m.read_ms >= $above_factor * b.best_ms AND m.read_ms >= b.best_ms + $above_ms)
),
total AS (
    SELECT
        box, unit, is_rank,
        max(extent_pool) AS extent_pool,
        max(drives) AS drives,
        bool_or(is_degraded) AS is_degraded,
        bool_or(is_throttled) AS is_throttled,
        sum(read_rate * read_ms) / sum(read_rate) AS read_ms,
        max(read_ms) AS peak_ms,
        min(best_ms) AS best_ms,
        avg(read_rate) AS read_rate,
        avg(write_rate) AS write_rate,
        avg(bytes_rate) AS bytes_rate,
        sum(lost) AS lost_s
    FROM bad
    GROUP BY box, unit, is_rank
),
compared AS (
    SELECT m.*, b.box IS NOT NULL AS is_bad
    FROM measured m
    LEFT JOIN bad b
        ON b.box = m.box AND b.unit = m.unit AND b.is_rank = m.is_rank AND b.interval_start = m.interval_start
),
quick AS (
    SELECT
        t.box, t.unit, t.is_rank,
        count(*) AS as_busy_quick,
        sum(c.read_rate * c.read_ms) / sum(c.read_rate) AS quick_ms
    FROM total t
    JOIN compared c
        ON c.box = t.box AND c.unit = t.unit AND c.is_rank = t.is_rank AND NOT c.is_bad
        AND c.read_rate >= t.read_rate
        AND coalesce(c.write_rate, 0) >= 0.9 * coalesce(t.write_rate, 0)
        -- bytes that aren't recorded contradict nothing
        AND coalesce(c.bytes_rate >= 0.9 * t.bytes_rate, TRUE)
    GROUP BY t.box, t.unit, t.is_rank
),
-- who works there then, and who did at the same hours of the day when it was not bad
hours AS (
    SELECT DISTINCT box, unit, is_rank, hour(local_start) AS hour_of_day FROM bad
),
looked AS (
    SELECT c.*
    FROM compared c
    JOIN hours h
        ON h.box = c.box AND h.unit = c.unit AND h.is_rank = c.is_rank AND h.hour_of_day = hour(c.local_start)
),
reach AS (
    SELECT box, unit, is_rank, extent_pool, is_bad, interval_start, interval_s,
        {{ hour_of("interval_start") }} AS slot
    FROM looked
    UNION
    SELECT box, unit, is_rank, extent_pool, is_bad, interval_start, interval_s,
        floor((unix_micros(interval_start) + 1e6 * interval_s) / 3.6e9) AS slot
    FROM looked
),
work AS (
    SELECT
        s.box, v.extent_pool, v.system, v.volume,
        v.io_rate * v.interval_s AS ios,
        unix_micros(v.interval_start) + 5e5 * v.interval_s AS middle_us
    FROM volume_interval v
    {{ join_box_then("s", "v") }}
    WHERE v.io_rate > 0
),
spent AS (
    SELECT
        box, unit, is_rank,
        sum(CASE WHEN is_bad THEN interval_s END) AS bad_s,
        sum(CASE WHEN NOT is_bad THEN interval_s END) AS other_s
    FROM looked
    GROUP BY box, unit, is_rank
),
load AS (
    SELECT
        r.box, r.unit, r.is_rank, w.system, w.volume,
        coalesce(sum(CASE WHEN r.is_bad THEN w.ios END) / max(t.bad_s), 0) AS io_rate,
        coalesce(sum(CASE WHEN NOT r.is_bad THEN w.ios END) / max(t.other_s), 0) AS usual_rate
    FROM work w
    JOIN reach r
        ON r.box = w.box AND r.extent_pool = w.extent_pool AND r.slot = floor(w.middle_us / 3.6e9)
        AND unix_micros(r.interval_start) <= w.middle_us
        AND unix_micros(r.interval_start) + 1e6 * r.interval_s > w.middle_us
    JOIN spent t ON t.box = r.box AND t.unit = r.unit AND t.is_rank = r.is_rank AND t.other_s > 0
    GROUP BY r.box, r.unit, r.is_rank, w.system, w.volume
),
by_system AS (
    SELECT
        box, unit, is_rank, system,
        sum(io_rate) AS io_rate, sum(usual_rate) AS usual_rate, sum(io_rate) - sum(usual_rate) AS grown
    FROM load
    GROUP BY box, unit, is_rank, system
),
by_volume AS (
    SELECT
        box, unit, is_rank, volume,
        sum(io_rate) AS io_rate, sum(usual_rate) AS usual_rate, sum(io_rate) - sum(usual_rate) AS grown
    FROM load
    GROUP BY box, unit, is_rank, volume
),
comer AS (
    SELECT
        box, unit, is_rank,
        sum(io_rate) AS io_rate,
        sum(usual_rate) AS usual_rate,
        count(CASE WHEN io_rate > 0 THEN 1 END) AS systems,
        max_by(system, grown) AS grown_system,
        max_by(io_rate, grown) AS system_rate,
        max_by(usual_rate, grown) AS system_usual_rate
    FROM by_system
    GROUP BY box, unit, is_rank
),
riser AS (
    SELECT
        box, unit, is_rank,
        max_by(volume, grown) AS grown_volume,
        max_by(io_rate, grown) AS volume_rate,
        max_by(usual_rate, grown) AS volume_usual_rate
    FROM by_volume
    GROUP BY box, unit, is_rank
),
living AS (
    SELECT
        d.box, d.unit, d.is_rank, v.volume,
        sum(v.io_rate * v.disc_ms) AS disc_sum
    FROM volume_interval v
    {{ join_box_then("s", "v") }}
    JOIN bad d
        ON d.box = s.box AND d.extent_pool = v.extent_pool
        AND d.local_start < v.local_end AND d.local_end > v.local_start
    GROUP BY d.box, d.unit, d.is_rank, v.volume
),
named AS (
    SELECT
        box, unit, is_rank,
        array_join(in_order(collect_list(lpad(CAST(place AS STRING), 9, '0')), collect_list(volume)), '|') AS volumes
    FROM (
        SELECT
            box, unit, is_rank, volume,
            row_number() OVER (PARTITION BY box, unit, is_rank ORDER BY disc_sum DESC, volume) AS place
        FROM living
    ) AS placed
    GROUP BY box, unit, is_rank
),
{% call incident("bad", "box, unit, is_rank", "(SELECT * FROM bad WHERE read_ms - best_ms >= $deep_share * read_ms) AS deep") %}
    SELECT
        t.box, t.unit, t.is_rank, t.extent_pool, t.drives, t.is_degraded, t.is_throttled, t.read_ms, t.peak_ms,
        t.best_ms, t.read_rate, t.write_rate, q.as_busy_quick, q.quick_ms, c.io_rate, c.usual_rate, c.grown_system,
        c.system_rate, c.system_usual_rate, r.grown_volume, r.volume_rate, r.volume_usual_rate, c.systems, t.lost_s,
        n.volumes, w.worst_lost AS worst_s
    FROM total t
    JOIN worst w ON w.box = t.box AND w.unit = t.unit AND w.is_rank = t.is_rank
    LEFT JOIN named n ON n.box = t.box AND n.unit = t.unit AND n.is_rank = t.is_rank
    LEFT JOIN quick q ON q.box = t.box AND q.unit = t.unit AND q.is_rank = t.is_rank
    LEFT JOIN comer c ON c.box = t.box AND c.unit = t.unit AND c.is_rank = t.is_rank
    LEFT JOIN riser r ON r.box = t.box AND r.unit = t.unit AND r.is_rank = t.is_rank
{% endcall %}
ORDER BY a.lost_s DESC, a.box, a.unit
