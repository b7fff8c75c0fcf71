-- title: Boxes with volumes whose synchronous I/Os fail, and how many of them succeeded in other intervals
-- grain: one row per platform, system, box, is_fallen
-- column is_fallen BOOLEAN []: Far more succeeded in the best intervals of their volumes
-- column attempt_rate DOUBLE [per second]: Synchronous I/Os tried, mean of the bad intervals
-- column success_ratio DOUBLE [ratio 0..1]: Share that succeeded then
-- column usual_ratio DOUBLE [ratio 0..1]: The same, least of the best intervals of these volumes; NULL if there are too few
-- column more_busy DOUBLE [ratio 0..1]: Share that met a busy link, beyond that of these best intervals
-- column more_missed DOUBLE [ratio 0..1]: The same of those that missed the cache
-- column more_rejected DOUBLE [ratio 0..1]: The same of those that timed out or were rejected
-- column sync_ms DOUBLE [milliseconds]: Time of one that succeeds, best intervals
-- column response_ms DOUBLE [milliseconds]: Response of their normal I/Os in the bad intervals
-- column volumes VARCHAR []: These volumes, separated by |
WITH stopping AS (
    SELECT platform, system, volume
    FROM volume_interval
    GROUP BY platform, system, volume
    HAVING max(sync_request_rate) > 0 AND min(sync_request_rate) = 0
),
synchronous AS (
    SELECT
        platform, system, volume, interval_start, interval_s, local_start, local_end, io_rate, response_ms, sync_request_rate,
        sync_read_rate + sync_write_rate AS sync_rate
    FROM volume_interval
    JOIN stopping USING (platform, system, volume)
),
{{ spared_before("synchronous", "sync_rate", "$attempt_rate") }},
tried AS (
    SELECT
        platform, system, volume, interval_start, interval_s, local_start, local_end,
        sync_request_rate AS attempt_rate,
        sync_success_ratio AS success_ratio,
        sync_link_busy_ratio AS busy_ratio,
        sync_miss_ratio AS miss_ratio,
        sync_read_reject_ratio + sync_write_reject_ratio AS reject_ratio,
        {{ sync_ms_rate() }} / nullif(sync_read_rate + sync_write_rate, 0) AS sync_ms,
        response_ms
    FROM volume_interval
    WHERE sync_request_rate > 0 AND sync_success_ratio IS NOT NULL
    UNION ALL
    -- where none is tried any more, those of the time before would be
    SELECT
        platform, system, volume, interval_start, interval_s, local_start, local_end, spared_before, 0, NULL, NULL, NULL, NULL,
        response_ms
    FROM seen
    JOIN (SELECT platform, system, volume, spared_before FROM fallen) AS f USING (platform, system, volume)
    WHERE sync_request_rate = 0 AND local_start >= last_spared
),
placed AS (
    SELECT
        *, row_number() OVER (PARTITION BY platform, system, volume ORDER BY success_ratio DESC, interval_start) AS place
    FROM tried
),
usual AS (
    SELECT
        platform, system, volume,
        min(success_ratio) AS usual_ratio,
        {{ each("avg(NAME)", "busy_ratio miss_ratio reject_ratio sync_ms") }}
    FROM placed
    WHERE place <= $well
    GROUP BY platform, system, volume
    HAVING count(*) = $well
),
failed AS (
    SELECT
        t.platform, t.system, t.volume, t.interval_start, t.interval_s, t.local_start, t.local_end, t.attempt_rate,
        t.success_ratio, t.response_ms, b.box, u.usual_ratio, u.sync_ms,
        coalesce(t.success_ratio <= $success_ratio * u.usual_ratio OR u.usual_ratio - t.success_ratio >= $missed_ratio, FALSE) AS is_fallen,
        at_least_0(t.busy_ratio - coalesce(u.busy_ratio, 0)) AS more_busy,
        at_least_0(t.miss_ratio - coalesce(u.miss_ratio, 0)) AS more_missed,
        at_least_0(t.reject_ratio - coalesce(u.reject_ratio, 0)) AS more_rejected
    FROM tried t
    {{ join_volume_box_then("b", "t") }}
    LEFT JOIN usual u ON {{ equal("platform, system, volume", "u", "t") }}
    WHERE t.success_ratio <= $success_ratio OR u.usual_ratio - t.success_ratio >= $missed_ratio
),
bad AS (
    SELECT
        platform, system, box, is_fallen, interval_start, local_start, local_end,
        sum(attempt_rate) AS attempt_rate,
        {{ each(mean_of("NAME", "attempt_rate"),
            "success_ratio usual_ratio more_busy more_missed more_rejected sync_ms response_ms") }},
        -- what fails is repeated as a normal I/O; at an unknown cost all runs are equal
        coalesce(
            sum(attempt_rate * (usual_ratio - success_ratio) * at_least_0(response_ms - sync_ms) * interval_s) / 1000, 0
        ) AS lost
    FROM failed
    GROUP BY platform, system, box, is_fallen, interval_start, local_start, local_end
    HAVING sum(attempt_rate) >= $attempt_rate
),
named AS (
    SELECT
        platform, system, box, is_fallen, array_join(sort_array(collect_set(volume)), '|') AS volumes
    FROM failed
    GROUP BY platform, system, box, is_fallen
),
{% call incident("bad", "platform, system, box, is_fallen", also=["named"]) %}
    avg(attempt_rate) AS attempt_rate,
    {{ each(mean_of("NAME", "attempt_rate"),
        "success_ratio usual_ratio more_busy more_missed more_rejected sync_ms response_ms") }}
{% endcall %}
ORDER BY w.lost DESC, a.platform, a.system, a.box, a.is_fallen
