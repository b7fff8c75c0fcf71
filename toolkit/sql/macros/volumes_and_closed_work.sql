{#
Rows of box_volume_interval, within `worked AS (...)`, with is_closed (its exposures are all busy while the queue is
shorter than random arrivals would make it: requesters wait for each answer) and is_rest (that work may be what queues
here too: an interval next to a closed one, or no more I/Os outstanding than those requesters had, unless the queue is
about as long as random arrivals make it and the response well below that of those requesters: where they ran for a part of
the interval it is theirs).
Intervals that say nothing have neither (view unfit_interval). The question has the parameters
$queue_length, $busy and $evenness.
#}
{% macro volumes_and_closed_work() -%}
WITH judged AS (
    SELECT
        *,
        coalesce(
            is_hyperpav IS NOT TRUE AND NOT is_held AND NOT is_overfull AND queue_length >= $queue_length AND in_service >= $busy * exposures
            AND (in_service >= exposures OR queue_of_random < $evenness), FALSE
        ) AS is_closed,
        coalesce(in_service < exposures AND queue_of_random BETWEEN $evenness AND 1 / $evenness, FALSE) AS is_random
    FROM (
        SELECT
            *,
            -- over that of an M/M/c queue (Sakasegawa)
            CASE
                WHEN in_service > 0
                    THEN queue_length * (1 - in_service / exposures)
                        / pow(in_service / exposures, sqrt(2 * (exposures + 1)))
            END AS queue_of_random
        FROM box_volume_interval
    ) AS v
),
ever AS (
    SELECT DISTINCT platform, system, volume FROM judged WHERE is_closed
),
near AS (
    -- most volumes have no closed interval: windows over their rows would take longer than all else
    SELECT
        t.*,
        lag(t.is_closed) OVER (PARTITION BY t.platform, t.system, t.volume ORDER BY t.interval_start) AS was_closed,
        lead(t.is_closed) OVER (PARTITION BY t.platform, t.system, t.volume ORDER BY t.interval_start) AS becomes_closed,
        max(CASE WHEN t.is_closed THEN t.in_service + t.queue_length END)
            OVER (PARTITION BY t.platform, t.system, t.volume) AS requesters,
        min(CASE WHEN t.is_closed THEN t.wait_ms + t.service_ms END)
            OVER (PARTITION BY t.platform, t.system, t.volume) AS closed_ms
    FROM judged t
    JOIN ever e ON e.platform = t.platform AND e.system = t.system AND e.volume = t.volume
)
SELECT
    *,
    NOT is_closed AND NOT is_held AND NOT is_overfull AND (
        coalesce(was_closed, FALSE) OR coalesce(becomes_closed, FALSE)
        OR (
            coalesce(in_service + queue_length <= requesters, FALSE)
            AND NOT (is_random AND coalesce(wait_ms + service_ms <= 0.75 * closed_ms, FALSE))
        )
    ) AS is_rest
FROM near
UNION ALL
SELECT
    t.*, CAST(NULL AS BOOLEAN) AS was_closed, CAST(NULL AS BOOLEAN) AS becomes_closed,
    CAST(NULL AS DOUBLE) AS requesters, CAST(NULL AS DOUBLE) AS closed_ms, FALSE AS is_rest
FROM judged t
LEFT JOIN ever e ON e.platform = t.platform AND e.system = t.system AND e.volume = t.volume
WHERE e.volume IS NULL
{%- endmacro %}
