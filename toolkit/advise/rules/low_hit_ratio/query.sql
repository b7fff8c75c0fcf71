-- title: Volumes with intervals of few read hits and a service time that is mostly disconnect
-- grain: one row per volser
-- column service_s DOUBLE [s]: Response time without IOSQ, all I/Os in the bad intervals
-- column response_s DOUBLE [s]: The same with IOSQ, where that is known
-- column subsystem_ratio DOUBLE [ratio 0..1]: Read hits over reads in the bad intervals, volumes of the subsystem without any
-- column passed_ratio DOUBLE [ratio 0..1]: Inhibit and bypass requests of all I/Os, bad intervals
-- column slow_ratio DOUBLE [ratio 0..1]: Writes that are no fast writes of all writes, bad intervals
-- column usual_ratio DOUBLE [ratio 0..1]: Read hits over reads in the intervals of comparable rates that are not bad; NULL if most have none
-- column comparable_before BIGINT []: Such intervals before the first bad one, of the rate with fewest
-- note: Volumes are measured per system and interval; all systems with read misses in an interval are taken together.
WITH poor AS (
    -- where a volume hits as rarely in all, it does on one system
    SELECT DISTINCT volser
    FROM volume_interval
    WHERE io_rate > 0 AND io_rate * read_ratio * read_hit_ratio + coalesce(sync_read_rate, 0)
        < $hit_ratio * (io_rate * read_ratio + coalesce(sync_read_rate, 0))
),
whole_volume AS (
    SELECT
        v.volser, v.local_start, max(v.subsystem) AS subsystem,
        sum(v.io_rate * v.interval_s * coalesce(v.response_ms, v.service_ms)) / 1000 AS response_s, {{ hits_of_volumes() }}
    FROM volume_interval v
    WHERE v.volser IN (SELECT volser FROM poor) AND v.io_rate > 0 AND v.read_hit_ratio IS NOT NULL
    GROUP BY v.volser, v.local_start
),
compared AS (
    SELECT
        w.*, ios / interval_s AS io_rate, disc_s AS lost,
        hits < $hit_ratio * reads AND disc_s >= $disc_share * service_s
            AND (reads >= $read_rate * interval_s OR disc_s >= 0.5 * interval_s) AS is_bad
    FROM whole_volume w
    {{ join_cached("w") }}
    WHERE uncached.volser IS NULL
),
bad AS (
    SELECT * FROM compared WHERE is_bad
),
{{ usual_hits("compared", "volser", "io_rate") }},
worst AS ({{ worst_run("bad", "volser") }}),
sequential AS (
    SELECT volser, sum(sequential_count) / nullif(sum(io_count), 0) AS sequential_ratio
    FROM cache_interval
    WHERE volser IN (SELECT volser FROM bad)
    GROUP BY volser
),
counted AS (
    SELECT
        subsystem, middle_us, floor(middle_us / 8.64e10) AS day,
        sum(CASE WHEN hits IS NOT NULL THEN reads END) AS reads,
        sum(hits) AS hits
    FROM (
        -- a cache report has no counts of a volume
        SELECT
            subsystem, coalesce(read_count, read_rate * interval_s) AS reads,
            coalesce(read_hit_count, read_rate * interval_s * read_hit_ratio) AS hits,
            (unix_micros(local_start) + unix_micros(local_end)) / 2 AS middle_us
        FROM cache_interval
        WHERE subsystem IN (SELECT subsystem FROM bad) AND coalesce(volser, '') NOT IN (SELECT volser FROM bad)
    ) AS timed
    GROUP BY subsystem, middle_us
),
whole AS (
    -- then, not over the span: else a volume would be held against hours in which it hits as well
    SELECT b.volser, sum(c.hits) / nullif(sum(c.reads), 0) AS subsystem_ratio
    FROM bad b
    JOIN counted c ON c.subsystem = b.subsystem AND c.day = floor(unix_micros(b.local_start) / 8.64e10)
        AND c.middle_us >= unix_micros(b.local_start) AND c.middle_us < unix_micros(b.local_end)
    GROUP BY b.volser
),
past AS (
    SELECT
        b.volser,
        sum((c.inhibit_rate + c.bypass_rate) * c.interval_s)
            / nullif(sum(coalesce(c.io_count, (c.read_rate + c.write_rate) * c.interval_s)), 0) AS passed_ratio,
        sum(c.fast_write_inhibit_rate * c.interval_s) / nullif(sum(c.write_rate * c.interval_s), 0) AS slow_ratio
    FROM cache_interval c
    JOIN bad b ON b.volser = c.volser
        AND unix_micros(c.local_start) + unix_micros(c.local_end) >= 2 * unix_micros(b.local_start)
        AND unix_micros(c.local_start) + unix_micros(c.local_end) < 2 * unix_micros(b.local_end)
    GROUP BY b.volser
),
{% call incident("bad", "volser", also=["whole", "sequential", "past", "usual"], is_made=true) %}
    max(subsystem) AS subsystem,
    sum(hits) / sum(reads) AS hit_ratio,
    sum(reads - hits) AS misses,
    {{ each("sum(NAME)", "disc_s ios service_s response_s") }}
{% endcall %}
ORDER BY a.disc_s DESC, a.volser
