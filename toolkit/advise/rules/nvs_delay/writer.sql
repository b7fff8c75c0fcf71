-- title: Who writes most while boxes delay writes, and the volumes that wait in the host only then
-- grain: one row per box
-- column writer VARCHAR []: Volume of the box with the most writes in all these intervals
-- column writer_ratio DOUBLE [ratio 0..1]: Its share of the writes to the box then
-- column writer_sequential_ratio DOUBLE [ratio 0..1]: Sequential share of its reads and writes then
-- column waiting_on VARCHAR []: The system that sees each of them, separated by |
WITH overloaded AS (
    SELECT * FROM box_nvs_interval WHERE nvs_delay_ratio >= $delayed_ratio
),
-- devices may be measured some seconds off the cache: an interval belongs to the one around its middle
delayed AS (
    SELECT box, unix_micros(interval_start) AS start_us, unix_micros(interval_start) + interval_s * 1000000 AS end_us
    FROM box_nvs_interval
    WHERE nvs_delay_count > 0
),
{{ waiting_only_then(
    "overloaded", "delayed", "unix_micros(v.interval_start) + v.interval_s * 500000 >= i.start_us
        AND unix_micros(v.interval_start) + v.interval_s * 500000 < i.end_us"
) }},
written AS (
    SELECT
        o.box, c.volser,
        -- a cache report has no counts of a volume, and nothing about sequential ones
        sum(coalesce(c.write_count, c.write_rate * c.interval_s)) AS writes,
        sum(c.sequential_count) / nullif(sum(c.read_count + c.write_count), 0) AS sequential_ratio
    FROM cache_interval c
    {{ join_box_then("s", "c") }}
    JOIN overloaded o
        ON o.box = s.box
        AND unix_micros(c.interval_start) + c.interval_s * 500000 >= unix_micros(o.interval_start)
        AND unix_micros(c.interval_start) + c.interval_s * 500000 < unix_micros(o.interval_start) + o.interval_s * 1000000
    WHERE c.volser IS NOT NULL
    GROUP BY o.box, c.volser
),
writer AS (
    SELECT
        box,
        max_by(volser, name_order(writes, volser)) AS writer,
        max(writes) / nullif(sum(writes), 0) AS writer_ratio,
        max_by(sequential_ratio, name_order(writes, volser)) AS writer_sequential_ratio
    FROM written
    GROUP BY box
)
SELECT o.box, r.writer, r.writer_ratio, r.writer_sequential_ratio, q.waiting, q.waiting_on
FROM (SELECT DISTINCT box FROM overloaded) o
LEFT JOIN writer r ON r.box = o.box
LEFT JOIN waiting q ON q.box = o.box
ORDER BY o.box
