-- title: HyperPAV volumes that wait while aliases are free
-- grain: one row per platform, system, volume
-- column ineligible_rate DOUBLE [per second]: Requests that CP could not send to an alias, mean of these intervals (z/VM)
WITH bad AS (
    SELECT
        v.platform, v.system, v.volume, v.lcu, v.local_start, v.local_end, v.io_rate, v.wait_ms, v.response_ms,
        v.queue_length, v.read_ratio, l.alias_high_water, l.hyperpav_aliases, l.alias_throttled_count,
        v.queue_length * v.interval_s AS lost, v.interval_s, i.ineligible_rate
    FROM volume_interval v
    JOIN lcu_interval l ON {{ equal("platform, system, lcu, interval_start", "l", "v") }}
    -- what another system holds is not waited for by the extent
    LEFT JOIN unfit_interval u ON {{ equal("platform, system, volume, interval_start", "u", "v") }} AND u.is_held
    LEFT JOIN throttled_interval t ON {{ equal("platform, system, lcu, interval_start", "t", "v") }} AND t.explains_wait
    LEFT JOIN alias_ineligible_interval i ON {{ equal("platform, system, device, interval_start", "i", "v") }}
    WHERE t.lcu IS NULL AND u.volume IS NULL AND v.is_hyperpav AND v.wait_ms >= $wait_ms AND v.queue_length >= $queue_length
        AND v.wait_ms >= $wait_share * v.response_ms
        -- listings print the ratio alone, and no pool size: a pool that refused no I/O had a free alias
        AND coalesce(l.alias_denied_ratio <= $denied_ratio, l.alias_denied_count <= $denied_ratio * l.alias_io_count)
        AND coalesce(l.alias_high_water < l.hyperpav_aliases, l.hyperpav_aliases IS NULL)
),
{% call incident("bad", "platform, system, volume") %}
    max(lcu) AS lcu,
    max(wait_ms) AS peak_wait_ms,
    max(queue_length) AS queue_length,
    avg(io_rate) AS io_rate,
    {{ each("sum(io_rate * NAME) / sum(io_rate)", "wait_ms response_ms") }},
    1 - min(read_ratio) AS write_ratio,
    {{ mean_of("ineligible_rate", "interval_s") }} AS ineligible_rate,
    max(alias_high_water) AS high_water,
    max(hyperpav_aliases) AS aliases,
    CAST(sum(alias_throttled_count) AS BIGINT) AS throttled
{% endcall %}
ORDER BY w.lost DESC, a.volume, a.system
