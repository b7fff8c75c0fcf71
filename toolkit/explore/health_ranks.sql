-- title: Reads from disk of ranks above the limits of rank_saturated, by hour and box
-- grain: one row per box, t
-- parameter $read_rate DOUBLE [per s]: Reads from the disks of a rank
-- parameter $above_factor DOUBLE []: Times its best intervals
-- parameter $above_ms DOUBLE [milliseconds]: Above its best intervals
-- parameter $always_ms DOUBLE [milliseconds]: Slow whatever its best intervals were
-- column box VARCHAR []: Box, as in rank_interval
-- column system VARCHAR []: NULL: all systems share a rank
-- column t TIMESTAMP []: Start of the hour, local time
-- column reason VARCHAR []: rank
-- column lost_s DOUBLE [s]: Time above the best intervals, summed over all reads from disk
-- column subjects BIGINT []: Ranks, and extent pools of unknown ranks, with such an interval
-- column worst VARCHAR []: The one that lost most by it
-- note: The limits alone: a rule also looks at how long it lasts, and for another cause.
WITH {{ slow_ranks() }},
summed AS (
    SELECT box, CAST(date_trunc('hour', local_start) AS TIMESTAMP) AS t, unit, sum(lost) AS lost_s
    FROM bad
    GROUP BY box, unit, is_rank, date_trunc('hour', local_start)
)
SELECT
    box, CAST(NULL AS STRING) AS system, t, 'rank' AS reason, sum(lost_s) AS lost_s, count(*) AS subjects,
    max_by(unit, name_order(lost_s, unit)) AS worst
FROM summed
GROUP BY box, t
ORDER BY box, t
