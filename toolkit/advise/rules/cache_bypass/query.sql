-- question: cache_bypass
-- title: Volumes with I/O that bypasses cache or NVS
-- grain: one row per volser, subsystem
-- column passed DOUBLE [I/Os]: Requests that inhibit cache loading or bypass the cache
-- column slow_writes DOUBLE [I/Os]: Writes that are no fast writes
-- column writes DOUBLE [I/Os]: Writes of the bad intervals
-- column peak_rate DOUBLE [per second]: Such requests and writes, worst interval
WITH counted AS (
    SELECT
        volser, subsystem, interval_s, local_start, local_end,
        -- a cache report has no counts of a volume
        coalesce(io_count, (read_rate + write_rate) * interval_s) AS io_count,
        coalesce(write_count, write_rate * interval_s) AS write_count,
        -- what is switched off is cache_off's
        CASE WHEN coalesce(cache_active, TRUE) THEN (inhibit_rate + bypass_rate) * interval_s
            ELSE 0 END AS passed,
        CASE WHEN coalesce(fast_write_active, TRUE) AND coalesce(cache_active, TRUE)
            THEN fast_write_inhibit_rate * interval_s ELSE 0 END AS slow_writes
    FROM cache_interval
    WHERE volser IS NOT NULL AND coalesce(io_count, read_rate + write_rate) > 0
),
bad AS (
    SELECT *, passed + coalesce(slow_writes, 0) AS lost
    FROM counted
    WHERE passed + coalesce(slow_writes, 0) >= $rate * interval_s
        AND (passed >= $passed_ratio * io_count OR slow_writes >= $slow_write_ratio * nullif(write_count, 0))
),
times AS (
    SELECT volume AS volser, sum(io_rate * disc_ms) / nullif(sum(io_rate), 0) AS disc_ms
    FROM volume_interval
    WHERE volume IN (SELECT volser FROM bad)
    GROUP BY volume
),
{% call incident("bad", "volser, subsystem", also=["times USING (volser)"]) %}
    sum(passed) AS passed,
    CASE WHEN count(slow_writes) = count(*) THEN sum(slow_writes) END AS slow_writes,
    sum(io_count) AS ios,
    sum(write_count) AS writes,
    max(lost / interval_s) AS peak_rate
{% endcall %}
ORDER BY a.passed + coalesce(a.slow_writes, 0) DESC, a.volser
