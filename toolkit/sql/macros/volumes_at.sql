{#
Volumes of a box during an interval of one of its systems, one row per volume, all means over that interval, within
`volume_then AS (...)`. RELATION has one row per box, box_interval_start, interval_start and interval_s. What other
systems measured in shorter or longer intervals counts by its overlap: queues of intervals one after the other never
add up.
#}
{% macro volumes_at(relation) -%}
WITH part AS (
    SELECT
        m.box, m.box_interval_start, m.interval_start, m.interval_s, v.platform, v.system, v.volume, v.lcu, v.serial,
        v.control_unit_type, v.exposures, v.is_hyperpav, v.read_ratio, v.io_rate, v.in_service, v.queue_length,
        (
            least(unix_micros(v.interval_start) + 1e6 * v.interval_s, unix_micros(m.interval_start) + 1e6 * m.interval_s)
            - greatest(unix_micros(v.interval_start), unix_micros(m.interval_start))
        ) / 1e6 AS part_s
    FROM box_volume_interval v
    JOIN {{ relation }} m ON m.box = v.box AND m.box_interval_start = v.box_interval_start
),
summed AS (
    SELECT
        box, interval_start, interval_s, platform, system, volume,
        {{ each("max(NAME)", "box_interval_start lcu serial control_unit_type") }},
        bool_or(is_hyperpav) AS is_hyperpav,
        sum(part_s * exposures) / sum(part_s) AS exposures,
        {{ mean_of("read_ratio", "part_s * io_rate") }} AS read_ratio,
        sum(part_s * io_rate) AS ios,
        sum(part_s * in_service) AS served_s,
        sum(part_s * queue_length) AS waited_s,
        -- a volume without I/Os has no row: the one with the most rows shows how long its system measured
        max(sum(part_s)) OVER (PARTITION BY box, interval_start, interval_s, platform, system) AS measured_s
    FROM part
    WHERE part_s > 0
    GROUP BY box, interval_start, interval_s, platform, system, volume
)
SELECT
    box, box_interval_start, interval_start, interval_s, platform, system, volume, lcu, serial, control_unit_type,
    is_hyperpav, exposures, read_ratio,
    ios / measured_s AS io_rate,
    1e3 * waited_s / ios AS wait_ms,
    1e3 * served_s / ios AS service_ms,
    served_s / measured_s AS in_service,
    waited_s / measured_s AS queue_length
FROM summed
{%- endmacro %}
