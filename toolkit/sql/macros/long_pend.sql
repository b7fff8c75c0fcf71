{#
Intervals in which most volumes of an LCU pend far longer than in their own best intervals, or several queue in the control
unit, where no command response time of an LCU is recorded (z/VM): what all volumes have in common is the way to them. Among common table expressions: gives
unanswered (what volumes did there) and pending, with lcu '' for volumes without an LCU: all of the system, or where most of
those are well, at least three of one range of addresses. Volumes that have lost paths are compared among themselves, and those of
the same channels.
#}
{% macro long_pend(rate, ms, factor) -%}
-- where every LCU has it, volumes are not read
unit_without AS (
    SELECT DISTINCT d.platform, d.system, coalesce(d.lcu, '') AS unit
    FROM _volume_day d
    LEFT JOIN (SELECT DISTINCT platform, system, lcu FROM lcu_usual_cmr) c
        ON {{ equal("platform, system, lcu", "c", "d") }}
    WHERE c.lcu IS NULL
),
in_unit AS (
    SELECT
        v.platform, v.system, coalesce(v.lcu, '') AS lcu, v.volume, v.interval_start, v.interval_s, v.local_start,
        v.local_end, v.io_rate, v.wait_ms, v.pend_ms, v.conn_ms, v.cmr_ms, v.device_busy_ms, v.cu_queue_ms,
        coalesce(v.response_ms, v.service_ms) AS response_ms,
        v.paths, {{ has_lost_paths("v") }} AS is_cut, k.channels, {{ address_range("v") }} AS addresses,
        {{ most_paths("v") }} AS most_paths,
        -- of one volume all intervals are compared with it or all without
        bool_and(v.device_busy_ms IS NOT NULL) OVER (PARTITION BY v.platform, v.system, v.volume) AS has_busy
    FROM volume_interval v
    JOIN unit_without u ON {{ equal("platform, system", "u", "v") }} AND u.unit = coalesce(v.lcu, '')
    LEFT JOIN volume_channel k ON {{ equal("platform, system, volume", "k", "v") }}
    WHERE v.pend_ms IS NOT NULL AND v.io_rate > 0
),
unanswered AS (
    SELECT
        platform, system, lcu, volume, interval_start, interval_s, local_start, local_end, io_rate, wait_ms, response_ms,
        -- where device busy isn't recorded, pend holds it: a finding says so
        CASE WHEN has_busy THEN pend_ms - device_busy_ms ELSE pend_ms END AS pend_ms,
        has_busy, conn_ms, cu_queue_ms, paths, most_paths, is_cut, channels, addresses
    FROM in_unit
    -- above the join, so that no volume is read where there is no such unit
    WHERE cmr_ms IS NULL OR lcu = ''
),
best_pend AS (
    {{ best_of("pend_ms", "unanswered", "platform, system, lcu, volume") }}
),
best_conn AS (
    {{ best_of("conn_ms", "unanswered", "platform, system, lcu, volume") }}
),
compared AS (
    SELECT
        p.*, b.best_ms, c.best_ms AS usual_conn_ms,
        {{ rises("pend_ms", "b.best_ms", factor, ms, "p.platform, p.system, p.lcu") }} AS is_long
    FROM unanswered p
    JOIN best_pend b ON {{ equal("platform, system, lcu, volume", "b", "p") }}
    JOIN best_conn c ON {{ equal("platform, system, lcu, volume", "c", "p") }}
),
spread AS (
    SELECT
        *,
        CASE
            WHEN 2 * sum(CASE WHEN is_long THEN 1 ELSE 0 END) OVER together <= count(*) OVER together THEN addresses
        END AS part
    FROM compared
    WINDOW together AS (PARTITION BY platform, system, lcu, interval_start, is_cut, channels)
),
adjacent AS (
    SELECT *, count(*) OVER (PARTITION BY platform, system, lcu, interval_start, is_cut, channels, part) AS volumes
    FROM spread
),
pending AS (
    SELECT
        platform, system, lcu, interval_start, channels,
        max(interval_s) AS interval_s,
        min(local_start) AS local_start,
        max(local_end) AS local_end,
        sum(io_rate) AS io_rate,
        sum(io_rate * pend_ms) / sum(io_rate) AS pend_ms,
        sum(io_rate * best_ms) / sum(io_rate) AS usual_ms,
        sum(io_rate * response_ms) / sum(io_rate) AS response_ms,
        sum(io_rate * wait_ms) / sum(io_rate) AS wait_ms,
        {{ each(mean_of("NAME", "io_rate"), "conn_ms usual_conn_ms cu_queue_ms") }},
        max(volumes) AS volumes,
        bool_or(has_busy) AS has_busy,
        min(CASE WHEN is_cut THEN paths END) AS paths_left,
        max(CASE WHEN is_cut THEN most_paths END) AS most_paths,
        array_join(sort_array(collect_list(volume)), '|') AS long_volumes
    FROM adjacent
    WHERE is_long
    GROUP BY platform, system, lcu, interval_start, is_cut, channels, part
    -- one volume, or the fewer, may be held by another system
    HAVING (sum(io_rate) >= {{ rate }} OR sum(io_rate * pend_ms) >= 500)
        AND (max(volumes) > CASE WHEN part IS NULL THEN 1 ELSE 2 END OR is_cut)
        AND (2 * count(*) > max(volumes)
            OR (count(*) > 1 AND 2 * sum(io_rate * cu_queue_ms) >= sum(io_rate * (pend_ms - best_ms))))
)
{%- endmacro %}
