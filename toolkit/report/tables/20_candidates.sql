-- name: candidates
-- title: Alias candidates
-- about: Volumes that wait and for which aliases are the cure, and volumes that have more than they ever use. Aliases needed is Little's law on the peak interval's means: bursts need more, a saturated box gains nothing.
-- missing: No volume needs more aliases, none has too many.
-- column volume: Volume
-- column system: System
-- column lcu: LCU
-- column exposures .1: Exposures now
-- column aliases_to_clear_wait: Aliases needed
-- column wait_ms .2: IOSQ ms
-- column wait_p95_ms .2: IOSQ p95 ms
-- column wait_share_percent .1: IOSQ share %
-- column queue_length_peak .1: Queued at peak
-- column peak: Peak, local time
-- column cure: Cure
SELECT c.volume, c.system, c.lcu, c.exposures, c.aliases_to_clear_wait, c.wait_ms, c.wait_p95_ms,
       100 * c.wait_share_ratio AS wait_share_percent, c.queue_length_peak,
       timestamp_micros(unix_micros(c.peak_start) + CAST(coalesce(o.utc_offset_s, 0) AS BIGINT) * 1000000) AS peak,
       CASE WHEN c.verdict = 'too_many' THEN 'fewer aliases would do'
            WHEN c.is_hyperpav THEN 'more aliases in the pool of its LCU'
            ELSE 'more aliases for it' END AS cure
FROM pav_candidate c
LEFT JOIN (
    SELECT platform, system, max(utc_offset_s) AS utc_offset_s FROM volume_interval GROUP BY platform, system
) o ON o.platform = c.platform AND o.system = c.system
WHERE c.verdict IN ('add', 'too_many')
ORDER BY c.verdict, c.queue_length_mean DESC, c.volume, c.system, c.platform
