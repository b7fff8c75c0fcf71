-- title: Boxes whose volumes in synchronous remote copy (Metro Mirror, PPRC) have disconnect time that neither read misses nor NVS explain
-- grain: one row per box
-- column write_ratio DOUBLE [ratio 0..1]: Writes over reads and writes of these volumes
-- column high_ms DOUBLE [milliseconds]: Highest remaining disconnect
-- column send_ms DOUBLE [milliseconds]: Mean time of a remote copy send on the box's links in the worst run; NULL where none is timed
-- column send_links BIGINT []: Links that send
-- column links_before BIGINT []: Those in the day before the worst run
-- column writes_then DOUBLE [per second]: Mirrored writes in the bad intervals
-- column other_writes DOUBLE [per second]: Most of them in any other interval; NULL without any
-- column well_before BIGINT []: Intervals with as many as the bad ones, before the first of them; NULL without any
-- column before_ms DOUBLE [milliseconds]: What a write waited in them
-- column best_ms DOUBLE [milliseconds]: What a write waits in the best intervals with as many
-- column others_ms DOUBLE [milliseconds]: What a write to the box's other mirrored volumes waits, at least; NULL without any
WITH measured AS (
    SELECT
        d.box, d.volume, d.interval_s, d.local_start, d.local_end, d.io_rate, d.disc_ms, v.response_ms, v.read_hit_ratio,
        1 - v.read_ratio AS write_ratio,
        d.replication_high_ms AS high_ms,
        -- what is no fast write waits for the disks
        least(at_least_0(d.disc_ms - d.miss_high_ms - d.nvs_high_ms), d.replication_high_ms)
        * coalesce(d.fast_write_ratio, 1) AS left_ms
    FROM shared_volume_interval v
    JOIN disconnect_interval d ON d.interval_start = v.interval_start AND d.volume = v.volume
    -- a copy that stays pending is asynchronous: its writes don't wait
    JOIN _mirrored p ON p.volser = d.volser
    WHERE d.is_mirrored AND d.box IS NOT NULL AND v.read_ratio < 1 AND {{ has_enough_io("d.io_rate", "$io_rate", "d.disc_ms") }}
),
together AS (
    SELECT box, local_start, sum(io_rate * write_ratio) AS write_rate, {{ mean_of("left_ms / write_ratio", "io_rate * write_ratio") }} AS write_ms
    FROM measured
    GROUP BY box, local_start
),
loaded AS (
    SELECT t.*
    FROM together t
    JOIN (
        SELECT box, percentile_cont(0.5) WITHIN GROUP (ORDER BY write_rate) AS write_rate FROM together GROUP BY box
    ) AS half ON half.box = t.box
    WHERE t.write_rate >= $as_many * half.write_rate
),
best AS ({{ best_of("write_ms", "loaded", "box") }}),
-- the way is as long at all times: what is longer than it was with as many writes has another cause
risen AS (
    SELECT t.box, t.local_start
    FROM together t
    JOIN best b ON b.box = t.box
    WHERE t.write_ms >= $rise * b.best_ms AND t.write_ms >= b.best_ms + $wait_ms
),
late AS (
    SELECT m.*, r.box IS NOT NULL AS is_risen, io_rate * left_ms * interval_s / 1000 AS lost_s
    FROM measured m
    LEFT JOIN risen r ON r.box = m.box AND r.local_start = m.local_start
    WHERE left_ms >= $wait_ms AND left_ms >= $share * response_ms
),
-- then only these count, however long the way is at all other times
changed AS (
    SELECT box
    FROM late
    GROUP BY box
    HAVING count(DISTINCT CASE WHEN is_risen THEN local_start END) >= $well
        AND sum(CASE WHEN is_risen THEN lost_s ELSE 0 END) >= $rise_share * sum(lost_s)
),
waiting AS (
    SELECT l.*
    FROM late l
    LEFT JOIN changed c ON c.box = l.box
    WHERE l.is_risen OR c.box IS NULL
),
bad AS (
    SELECT
        box, local_start, max(local_end) AS local_end, sum(lost_s) AS lost,
        sum(CASE WHEN left_ms >= $deep_share * response_ms THEN lost_s END) AS deep_lost
    FROM waiting
    GROUP BY box, local_start
),
worst AS ({{ worst_run("bad", "box", "deep_lost") }}),
named AS ({{ most_first("volume", "lost_s", "waiting", "box") }}),
sent AS (
    SELECT
        box, {{ mean_of("response_ms", "CASE WHEN is_then THEN operation_rate END") }} AS send_ms,
        count(DISTINCT CASE WHEN is_then THEN link END) AS send_links,
        count(DISTINCT CASE WHEN NOT is_then THEN link END) AS links_before
    FROM (
        SELECT l.*, l.local_end > w.window_start AS is_then
        FROM link_interval l
        JOIN worst w ON w.box = l.box AND l.local_start < w.window_end
            AND unix_micros(l.local_end) > unix_micros(w.window_start) - 8.64e10
        WHERE l.operation = 'copy send' AND l.response_ms IS NOT NULL
    ) AS near
    GROUP BY box
    HAVING bool_or(is_then)
),
machine AS (
    SELECT box, max(serial) AS serial, max(control_unit_type) AS control_unit_type FROM box_subsystem GROUP BY box
),
writes AS (
    SELECT t.box, avg(t.write_rate) AS writes_then, min(t.local_start) AS first_start
    FROM together t
    JOIN bad b ON b.box = t.box AND b.local_start = t.local_start
    GROUP BY t.box
),
well AS (
    SELECT
        box, max(write_rate) AS other_writes, nullif(count(CASE WHEN is_before THEN 1 END), 0) AS well_before,
        {{ mean_of("write_ms", "CASE WHEN is_before THEN write_rate END") }} AS before_ms
    FROM (
        SELECT l.*, l.local_start < w.first_start AND l.write_rate >= $as_many * w.writes_then AS is_before
        FROM loaded l
        JOIN writes w ON w.box = l.box
        LEFT JOIN bad b ON b.box = l.box AND b.local_start = l.local_start
        WHERE b.box IS NULL
    ) AS others
    GROUP BY box
),
quick AS (
    SELECT m.box, {{ mean_of("m.left_ms / m.write_ratio", "m.io_rate * m.write_ratio") }} AS others_ms
    FROM measured m
    LEFT JOIN (SELECT DISTINCT box, volume FROM waiting) w ON w.box = m.box AND w.volume = m.volume
    WHERE w.volume IS NULL
    GROUP BY m.box
),
{% call incident("bad", "box", "deep_lost", of="waiting", also=["named", "machine", "sent", "(SELECT box, writes_then FROM writes) AS w USING (box)", "well", "best", "quick"], is_made=true) %}
    avg(io_rate) AS io_rate,
    sum(io_rate * write_ratio) / sum(io_rate) AS write_ratio,
    sum(io_rate * left_ms) / sum(io_rate) AS wait_ms,
    {{ each("sum(io_rate * NAME) / sum(io_rate)", "high_ms disc_ms response_ms") }},
    {{ mean_of("read_hit_ratio", "io_rate") }} AS read_hit_ratio
{% endcall %}
ORDER BY w.lost DESC, a.box
