-- fragment: volumes and their closed work
-- Rows of box_volume_interval, within `worked AS (...)`, with is_closed (its exposures are all busy while the queue is
-- shorter than random arrivals would make it: requesters wait for each answer) and is_rest (that work may be what queues
-- here too: an interval next to a closed one, or no more I/Os outstanding than those requesters had). The question has the
-- parameters $queue_length, $busy and $evenness.
WITH told AS (
    SELECT
        *,
        coalesce(
            is_hyperpav IS NOT TRUE AND queue_length >= $queue_length AND in_service >= $busy * exposures
            AND (
                in_service >= exposures
                OR queue_length * (1 - in_service / exposures)
                    < $evenness * pow(in_service / exposures, sqrt(2 * (exposures + 1)))
            ), FALSE
        ) AS is_closed
    FROM box_volume_interval
),
near AS (
    SELECT
        *,
        lag(is_closed) OVER (PARTITION BY platform, system, volume ORDER BY interval_start) AS was_closed,
        lead(is_closed) OVER (PARTITION BY platform, system, volume ORDER BY interval_start) AS becomes_closed,
        max(CASE WHEN is_closed THEN in_service + queue_length END) OVER (PARTITION BY platform, system, volume) AS requesters
    FROM told
)
SELECT
    *,
    NOT is_closed AND (
        coalesce(was_closed, FALSE) OR coalesce(becomes_closed, FALSE)
        OR coalesce(in_service + queue_length <= requesters, FALSE)
    ) AS is_rest
FROM near
