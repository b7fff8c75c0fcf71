{#
Rows of box_volume_interval of volumes that may have had closed work, within `worked AS (...)`, with is_closed (its exposures
are all busy, see is_closed, also in the mean of the intervals with as many exposures and about as many I/Os outstanding)
and is_rest (that work may be what queues here too: an interval next to a closed one, or no more I/Os outstanding than those
requesters had, unless the queue is about as long as random arrivals make it and the response well below that of those
requesters: where they ran for a part of the interval it is theirs).
Intervals that say nothing have neither (view unfit_interval). The question has the parameters of is_closed.
#}
{% macro closed_work() -%}
{%- set comparable %}NOT is_held AND NOT is_overfull AND queue_length >= $queue_length{% endset -%}
WITH ever AS (
    -- most volumes have no closed interval
    SELECT DISTINCT platform, system, volume
    FROM box_volume_interval
    -- all of an unknown number are busy is no measurement
    JOIN (SELECT DISTINCT platform, system, volume FROM volume_interval WHERE exposures IS NOT NULL) AS known
        USING (platform, system, volume)
    WHERE is_hyperpav IS NOT TRUE AND NOT is_held AND NOT is_overfull
        AND {{ is_closed("in_service", "queue_length", "exposures") }}
),
judged AS (
    SELECT
        v.*,
        coalesce(
            v.is_hyperpav IS NOT TRUE AND NOT v.is_held AND NOT v.is_overfull
            AND {{ is_closed("v.in_service", "v.queue_length", "v.exposures") }}, FALSE
        ) AS seems_closed,
        coalesce(
            v.in_service < v.exposures AND v.queue_length * (1 - v.in_service / v.exposures)
            BETWEEN $evenness * {{ power_of_random("v.in_service", "v.exposures") }}
            AND {{ power_of_random("v.in_service", "v.exposures") }} / $evenness, FALSE
        ) AS is_random
    FROM box_volume_interval v
    JOIN ever e ON e.platform = v.platform AND e.system = v.system AND e.volume = v.volume
),
near AS (
    SELECT
        *,
        max(CASE WHEN seems_closed THEN in_service + queue_length END) OVER (PARTITION BY platform, system, volume)
            AS requesters,
        min(CASE WHEN seems_closed THEN wait_ms + service_ms END) OVER (PARTITION BY platform, system, volume) AS closed_ms
    FROM judged
),
evened AS (
    SELECT
        *,
        -- near saturation a service time cut to a tenth decides about an interval: the mean of comparable ones counts
        seems_closed AND sum(
            CASE WHEN {{ comparable }} AND in_service < exposures THEN queue_length * (1 - in_service / exposures) ELSE 0 END
        ) OVER comparable
            < $evenness * sum(
                CASE WHEN {{ comparable }} THEN {{ power_of_random("in_service", "exposures") }} END
            ) OVER comparable AS is_closed
    FROM near
    WINDOW comparable AS (
        PARTITION BY platform, system, volume, exposures
        ORDER BY CASE WHEN {{ comparable }} THEN ln(in_service + queue_length) END
        RANGE BETWEEN 3e-1 PRECEDING AND 3e-1 FOLLOWING
    )
),
neighbours AS (
    SELECT
        *,
        bool_or(is_closed) OVER (PARTITION BY platform, system, volume) AS has_closed,
        lag(is_closed) OVER (PARTITION BY platform, system, volume ORDER BY interval_start) AS was_closed,
        lead(is_closed) OVER (PARTITION BY platform, system, volume ORDER BY interval_start) AS becomes_closed
    FROM evened
)
SELECT
    *,
    has_closed AND NOT is_closed AND NOT is_held AND NOT is_overfull AND (
        coalesce(was_closed, FALSE) OR coalesce(becomes_closed, FALSE)
        OR (
            coalesce(in_service + queue_length <= requesters, FALSE)
            AND NOT (is_random AND coalesce(wait_ms + service_ms <= 0.75 * closed_ms, FALSE))
        )
    ) AS is_rest
FROM neighbours
{%- endmacro %}
