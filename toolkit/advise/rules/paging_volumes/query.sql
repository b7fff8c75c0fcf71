-- title: Paging volumes that queue or are nearly full, all of a system together
-- grain: one row per platform, system
-- column volumes VARCHAR []: Those that queue in some interval; where page space is only nearly full, all paging volumes
-- column paging_volumes BIGINT []: Paging volumes of the system
-- column worst_volume VARCHAR []: The volume with the longest queue then, and its address
-- column others_ms DOUBLE [milliseconds]: Service time of the other paging volumes then; NULL if those that queue do far more I/Os each
-- column page_rate DOUBLE [per second]: Pages read and written then, all paging areas
-- column slow_page_rate DOUBLE [per second]: Pages of those that queue then
-- column interference_rate DOUBLE [per second]: I/Os of users on those that queue, which interrupt CP's paging there; NULL if few
-- column usual_page_rate DOUBLE [per second]: Pages read and written in the first quartile of all intervals, if they are far more then; else NULL
-- column usual_ms DOUBLE [milliseconds]: Service time of all paging volumes in the first quartile of all intervals
-- column fullest VARCHAR []: The local page data set that was fullest at any time (z/OS), and how much of it was in use
-- column volumes_since BIGINT []: Paging volumes since the last queue, where as many pages made none, for as long as all queues lasted, and space is not nearly full
-- column gone VARCHAR []: Paging volumes that no record has any more, each with the time of the last one, separated by |; NULL if none
-- column left_s DOUBLE [s]: Until the most of the last day is all of it, at the pace since it began to fill; NULL where it takes long, or less than a day shows no growth in the last half hour
{% set full = "CASE WHEN t.platform = 'z/OS' THEN $zos_full ELSE $full END" -%}
WITH area AS (
    SELECT
        platform, system, interval_start, device,
        sum(coalesce(page_read_rate + page_write_rate, total_page_rate)) AS page_rate,
        sum(CASE WHEN data_set IS NOT NULL THEN io_rate END) AS page_io_rate,
        -- the other page data sets are filled once
        sum(CASE WHEN coalesce(page_data_set_type, 'LOCAL') = 'LOCAL' THEN coalesce(slots, 1) END) AS slots,
        {{ mean_of("CASE WHEN upper(area) LIKE 'PAG%' THEN used_ratio END", "CASE WHEN coalesce(page_data_set_type, 'LOCAL') = 'LOCAL' THEN coalesce(slots, 1) END") }} AS used_ratio,
        max_by(data_set, name_order(CASE WHEN page_data_set_type = 'LOCAL' THEN used_ratio END, data_set)) AS fullest,
        max(CASE WHEN page_data_set_type = 'LOCAL' THEN used_ratio END) AS fullest_ratio,
        avg(block_pages) AS block_pages, max(interference_rate) AS interference_rate,
        max(volser) AS volser, max(interval_s) AS area_s, min(local_start) AS area_start, max(local_end) AS area_end
    FROM paging_volume_interval
    WHERE upper(area) LIKE 'PAG%' OR {{ holds_pages() }}
    GROUP BY platform, system, interval_start, device
    UNION ALL
    -- the monitor counts pages, and says nothing of space
    SELECT platform, system, interval_start, device, page_read_rate + page_write_rate, NULL, NULL, NULL, NULL, NULL, NULL, interference_rate, NULL, NULL, NULL, NULL
    FROM paging_interval
    WHERE page_read_rate + page_write_rate > 0
),
paging AS (
    SELECT
        platform, system, interval_start, device,
        max(page_rate) AS page_rate, max(page_io_rate) AS page_io_rate, max(slots) AS slots,
        max(used_ratio) AS used_ratio, max_by(fullest, name_order(fullest_ratio, fullest)) AS fullest, max(fullest_ratio) AS fullest_ratio,
        max(block_pages) AS block_pages, max(interference_rate) AS interference_rate,
        max(volser) AS volser, max(area_s) AS area_s, min(area_start) AS area_start, max(area_end) AS area_end
    FROM area
    GROUP BY platform, system, interval_start, device
),
-- minidisks on the same volumes
guest AS (
    SELECT platform, system, interval_start, device, sum(io_rate) AS io_rate
    FROM minidisk_interval
    WHERE userid <> 'SYSTEM' AND io_rate > 0
    GROUP BY platform, system, interval_start, device
),
queued AS (
    SELECT
        p.*, coalesce(v.volume, p.volser, right(p.device, 4)) AS volume, coalesce(v.interval_s, p.area_s) AS interval_s,
        coalesce(v.local_start, p.area_start) AS local_start, coalesce(v.local_end, p.area_end) AS local_end, v.io_rate, v.queue_length, v.wait_ms, v.service_ms,
        coalesce(v.queue_length >= $queue_length AND v.wait_ms >= $wait_share * v.response_ms AND coalesce(v.throttle_delay_rate, 0) = 0
            AND coalesce(p.page_io_rate, v.io_rate - coalesce(g.io_rate, 0)) >= $paging_share * v.io_rate, FALSE) AS is_slow,
        max(CASE WHEN p.used_ratio IS NOT NULL THEN p.area_end END) OVER (PARTITION BY p.platform, p.system, p.device) AS seen_end,
        max(CASE WHEN p.used_ratio IS NOT NULL THEN p.area_start END) OVER (PARTITION BY p.platform, p.system) AS last_start
    FROM paging p
    -- page space is known from its own report alone
    LEFT JOIN volume_interval v ON {{ equal("platform, system, device, interval_start", "p", "v") }}
    LEFT JOIN guest g ON {{ equal("platform, system, device, interval_start", "g", "p") }}
    WHERE coalesce(v.local_start, p.area_start) IS NOT NULL
),
together AS (
    SELECT
        platform, system, interval_start, local_start, local_end,
        max(interval_s) AS interval_s,
        bool_or(is_slow) AS is_slow,
        count(*) AS paging_volumes,
        sum(queue_length) AS queue_length,
        max_by(volume || ' (' || right(device, 4) || ')', name_order(queue_length, volume)) AS worst_volume,
        {{ each(mean_of("NAME", "CASE WHEN is_slow THEN io_rate END"), "wait_ms service_ms") }},
        CASE
            WHEN avg(CASE WHEN is_slow THEN io_rate END) < $uneven * avg(CASE WHEN NOT is_slow THEN io_rate END)
                THEN {{ mean_of("service_ms", "CASE WHEN NOT is_slow THEN io_rate END") }}
        END AS others_ms,
        sum(page_rate) AS page_rate,
        {{ mean_of("service_ms", "io_rate") }} AS each_ms,
        sum(CASE WHEN is_slow THEN page_rate END) AS slow_page_rate,
        sum(CASE WHEN is_slow THEN interference_rate END) AS interference_rate,
        sum(CASE WHEN is_slow AND interference_rate IS NOT NULL THEN io_rate END) AS slow_io_rate,
        {{ mean_of("used_ratio", "slots") }} AS used_ratio, max_by(fullest, name_order(fullest_ratio, fullest)) AS fullest,
        max(fullest_ratio) AS fullest_ratio, avg(block_pages) AS block_pages
    FROM queued
    GROUP BY platform, system, interval_start, local_start, local_end
),
bad AS (
    SELECT
        *, CASE
            WHEN is_slow THEN queue_length * interval_s
            -- the worst run is the one in which it is fullest
            WHEN used_ratio = most_ratio THEN 1
            ELSE 0
        END AS lost
    FROM (
        SELECT
            *, bool_or(is_slow) OVER (PARTITION BY platform, system) AS is_slow_then,
            max(used_ratio) OVER (PARTITION BY platform, system) AS most_ratio
        FROM together
    ) AS t
    -- space that stays full does not prolong a queue
    WHERE is_slow OR (NOT is_slow_then AND used_ratio >= {{ full }})
),
longest AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY platform, system ORDER BY is_slow DESC, queue_length DESC, interval_start) AS place
    FROM bad
),
found AS (
    SELECT
        platform, system,
        array_join(array_sort(array_distinct(collect_list(CASE WHEN is_slow THEN volume END))), '|') AS slow_volumes,
        array_join(array_sort(array_distinct(collect_list(volume))), '|') AS volumes,
        nullif(array_join(array_sort(array_distinct(collect_list(
            CASE WHEN seen_end < last_start THEN volume || ' since ' || left(CAST(seen_end AS STRING), 16) END
        ))), '|'), '') AS gone
    FROM queued
    GROUP BY platform, system
),
-- at its fullest, which is seldom when the queue is longest
space AS (
    SELECT
        platform, system, max(used_ratio) AS used_ratio,
        max_by(fullest, name_order(fullest_ratio, fullest)) AS fullest, max(fullest_ratio) AS fullest_ratio
    FROM together
    GROUP BY platform, system
),
usual AS (
    SELECT
        platform, system, {{ each("percentile_cont(0.25) WITHIN GROUP (ORDER BY NAME)", "page_rate each_ms", "usual_NAME") }}
    FROM together
    GROUP BY platform, system
),
queues AS (
    SELECT platform, system, max(interval_start) AS last_start, sum(interval_s) AS bad_s, avg(page_rate) AS page_rate
    FROM bad
    WHERE is_slow
    GROUP BY platform, system
),
later AS (
    SELECT q.platform, q.system, max(t.paging_volumes) AS volumes_since
    FROM queues q
    JOIN together t ON {{ equal("platform, system", "t", "q") }} AND t.interval_start > q.last_start
        AND t.page_rate >= (1 - $same_load) * q.page_rate
    GROUP BY q.platform, q.system
    HAVING sum(t.interval_s) >= max(q.bad_s) AND NOT coalesce(max(t.used_ratio / {{ full }}) >= 1, FALSE)
),
day AS ({{ filling("together", "platform, system") }}),
pace AS (
    SELECT platform, system, (1 - day_ratio) / (used_ratio - usual_ratio) * filling_s AS left_s
    FROM day
    WHERE used_ratio > usual_ratio AND day_ratio = fullest_ratio AND (filling_s >= 8e4 OR coalesce(used_ratio > late_ratio, TRUE))
        AND (1 - day_ratio) / (used_ratio - usual_ratio) * filling_s <= 86400 * $soon
),
{% call incident("bad", "platform, system", is_select=true) %}
    SELECT
        l.platform, l.system, CASE WHEN l.is_slow THEN f.slow_volumes ELSE f.volumes END AS volumes,
        l.paging_volumes, l.queue_length, l.worst_volume, l.wait_ms, l.service_ms, l.others_ms, l.page_rate,
        l.slow_page_rate, CASE WHEN l.interference_rate >= $interference * l.slow_io_rate THEN l.interference_rate END AS interference_rate, s.used_ratio,
        CASE WHEN l.page_rate >= $more_pages * u.usual_page_rate THEN u.usual_page_rate END AS usual_page_rate, u.usual_each_ms AS usual_ms,
        s.fullest || ' with ' || CAST(round(100 * s.fullest_ratio) AS BIGINT) || ' %' AS fullest, l.block_pages,
        e.volumes_since, f.gone, d.left_s
    FROM longest l
    LEFT JOIN pace d ON {{ equal("platform, system", "d", "l") }}
    JOIN usual u ON {{ equal("platform, system", "u", "l") }}
    LEFT JOIN later e ON {{ equal("platform, system", "e", "l") }}
    JOIN found f ON {{ equal("platform, system", "f", "l") }}
    JOIN space s ON {{ equal("platform, system", "s", "l") }}
    WHERE l.place = 1
{% endcall %}
ORDER BY w.lost DESC, a.system
