-- question: nvs_delay
-- title: Intervals in which a box delayed writes for lack of NVS, with its worst subsystem and the volumes that wait then
-- grain: one row per box and such an interval of the whole box; one without an interval if only a part of the box has any
-- parameter $delayed_ratio DOUBLE [ratio]: Of the writes of an interval
-- column run_s DOUBLE [s]: How long the intervals with delayed writes last that follow each other, this one among them
-- column is_steady_then BOOLEAN []: The interval and an adjacent one had delayed writes at the destage ceiling
-- column writer VARCHAR []: Volume of the box with the most writes in all these intervals
-- column writer_ratio DOUBLE [ratio 0..1]: Its share of the writes to the box then
-- column writer_sequential_ratio DOUBLE [ratio 0..1]: Sequential share of its reads and writes then
-- column writer_job VARCHAR []: Job with the most I/Os on it then, by 42.6 records
-- column waiting_on VARCHAR []: The system that sees each of them, separated by |
-- column subsystems VARCHAR []: Subsystems of the box with delayed writes, separated by |
-- column box_delayed DOUBLE [writes]: Writes delayed in them
-- column peak_ratio DOUBLE [ratio 0..1]: Delayed writes over writes, worst interval
-- column peak_ms DOUBLE [milliseconds]: Delay per write, worst interval
-- column peak_low_ms DOUBLE [milliseconds]: Low bound of it
-- column peak_high_ms DOUBLE [milliseconds]: High bound of it
-- column box_lost_s DOUBLE [s]: Its cost, summed over I/Os; NULL if not measured
-- column pinned_ratio DOUBLE [ratio 0..1]: NVS that is pinned of all, most in these intervals
WITH overloaded AS (
    SELECT *, coalesce(steady_ratio >= $delayed_ratio, FALSE) AS is_steady_then
    FROM box_nvs_interval
    WHERE nvs_delay_ratio >= $delayed_ratio
),
delayed_part AS (
    SELECT
        box, interval_start, interval_s,
        coalesce(
            abs(
                unix_micros(interval_start) - lag(unix_micros(interval_start) + interval_s * 1000000)
                    OVER (PARTITION BY box ORDER BY interval_start)
            ) >= interval_s * 500000, TRUE
        ) AS is_apart
    FROM box_nvs_interval
    WHERE nvs_delay_count > 0
),
numbered AS (
    SELECT *, sum(CASE WHEN is_apart THEN 1 ELSE 0 END) OVER (PARTITION BY box ORDER BY interval_start) AS part
    FROM delayed_part
),
run AS (
    SELECT box, interval_start, sum(interval_s) OVER (PARTITION BY box, part) AS run_s FROM numbered
),
-- devices may be measured some seconds off the cache: an interval belongs to the one around its middle
delayed AS (
    SELECT box, unix_micros(interval_start) AS start_us, unix_micros(interval_start) + interval_s * 1000000 AS end_us
    FROM box_nvs_interval
    WHERE nvs_delay_count > 0
),
queue AS (
    SELECT
        b.box, v.volume, v.system,
        sum(CASE WHEN i.box IS NOT NULL THEN v.queue_length END) AS queued_then,
        max(CASE WHEN i.box IS NULL THEN v.queue_length END) AS queue_else
    FROM volume_interval v
    {{ join_volume_box_then("b", "v") }}
    LEFT JOIN delayed i
        ON i.box = b.box
        AND unix_micros(v.interval_start) + v.interval_s * 500000 >= i.start_us
        AND unix_micros(v.interval_start) + v.interval_s * 500000 < i.end_us
    WHERE v.queue_length > 0 AND b.box IN (SELECT box FROM overloaded)
    GROUP BY b.box, v.volume, v.system
),
waiting AS (
    SELECT
        box,
        array_join(in_order(collect_list(volume || chr(9) || system), collect_list(volume)), '|') AS waiting,
        array_join(in_order(collect_list(volume || chr(9) || system), collect_list(system)), '|') AS waiting_on
    FROM queue
    -- a queue at other times, of the length that pav_add_alias looks for, has another cause
    WHERE queued_then > 0 AND coalesce(queue_else, 0) < 0.5
    GROUP BY box
),
written AS (
    SELECT
        o.box, c.volser,
        -- a cache report has no counts of a volume, and nothing about sequential ones
        sum(coalesce(c.write_count, c.write_rate * c.interval_s)) AS writes,
        sum(c.sequential_count) / nullif(sum(c.read_count + c.write_count), 0) AS sequential_ratio
    FROM overloaded o
    JOIN box_subsystem s ON s.box = o.box
    JOIN cache_interval c
        ON c.subsystem = s.subsystem
        AND unix_micros(c.interval_start) + c.interval_s * 500000 >= unix_micros(o.interval_start)
        AND unix_micros(c.interval_start) + c.interval_s * 500000 < unix_micros(o.interval_start) + o.interval_s * 1000000
        AND s.since <= c.interval_start AND c.interval_start < s.until
    WHERE c.volser IS NOT NULL
    GROUP BY o.box, c.volser
),
writer AS (
    SELECT
        box,
        max_by(volser, writes) AS writer,
        max(writes) / nullif(sum(writes), 0) AS writer_ratio,
        max_by(sequential_ratio, writes) AS writer_sequential_ratio
    FROM written
    GROUP BY box
),
job AS (
    SELECT w.box, d.job, sum(d.io_count) AS ios
    FROM writer w
    JOIN overloaded o ON o.box = w.box
    JOIN dataset_interval d
        ON d.volser = w.writer AND d.local_start >= o.local_start AND d.local_start < o.local_end
    WHERE d.job IS NOT NULL
    GROUP BY w.box, d.job
),
writer_job AS (
    SELECT box, max_by(job, ios) AS writer_job FROM job GROUP BY box
),
seen AS (
    SELECT
        coalesce(b.box, n.subsystem) AS box, b.serial, b.control_unit_type, n.*,
        n.nvs_delay_count * n.delay_ms_per_delayed_write / 1000 AS lost_s
    FROM nvs_delay n
    LEFT {{ join_box_then("b", "n") }}
),
bad AS (
    SELECT box, local_start, max(local_end) AS local_end, sum(nvs_delay_count) AS lost
    FROM seen
    WHERE nvs_delay_ratio >= $delayed_ratio
    GROUP BY box, local_start
),
whole AS (
    SELECT
        box, subsystem,
        max(serial) AS serial,
        max(control_unit_type) AS control_unit_type,
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
pinned AS (
    SELECT coalesce(b.box, c.subsystem) AS box, max(c.nvs_pinned_bytes / nullif(c.nvs_bytes, 0)) AS pinned_ratio
    FROM cache_subsystem_interval c
    LEFT {{ join_box_then("b", "c") }}
    WHERE c.nvs_delay_count > 0
    GROUP BY coalesce(b.box, c.subsystem)
),
{% call incident("bad", "box") %}
    SELECT
        s.box, s.serial, s.control_unit_type, o.local_start, o.local_end, o.interval_s, o.nvs_delay_count,
        o.write_count, o.destage_rate, o.destage_rate_max, coalesce(o.at_ceiling, FALSE) AS at_ceiling, o.as_busy_free,
        o.nvs_bytes, u.run_s, o.is_steady_then, r.writer, r.writer_ratio, r.writer_sequential_ratio, j.writer_job,
        q.waiting, q.waiting_on, s.subsystem, t.subsystems, t.box_delayed, s.peak_ratio, s.peak_ms, s.peak_low_ms,
        s.peak_high_ms, s.disc_share_ratio, s.coverage_ratio, s.unknown_reason, t.box_lost_s, p.pinned_ratio
    FROM ranked s
    JOIN together t ON t.box = s.box
    LEFT JOIN overloaded o ON o.box = s.box
    LEFT JOIN run u ON u.box = o.box AND u.interval_start = o.interval_start
    LEFT JOIN pinned p ON p.box = s.box
    LEFT JOIN waiting q ON q.box = s.box
    LEFT JOIN writer r ON r.box = s.box
    LEFT JOIN writer_job j ON j.box = s.box
    WHERE s.place = 1
{% endcall %}
ORDER BY a.box, a.local_start
