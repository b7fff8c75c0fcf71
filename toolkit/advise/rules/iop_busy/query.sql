-- title: Systems with a busy I/O processor, and how busy the others were
-- grain: one row per platform, system
-- column iop VARCHAR []: The busiest I/O processor of the bad intervals
-- column other_iops BIGINT []: I/O processors below the limit then, most in an interval
-- column busy_ratio DOUBLE [ratio 0..1]: Share of samples that found it busy, most in an interval
-- column others_ratio DOUBLE [ratio 0..1]: The same of those below the limit then, mean; NULL if there were none
-- column queue_length DOUBLE []: Requests in the initiative queues of the busy ones when another one came, most in an interval
-- column retried_ratio DOUBLE [ratio 0..1]: Attempts of the busy ones that had to be retried, mean
WITH kept AS (
    SELECT *, busy_ratio >= $busy_ratio AS is_busy FROM iop_interval WHERE busy_ratio IS NOT NULL
),
each_interval AS (
    SELECT
        platform, system, interval_start, local_start, local_end,
        max(interval_s) AS interval_s,
        count(CASE WHEN NOT is_busy THEN 1 END) AS other_iops,
        max(busy_ratio) AS busy_ratio,
        max_by(iop, name_order(busy_ratio, iop)) AS iop,
        avg(CASE WHEN NOT is_busy THEN busy_ratio END) AS others_ratio,
        sum(CASE WHEN is_busy THEN queue_length END) AS queue_length,
        avg(CASE WHEN is_busy THEN retried_ratio END) AS retried_ratio
    FROM kept
    GROUP BY platform, system, interval_start, local_start, local_end
),
-- its queue is what it costs, as a request that comes finds the mean queue; without one recorded all runs are equal
bad AS (
    SELECT *, coalesce(queue_length, 0) * interval_s AS lost FROM each_interval WHERE busy_ratio >= $busy_ratio
),
{% call incident("bad", "platform, system") %}
    max_by(iop, name_order(busy_ratio, iop)) AS iop,
    {{ each("max(NAME)", "other_iops busy_ratio") }},
    avg(others_ratio) AS others_ratio,
    max(queue_length) AS queue_length,
    avg(retried_ratio) AS retried_ratio
{% endcall %}
ORDER BY w.lost DESC, a.platform, a.system
