-- question: same_extent
-- title: HyperPAV volumes that wait while aliases are free
-- grain: one row per platform, system, volume
WITH bad AS (
    SELECT
        v.platform, v.system, v.volume, v.lcu, v.local_start, v.local_end, v.io_rate, v.wait_ms, v.response_ms,
        v.queue_length, v.read_ratio, l.alias_high_water, l.hyperpav_aliases, l.alias_throttled_count,
        v.queue_length * v.interval_s AS lost
    FROM volume_interval v
    JOIN lcu_interval l
        ON l.platform = v.platform AND l.system = v.system AND l.lcu = v.lcu AND l.interval_start = v.interval_start
    -- what another system holds is not waited for by the extent
    LEFT JOIN unfit_interval u
        ON u.platform = v.platform AND u.system = v.system AND u.volume = v.volume AND u.interval_start = v.interval_start
        AND u.is_held
    LEFT JOIN throttled_interval t
        ON t.platform = v.platform AND t.system = v.system AND t.lcu = v.lcu AND t.interval_start = v.interval_start
        AND t.explains_wait
    WHERE t.lcu IS NULL AND u.volume IS NULL AND v.is_hyperpav AND v.wait_ms >= $wait_ms AND v.queue_length >= $queue_length
        AND v.wait_ms >= $wait_share * v.response_ms
        AND l.alias_denied_count <= $denied_ratio * l.alias_io_count AND l.alias_high_water < l.hyperpav_aliases
),
total AS (
    SELECT
        platform, system, volume,
        max(lcu) AS lcu,
        max(wait_ms) AS peak_wait_ms,
        max(queue_length) AS queue_length,
        sum(io_rate * wait_ms) / sum(io_rate) AS wait_ms,
        sum(io_rate * response_ms) / sum(io_rate) AS response_ms,
        1 - min(read_ratio) AS write_ratio,
        max(alias_high_water) AS high_water,
        max(hyperpav_aliases) AS aliases,
        sum(lost) AS lost_s,
        CAST(sum(alias_throttled_count) AS BIGINT) AS throttled
    FROM bad
    GROUP BY platform, system, volume
),
{% call incident("bad", "platform, system, volume") %}
    SELECT * FROM total
{% endcall %}
ORDER BY a.lost_s DESC, a.volume, a.system
