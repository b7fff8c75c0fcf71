-- name: candidates
-- title: Alias candidates
-- about: Volumes that wait and for which aliases are the cure (add), or that have more than they ever use (too_many). Aliases needed is Little's law on the peak interval's means: bursts need more, a saturated box gains nothing.
-- missing: No volume needs more aliases, none has too many.
-- column volume: Volume
-- column system: System
-- column lcu: LCU
-- column verdict: Verdict
-- column exposures: Exposures now
-- column aliases_to_clear_wait: Aliases needed
-- column wait_ms: IOSQ ms
-- column wait_p95_ms: IOSQ p95 ms
-- column wait_share_percent: IOSQ share %
-- column queue_length_peak: Queued at peak
-- column peak: Peak, local time
-- column reason: Why
SELECT c.volume, c.system, c.lcu, c.verdict, c.exposures, c.aliases_to_clear_wait, c.wait_ms, c.wait_p95_ms,
       100 * c.wait_share_ratio AS wait_share_percent, c.queue_length_peak,
       timestamp_micros(unix_micros(c.peak_start) + CAST(coalesce(o.utc_offset_s, 0) AS BIGINT) * 1000000) AS peak,
       c.reason
FROM pav_candidate c
LEFT JOIN (
    SELECT platform, system, max(utc_offset_s) AS utc_offset_s FROM volume_interval GROUP BY platform, system
) o ON o.platform = c.platform AND o.system = c.system
WHERE c.verdict IN ('add', 'too_many')
ORDER BY c.verdict, c.queue_length_mean DESC, c.volume, c.system, c.platform
