-- title: Intervals in which a box delayed fast writes because NVS was full: in bursts, steadily, or with NVS pinned
-- grain: one row per box and such an interval of the whole box; one without an interval if only a part of the box has any
-- column run_s DOUBLE [s]: How long the intervals with delayed writes last that follow each other, this one among them
-- column is_steady_then BOOLEAN []: The interval and an adjacent one had delayed writes at the destage ceiling
-- column pinned_ratio DOUBLE [ratio 0..1]: NVS that is pinned of all, most in these intervals
-- column offline_ratio DOUBLE [ratio 0..1]: Cache that is offline, mean of the delayed writes
-- column nvs_most_bytes DOUBLE [bytes]: NVS of a subsystem before it had less; NULL if it never had
-- column online_at TIMESTAMP [local time]: No cache is offline since; NULL if some is at the end
WITH overloaded AS (
    SELECT *, coalesce(steady_ratio >= $delayed_ratio, FALSE) AS is_steady_then
    FROM box_nvs_interval
    WHERE nvs_delay_ratio >= $delayed_ratio
),
{{ nvs_runs() }},
seen AS (
    SELECT
        coalesce(b.box, n.subsystem) AS box, b.serial, b.control_unit_type, n.*
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
    SELECT box, max(serial) AS serial, max(control_unit_type) AS control_unit_type
    FROM seen
    WHERE nvs_delay_ratio >= $delayed_ratio
    GROUP BY box
),
pinned AS (
    SELECT
        coalesce(b.box, c.subsystem) AS box,
        max(CASE WHEN c.nvs_delay_count > 0 THEN c.nvs_pinned_bytes / nullif(c.nvs_bytes, 0) END) AS pinned_ratio,
        {{ mean_of("c.cache_offline_bytes / nullif(c.cache_bytes, 0)", "c.nvs_delay_count") }} AS offline_ratio,
        max(CASE WHEN c.nvs_bytes < c.nvs_before THEN c.nvs_before END) AS nvs_most_bytes,
        CASE
            WHEN max(CASE WHEN c.cache_offline_bytes > 0 THEN c.local_end END) < max(c.local_end)
                THEN max(CASE WHEN c.cache_offline_bytes > 0 THEN c.local_end END)
        END AS online_at
    FROM (
        SELECT *, max(nvs_bytes) OVER (PARTITION BY serial, subsystem ORDER BY local_start) AS nvs_before FROM cache_subsystem_interval
    ) AS c
    LEFT {{ join_box_then("b", "c") }}
    GROUP BY coalesce(b.box, c.subsystem)
),
{% call incident("bad", "box", is_select=true) %}
    SELECT
        s.box, s.serial, s.control_unit_type, o.local_start, o.local_end, o.interval_s, o.nvs_delay_count, o.write_count,
        o.late_write_count, o.destage_rate, o.destage_rate_max, coalesce(o.at_ceiling, FALSE) AS at_ceiling, o.as_busy_free, o.nvs_bytes,
        u.run_s, o.is_steady_then, p.pinned_ratio, p.offline_ratio, p.nvs_most_bytes, p.online_at
    FROM whole s
    LEFT JOIN overloaded o ON o.box = s.box
    LEFT JOIN run u ON u.box = o.box AND u.interval_start = o.interval_start
    LEFT JOIN pinned p ON p.box = s.box
{% endcall %}
ORDER BY a.box, a.local_start
