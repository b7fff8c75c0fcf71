-- title: Writes that boxes delayed for lack of NVS, and the time of each in the worst subsystem
-- grain: one row per box
-- column subsystems VARCHAR []: Subsystems of the box with delayed writes, separated by |
-- column box_delayed DOUBLE [writes]: Writes delayed in them
-- column peak_ratio DOUBLE [ratio 0..1]: Delayed writes over writes, worst interval
-- column peak_ms DOUBLE [milliseconds]: Delay per write, worst interval
-- column peak_low_ms DOUBLE [milliseconds]: Low bound of it
-- column peak_high_ms DOUBLE [milliseconds]: High bound of it
-- column removable_ms DOUBLE [milliseconds]: Delay per write, worst interval, above its low bound
-- column part_ratio DOUBLE [ratio 0..1]: Of the I/Os, by the systems read; NULL where that is nearly all
-- column ranks VARCHAR []: Ranks of the box that run without a drive then, separated by |
-- column box_lost_s DOUBLE [s]: Its cost, summed over I/Os; NULL if not measured
WITH seen AS (
    SELECT
        coalesce(b.box, n.subsystem) AS box, n.*,
        n.nvs_delay_count * n.delay_ms_per_delayed_write / 1000 AS lost_s
    FROM nvs_delay n
    LEFT {{ join_box_then("b", "n") }}
),
whole AS (
    SELECT
        box, subsystem,
        sum(nvs_delay_count) AS delayed,
        max(nvs_delay_ratio) AS peak_ratio,
        {{ worst_of_delayed_writes("delay_ms_per_write") }} AS peak_ms,
        {{ worst_of_delayed_writes("delay_ms_per_write_low") }} AS peak_low_ms,
        {{ worst_of_delayed_writes("delay_ms_per_write_high") }} AS peak_high_ms,
        max(CASE WHEN nvs_delay_ratio > 0 THEN disc_share_ratio END) AS disc_share_ratio,
        min(CASE WHEN nvs_delay_count > 0 THEN coverage_ratio END) AS coverage_ratio,
        max(CASE WHEN nvs_delay_count > 0 AND delay_ms_per_write IS NULL THEN method END) AS unknown_reason,
        sum(lost_s) AS whole_lost_s
    FROM seen
    GROUP BY box, subsystem
    HAVING max(nvs_delay_ratio) >= $delayed_ratio
),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY box ORDER BY delayed DESC, subsystem) AS place FROM whole
),
together AS (
    SELECT
        box, array_join(sort_array(collect_list(subsystem)), '|') AS subsystems, sum(delayed) AS box_delayed,
        sum(whole_lost_s) AS box_lost_s
    FROM whole
    GROUP BY box
),
{{ degraded_ranks("seen WHERE nvs_delay_ratio >= $delayed_ratio", "box") }}
SELECT
    s.box, s.subsystem, t.subsystems, t.box_delayed, s.peak_ratio, s.peak_ms, s.peak_low_ms, s.peak_high_ms,
    at_least_0(s.peak_ms - s.peak_low_ms) AS removable_ms, s.disc_share_ratio,
    CASE WHEN s.peak_ms IS NOT NULL AND s.coverage_ratio < $read_ratio THEN s.coverage_ratio END AS part_ratio,
    s.unknown_reason, d.ranks, t.box_lost_s
FROM ranked s
JOIN together t ON t.box = s.box
LEFT JOIN degraded d ON d.box = s.box
WHERE s.place = 1
ORDER BY s.box
