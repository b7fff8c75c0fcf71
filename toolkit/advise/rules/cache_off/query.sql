-- title: Volumes with I/O while caching or fast write is off for them, with their disconnect during and outside that time
-- grain: one row per subsystem, what
-- column what VARCHAR []: Function that is off: cache, fast write or both
-- column volumes VARCHAR []: Volumes it is off for, separated by |; empty where only the subsystem's own counts are recorded
-- column in_use BIGINT []: Volumes of the subsystem with I/Os in these intervals
-- column subsystem_end TIMESTAMP [local time]: End of the last interval of the subsystem
-- column is_subsystem_off BOOLEAN []: The subsystem's own status says it, not only that of its volumes
-- column usual_ms DOUBLE [milliseconds]: Their disconnect in intervals in which it is on; NULL if there are none
-- column best_ms DOUBLE [milliseconds]: The lowest of these
-- column worst_ms DOUBLE [milliseconds]: The highest of these
WITH status AS (
    -- where caching is off, a box may count its I/Os as bypasses only: they are reads that miss
    SELECT
        subsystem, volser, local_start, local_end, interval_s, read_rate + passed_rate AS read_rate,
        CASE WHEN passed_rate > 0 THEN coalesce(read_rate * read_hit_ratio, 0) / (read_rate + passed_rate)
            ELSE read_hit_ratio END AS read_hit_ratio,
        write_rate, fast_write_inhibit_rate, cache_active, fast_write_active
    FROM (
        SELECT *, CASE WHEN cache_active = FALSE THEN coalesce(bypass_rate, 0) ELSE 0 END AS passed_rate
        FROM cache_interval
    ) d
    WHERE volser IS NOT NULL
    UNION ALL
    -- a report without the overview of the devices
    SELECT
        s.subsystem, '', s.local_start, s.local_end, s.interval_s, s.read_rate, s.read_hit_ratio, s.write_rate,
        s.fast_write_inhibit_rate, s.cache_active, s.nvs_active
    FROM cache_subsystem_interval s
    LEFT JOIN (SELECT DISTINCT subsystem FROM cache_interval WHERE volser IS NOT NULL) c ON c.subsystem = s.subsystem
    WHERE c.subsystem IS NULL
),
counted AS (
    SELECT
        subsystem, volser, local_start, local_end,
        read_rate * interval_s AS reads,
        read_rate * interval_s * read_hit_ratio AS hits,
        write_rate * interval_s AS writes,
        -- greatest leaves NULL out: it would make 0 of what is unknown
        at_least_0(write_rate - fast_write_inhibit_rate) * interval_s
            AS fast_writes,
        NOT coalesce(cache_active, TRUE) AND read_rate >= $read_rate AND coalesce(read_hit_ratio <= $still_ratio, TRUE)
            AS is_uncached,
        NOT coalesce(fast_write_active, TRUE) AND write_rate >= $read_rate
            AND coalesce(fast_write_inhibit_rate, write_rate) >= (1 - $still_ratio) * write_rate AS is_slow
    FROM status
    WHERE cache_active = FALSE OR fast_write_active = FALSE
),
switched AS (
    SELECT * FROM counted WHERE is_uncached OR is_slow
),
kind AS (
    SELECT
        subsystem, volser,
        CASE WHEN bool_or(is_uncached) AND bool_or(is_slow) THEN 'both'
            WHEN bool_or(is_uncached) THEN 'cache' ELSE 'fast write' END AS what
    FROM switched
    GROUP BY subsystem, volser
),
bad AS (
    SELECT
        k.subsystem, k.what, s.local_start,
        max(s.local_end) AS local_end,
        {{ each("sum(s.NAME)", "reads hits writes fast_writes") }},
        sum(CASE WHEN s.hits IS NOT NULL THEN s.reads END) AS hit_reads,
        sum(CASE WHEN s.fast_writes IS NOT NULL THEN s.writes END) AS fast_of_writes,
        sum(s.reads + s.writes) AS lost
    FROM switched s
    JOIN kind k ON k.subsystem = s.subsystem AND k.volser = s.volser
    GROUP BY k.subsystem, k.what, s.local_start
),
named AS (
    SELECT subsystem, what, array_join(sort_array(collect_list(volser)), '|') AS volumes FROM kind GROUP BY subsystem, what
),
used AS (
    SELECT b.subsystem, b.what, count(DISTINCT c.volser) AS in_use
    FROM status c
    JOIN bad b ON b.subsystem = c.subsystem AND b.local_start = c.local_start
    WHERE c.read_rate + c.write_rate > 0
    GROUP BY b.subsystem, b.what
),
whole AS (
    SELECT
        b.subsystem, b.what,
        bool_or((b.what <> 'fast write' AND c.cache_active = FALSE) OR (b.what <> 'cache' AND c.nvs_active = FALSE))
            AS is_subsystem_off
    FROM bad b
    JOIN cache_subsystem_interval c ON c.subsystem = b.subsystem AND c.local_start = b.local_start
    GROUP BY b.subsystem, b.what
),
machine AS (
    SELECT subsystem, serial, control_unit_type FROM box_subsystem WHERE year(until) = 9999
),
ended AS (
    SELECT subsystem, max(local_end) AS subsystem_end FROM status GROUP BY subsystem
),
timed AS (
    SELECT
        k.subsystem, k.what, d.interval_start,
        max(d.interval_s) AS interval_s,
        bool_or((k.what <> 'fast write' AND d.cache_active = FALSE) OR (k.what <> 'cache' AND d.fast_write_active = FALSE))
            AS is_off,
        sum(d.io_rate) AS io_rate,
        sum(d.io_rate * d.disc_ms) / sum(d.io_rate) AS disc_ms,
        {{ mean_of("v.response_ms", "v.io_rate") }} AS response_ms
    FROM shared_volume_interval v
    JOIN (SELECT * FROM disconnect_interval WHERE volser IN (SELECT volser FROM kind)) d
        ON d.interval_start = v.interval_start AND d.volume = v.volume
    JOIN kind k ON k.subsystem = d.subsystem AND k.volser = d.volser
    GROUP BY k.subsystem, k.what, d.interval_start
),
usual AS (
    SELECT
        subsystem, what,
        sum(io_rate * disc_ms) / sum(io_rate) AS usual_ms,
        min(disc_ms) AS best_ms,
        max(disc_ms) AS worst_ms
    FROM timed
    WHERE NOT coalesce(is_off, FALSE) AND io_rate >= $io_rate
    GROUP BY subsystem, what
),
cost AS (
    -- half of it where no interval has the cache on: in the middle of the bounds
    SELECT
        t.subsystem, t.what,
        avg(t.io_rate) AS io_rate,
        sum(t.io_rate * t.disc_ms) / sum(t.io_rate) AS disc_ms,
        {{ mean_of("t.response_ms", "t.io_rate") }} AS response_ms,
        sum(t.io_rate * t.interval_s * at_least_0(t.disc_ms - coalesce(u.usual_ms, t.disc_ms / 2))) / 1000 AS lost_s
    FROM timed t
    LEFT JOIN usual u ON u.subsystem = t.subsystem AND u.what = t.what
    WHERE t.is_off
    GROUP BY t.subsystem, t.what
),
{% call incident(
    "bad", "subsystem, what", also=["named", "used", "ended USING (subsystem)", "whole", "machine USING (subsystem)", "cost", "usual"]
) %}
    sum(hits) / nullif(sum(hit_reads), 0) AS hit_ratio,
    sum(fast_writes) / nullif(sum(fast_of_writes), 0) AS fast_write_ratio
{% endcall %}
ORDER BY a.subsystem, a.what
