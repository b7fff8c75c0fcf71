-- layer: promised
-- title: Volumes that wait, with a verdict on aliases
-- grain: one row per platform, system, volume
-- columns: platform, system, volume
-- column device VARCHAR []: The base (or single) device in the peak interval
-- column lcu VARCHAR []: Logical control unit in the peak interval
-- column intervals BIGINT []: Intervals with a measured response
-- column io_rate DOUBLE [per second]: Mean rate over all intervals
-- column queue_length_mean DOUBLE []: Mean queue over all intervals, weighted by interval length
-- column queue_length_peak DOUBLE []: Queue of the peak interval: the longest interval mean among those in which the wait is a good part of the response and more exposures could shorten it (see unfit_interval), else where it is a good part, else of all
-- column peak_start TIMESTAMP [UTC]: Start of the peak interval
-- columns: wait_ms
-- column wait_p95_ms DOUBLE [milliseconds]: 95th percentile of the intervals' mean waits
-- columns: service_ms, response_ms
-- column wait_share_ratio DOUBLE [ratio 0..1]: Share of the response spent waiting = wait_ms / response_ms
-- column wait_peak_ms DOUBLE [milliseconds]: Wait in the peak interval
-- column wait_share_peak_ratio DOUBLE [ratio 0..1]: Share of the response spent waiting in the peak interval
-- column in_service_peak DOUBLE []: Mean I/Os in progress in the peak interval
-- column exposures DOUBLE []: Base plus aliases in the peak interval; NULL where they are unknown
-- column is_hyperpav BOOLEAN []: Aliases come from a pool of the LCU
-- column alias_denied_count DOUBLE [events in the interval]: I/Os of the LCU that found no free alias, whole span; NULL without type 78.3 records
-- column aliases_to_clear_wait BIGINT []: Fewest aliases for the mean demand of the peak interval = ceil(in service + waiting) - 1, at least one more than then while a queue remains; no more than cleared it since; NULL where the measurement contradicts itself
-- column verdict VARCHAR []: add, enough, too_many, will_not_help
-- column reason VARCHAR []: Why, in numbers
-- column unused_aliases BIGINT []: Its own aliases without I/O while it queued (see unused_alias); NULL if they are used
-- column is_held BOOLEAN []: Another system or CP (see unfit_interval) or SET THROTTLE held the volume in every interval in which it waits
-- column is_overfull BOOLEAN []: The measurement of the peak interval contradicts itself, see unfit_interval; the verdict is based on the queue alone
-- note: An I/O queuing listing prints the share of I/Os that found no free alias instead of a count. If it is 0, the pool was never exhausted.
-- note: One interval with a queue is enough for a verdict. Means over the span are not used.
-- note: A volume has enough if it (or its pool) got exposures after the peak and handled the same rate without a queue. Measurements take precedence over predictions.
-- note: aliases_to_clear_wait is Little's law on interval means. It assumes that the control unit serves more I/Os at once at the same speed. Bursts inside an interval need more aliases; a saturated control unit gains nothing. The models predict both.
{# where so great a part of the rate came again with more exposures, those were tried #}
{%- set seen_ratio = 0.9 -%}
{%- set queued, served = "CAST(round(queue_length_peak, 2) AS STRING)", "CAST(round(in_service_peak, 2) AS STRING)" -%}
{%- set had, since = "CAST(round(assumed_exposures, 1) AS STRING)", "CAST(round(since_queue, 2) AS STRING)" -%}
{%- set share = "CAST(round(100 * wait_share_peak_ratio, 1) AS STRING)" -%}
WITH span AS (
    SELECT
        platform, system, volume,
        CAST(sum(intervals) AS BIGINT) AS intervals,
        sum(ios) / nullif(sum(measured_s), 0) AS io_rate,
        sum(queued) / nullif(sum(measured_s), 0) AS queue_length_mean,
        sum(waited) / nullif(sum(ios), 0) AS wait_ms,
        sum(served) / nullif(sum(ios), 0) AS service_ms,
        min_by(interval_start, first_order(kind, -queue_length, -in_service, interval_start)) AS peak_start
    FROM _volume_peak
    GROUP BY platform, system, volume
),
high AS (
    SELECT
        platform, system, volume,
        percentile_cont(0.95) WITHIN GROUP (ORDER BY CASE WHEN io_rate > 0 AND service_ms IS NOT NULL THEN wait_ms END)
            AS wait_p95_ms
    FROM volume_interval
    GROUP BY platform, system, volume
),
denied AS (
    SELECT
        platform, system, lcu, sum(alias_denied_count) AS alias_denied_count, max(alias_denied_ratio) AS denied_ratio
    FROM lcu_extra
    GROUP BY platform, system, lcu
),
pool_now AS (
    SELECT platform, system, lcu, max_by(hyperpav_aliases, interval_start) AS aliases_now
    FROM lcu_interval
    WHERE hyperpav_aliases IS NOT NULL
    GROUP BY platform, system, lcu
    HAVING min(hyperpav_aliases) < max(hyperpav_aliases)
),
-- what a volume did while its pool had as many aliases as now
pool_since AS (
    SELECT
        p.platform, p.system, p.volume, n.aliases_now, max(p.most_queued) AS queue_length, max(p.most_rate) AS io_rate
    FROM _volume_peak p
    JOIN pool_now n ON {{ equal("platform, system, lcu", "n", "p") }} AND n.aliases_now = p.hyperpav_aliases
    GROUP BY p.platform, p.system, p.volume, n.aliases_now
),
demand AS (
    SELECT
        s.*, h.wait_p95_ms, p.device, p.lcu,
        p.queue_length AS queue_length_peak,
        p.wait_ms AS wait_peak_ms,
        p.wait_ms / nullif(p.wait_ms + p.service_ms, 0) AS wait_share_peak_ratio,
        p.waits, p.is_short,
        p.in_service AS in_service_peak,
        p.is_held, p.is_overfull,
        {{ takes_aliases("p.device_type") }} AS takes_aliases,
        p.device_type,
        coalesce(p.exposures, 1) AS assumed_exposures,
        p.exposures,
        coalesce(p.is_hyperpav, FALSE) AS is_hyperpav,
        d.alias_denied_count,
        coalesce(d.alias_denied_count, d.denied_ratio) = 0 AS never_denied,
        s.wait_ms / nullif(s.wait_ms + s.service_ms, 0) AS wait_share_ratio,
        at_least_0(ceil(p.in_service + p.queue_length) - 1) AS needed,
        x.exposures_now AS since_exposures,
        coalesce(x.queue_length, n.queue_length) AS since_queue,
        CASE
            WHEN p.is_hyperpav AND n.aliases_now > p.hyperpav_aliases AND n.queue_length < {{ queue_limit() }}
                AND n.io_rate >= {{ seen_ratio }} * p.io_rate THEN n.aliases_now
        END AS since_pool,
        u.unused_aliases
    FROM _volume_peak p
    JOIN span s ON {{ equal("platform, system, volume", "s", "p") }} AND s.peak_start = p.interval_start
    JOIN high h ON {{ equal("platform, system, volume", "h", "s") }}
    LEFT JOIN denied d ON d.platform = s.platform AND d.system = s.system AND d.lcu = p.lcu
    LEFT JOIN exposure_change x
        ON x.platform = s.platform AND x.system = s.system AND x.volume = s.volume
        AND x.exposures_now > round(coalesce(p.exposures, 1))
        AND x.queue_length < {{ queue_limit() }} AND x.io_rate >= {{ seen_ratio }} * p.io_rate
    LEFT JOIN pool_since n ON {{ equal("platform, system, volume", "n", "s") }}
    LEFT JOIN unused_alias u ON {{ equal("platform, system, volume", "u", "s") }}
),
judged AS (
    SELECT
        d.*,
        CASE
            WHEN takes_aliases AND NOT is_overfull THEN CAST(least(
                CASE WHEN waits THEN greatest(needed, ceil(assumed_exposures)) ELSE needed END,
                CASE WHEN waits THEN since_exposures - 1 END
            ) AS BIGINT)
        END AS aliases_to_clear_wait,
        CASE
            WHEN NOT waits AND NOT is_hyperpav AND assumed_exposures >= 2 * (needed + 1) AND assumed_exposures >= 3 THEN 'too_many'
            WHEN NOT waits OR coalesce(since_exposures, since_pool) IS NOT NULL THEN 'enough'
            WHEN is_short OR NOT takes_aliases THEN 'will_not_help'
            WHEN is_hyperpav AND never_denied THEN 'will_not_help'
            WHEN is_held THEN 'will_not_help'
            WHEN unused_aliases IS NOT NULL THEN 'will_not_help'
            ELSE 'add'
        END AS verdict
    FROM demand d
)
SELECT
    *,
    wait_ms + service_ms AS response_ms,
    CASE
        WHEN verdict = 'too_many'
            THEN 'never waits; ' || {{ served }} || ' I/Os in progress at the peak against ' || {{ had }} || ' exposures'
        WHEN verdict = 'enough' AND waits AND since_pool IS NOT NULL
            THEN {{ queued }} || ' I/Os queued at the peak; since the pool of the LCU has ' || CAST(since_pool AS STRING)
                || ' aliases, as many came and at most ' || {{ since }} || ' queued'
        WHEN verdict = 'enough' AND waits
            THEN {{ queued }} || ' I/Os queued at the peak for ' || {{ had }} || ' exposures; since it has '
                || CAST(CAST(since_exposures AS BIGINT) AS STRING) || ', as many came and at most ' || {{ since }} || ' queued'
        WHEN verdict = 'enough' THEN 'no wait to speak of; at most ' || {{ queued }} || ' I/Os queued'
        WHEN verdict = 'will_not_help' AND is_short
            THEN 'only ' || {{ share }} || ' % of the response is wait at the peak; '
                || CAST(round(service_ms, 2) AS STRING) || ' ms are spent in channel and control unit'
        WHEN verdict = 'will_not_help' AND NOT takes_aliases
            THEN 'a device of type ' || device_type || ' takes no aliases: ' || {{ queued }} || ' I/Os queue for another reason'
        WHEN is_overfull AND verdict IN ('add', 'will_not_help')
            THEN {{ served }} || ' I/Os in progress at the peak against ' || {{ had }}
                || ' exposures, which hold one each: the measurement contradicts itself'
        WHEN verdict = 'will_not_help' AND is_held
            THEN 'its I/Os queue while another system, CP or SET THROTTLE holds the volume: I/Os on more exposures wait as well'
        WHEN verdict = 'will_not_help' AND unused_aliases IS NOT NULL
            THEN CAST(unused_aliases AS STRING) || ' of ' || CAST(CAST(round(assumed_exposures) - 1 AS BIGINT) AS STRING)
                || ' aliases of its own did no I/O while ' || {{ queued }} || ' I/Os queued: find out why'
        WHEN verdict = 'will_not_help'
            THEN 'the alias pool of LCU ' || lcu || ' never ran dry: the wait has another cause than aliases'
        ELSE {{ queued }} || ' I/Os queued with ' || {{ served }} || ' in progress at the peak; '
            || {{ share }} || ' % of the response is wait then'
            || CASE WHEN is_hyperpav THEN '; add to the pool of the LCU' ELSE '' END
    END AS reason
FROM judged
