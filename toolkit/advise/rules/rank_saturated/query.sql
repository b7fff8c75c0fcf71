-- title: Ranks and extent pools whose reads from disk take far longer than in their best intervals
-- grain: one row per box, unit
-- column is_rank BOOLEAN []: It is a rank; else an extent pool of unknown ranks
-- column drives VARCHAR []: Class of its drives and kind of array; NULL if unknown
-- column is_rebuilt BOOLEAN []: In half of the bad intervals or more, volumes of its pool lie on a rank that is being rebuilt
-- column missed_ratio DOUBLE [ratio 0..1]: Cache misses of the volumes of its pool over reads from the pool's disks
-- column staged_ratio DOUBLE [ratio]: The same of all that is staged for these, ahead of reads too; above 1 where a read brings several tracks
-- column as_busy_quick BIGINT []: Intervals that were not bad, with as many reads and nine tenths of the writes and bytes as the bad ones in the mean (where far quicker, over $near_load)
-- column quick_since BIGINT []: Intervals with enough reads after the last bad one
-- column quick_ms DOUBLE [milliseconds]: Mean time of a read in all of them
WITH {{ slow_ranks() }},
lived AS (
    SELECT
        d.box, d.unit, d.is_rank, d.interval_start, d.pool_rate, c.is_rebuilding, c.subsystem || c.device AS device,
        c.read_rate * (1 - c.read_hit_ratio) AS missed, coalesce(c.sequential_stage_rate, 0) AS ahead, c.stage_rate, c.disk_read_rate,
        least(unix_micros(c.local_end), unix_micros(d.local_end)) - greatest(unix_micros(c.local_start), unix_micros(d.local_start))
            AS both_us
    FROM cache_interval c
    {{ join_box_then("s", "c") }}
    JOIN bad d ON d.box = s.box AND d.extent_pool = c.extent_pool AND d.local_start < c.local_end
        AND d.local_end > c.local_start
),
-- what the volumes of the pool read from its disks, as parts of all that is read from these
asked AS (
    SELECT
        box, unit, is_rank, interval_start,
        bool_or(is_rebuilding) AS is_then,
        {{ mean_of("missed", "both_us") }} * count(DISTINCT device) / pool_rate AS missed_ratio,
        {{ mean_of("greatest(missed + ahead, stage_rate, disk_read_rate)", "both_us") }} * count(DISTINCT device) / pool_rate AS staged_ratio
    FROM lived
    GROUP BY box, unit, is_rank, interval_start, pool_rate
),
total AS (
    SELECT
        box, unit, is_rank,
        {{ each("max(NAME)", "extent_pool drives") }},
        2 * count(CASE WHEN is_then THEN 1 END) >= count(*) AS is_rebuilt,
        {{ each("bool_or(NAME)", "is_degraded is_throttled") }},
        sum(read_rate * read_ms) / sum(read_rate) AS read_ms,
        max(read_ms) AS peak_ms,
        min(best_ms) AS best_ms,
        {{ each("avg(NAME)", "read_rate write_rate bytes_rate") }},
        {{ mean_of("missed_ratio / greatest(missed_ratio, 1)", "lost") }} AS missed_ratio,
        {{ mean_of("staged_ratio", "read_rate") }} AS staged_ratio
    FROM bad
    LEFT JOIN asked USING (box, unit, is_rank, interval_start)
    GROUP BY box, unit, is_rank
),
quick AS (
    SELECT
        box, unit, is_rank,
        count(CASE WHEN is_as_busy THEN 1 END) AS as_busy_quick,
        count(CASE WHEN is_since THEN 1 END) AS quick_since,
        {{ mean_of("CASE WHEN is_as_busy THEN read_ms END", "read_rate") }} AS quick_ms
    FROM (
        SELECT
            t.box, t.unit, t.is_rank, c.read_rate, c.read_ms, c.is_bad,
            sum(CASE WHEN c.is_bad THEN 1 ELSE 0 END) OVER (
                PARTITION BY t.box, t.unit, t.is_rank ORDER BY c.interval_start ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING
            ) = 0 AS is_since,
            -- what isn't recorded contradicts nothing
            least(
                c.read_rate / t.read_rate, coalesce(c.write_rate, 0) / (0.9 * nullif(t.write_rate, 0)),
                c.bytes_rate / (0.9 * nullif(t.bytes_rate, 0))
            ) * CASE
                WHEN c.read_ms < $quick_factor * t.best_ms
                    AND c.read_rate >= 2 * min(c.read_rate) OVER (PARTITION BY t.box, t.unit, t.is_rank) THEN $near_load
                ELSE 1
            END >= 1 AS is_as_busy
        FROM total t
        JOIN compared c ON {{ equal("box, unit, is_rank", "c", "t") }}
    ) AS c
    WHERE NOT is_bad
    GROUP BY box, unit, is_rank
),
living AS (
    SELECT d.box, d.unit, d.is_rank, v.volume, v.io_rate * v.disc_ms AS disc
    FROM volume_interval v
    {{ join_box_then("s", "v") }}
    JOIN bad d ON d.box = s.box AND d.extent_pool = v.extent_pool AND d.local_start < v.local_end
        AND d.local_end > v.local_start
),
named AS ({{ most_first("volume", "disc", "living", "box, unit, is_rank") }}),
{% call incident("bad", "box, unit, is_rank", "CASE WHEN read_ms - best_ms >= $deep_share * read_ms THEN lost END", is_select=true) %}
    SELECT *
    FROM total
    LEFT JOIN named USING (box, unit, is_rank)
    LEFT JOIN quick USING (box, unit, is_rank)
{% endcall %}
ORDER BY w.lost DESC, a.box, a.unit
