-- title: Volumes with I/O that bypasses cache or NVS
-- grain: one row per volser, subsystem
-- column passed DOUBLE [I/Os]: Requests that inhibit cache loading or bypass the cache
-- column slow_writes DOUBLE [I/Os]: Writes that are no fast writes
-- column writes DOUBLE [I/Os]: Writes of the bad intervals
-- column peak_rate DOUBLE [per second]: Such requests and writes, worst interval
-- column usual_ratio DOUBLE [ratio 0..1]: Read hits at comparable rates, if since then all reads pass and no record has the status; else NULL
WITH counted AS (
    SELECT
        volser, subsystem, interval_s, local_start, local_end,
        -- a cache report has no counts of a volume
        coalesce(io_count, (read_rate + write_rate) * interval_s) AS io_count,
        coalesce(write_count, write_rate * interval_s) AS write_count,
        coalesce(read_count, read_rate * interval_s) AS reads,
        coalesce(read_hit_count, read_rate * interval_s * read_hit_ratio) AS hits,
        cache_active,
        -- what is switched off is cache_off's
        CASE WHEN coalesce(cache_active, TRUE) THEN (inhibit_rate + bypass_rate) * interval_s
            ELSE 0 END AS passed,
        CASE WHEN coalesce(fast_write_active, TRUE) AND coalesce(cache_active, TRUE)
            THEN fast_write_inhibit_rate * interval_s ELSE 0 END AS slow_writes
    FROM cache_interval
    WHERE volser IS NOT NULL AND coalesce(io_count, read_rate + write_rate) > 0
),
judged AS (
    SELECT
        *, io_count / interval_s AS io_rate, passed + coalesce(slow_writes, 0) AS lost,
        coalesce(
            passed + coalesce(slow_writes, 0) >= $rate * interval_s
            AND (passed >= $passed_ratio * io_count OR slow_writes >= $slow_write_ratio * nullif(write_count, 0)), FALSE
        ) AS is_bad
    FROM counted
),
bad AS (
    SELECT * FROM judged WHERE is_bad
),
{{ usual_hits("judged", "volser, subsystem", "io_rate") }},
-- all programs at once, and no end of it: not one of them asks for that
likely_off AS (
    SELECT volser, subsystem, u.usual_ratio
    FROM (
        SELECT volser, subsystem, max(local_end) AS newest_end
        FROM judged
        GROUP BY volser, subsystem
        HAVING count(cache_active) = 0
    ) AS n
    JOIN (
        SELECT volser, subsystem, max(local_end) AS last_end, sum(passed) / nullif(sum(reads), 0) AS all_ratio
        FROM bad
        GROUP BY volser, subsystem
    ) AS b USING (volser, subsystem)
    JOIN usual u USING (volser, subsystem)
    WHERE b.last_end >= n.newest_end AND b.all_ratio >= $all_ratio AND u.usual_ratio >= $drop_ratio
),
times AS (
    SELECT volume AS volser, sum(io_rate * disc_ms) / nullif(sum(io_rate), 0) AS disc_ms
    FROM volume_interval
    WHERE volume IN (SELECT volser FROM bad)
    GROUP BY volume
),
{% call incident("bad", "volser, subsystem", also=["times USING (volser)", "likely_off"]) %}
    sum(passed) AS passed,
    CASE WHEN count(slow_writes) = count(*) THEN sum(slow_writes) END AS slow_writes,
    sum(io_count) AS ios,
    sum(write_count) AS writes,
    max(lost / interval_s) AS peak_rate
{% endcall %}
ORDER BY a.passed + coalesce(a.slow_writes, 0) DESC, a.volser
