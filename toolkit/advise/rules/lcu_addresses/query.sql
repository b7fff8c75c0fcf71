-- question: lcu_addresses
-- title: Volumes that wait for static aliases, with the addresses their LCU uses
-- grain: one row per platform, lcu, volume
-- parameter $queue_length DOUBLE [I/Os]: Queued at once in the worst interval
-- parameter $wait_share DOUBLE [ratio]: Of the response time of that interval
-- column platform VARCHAR []: Operating system that measured
-- column lcu VARCHAR []: Logical control unit, 4 hex digits
-- column bases BIGINT []: Device addresses of bases and plain devices, all systems
-- column static_aliases BIGINT []: Static aliases of its volumes
-- column volumes BIGINT []: Volumes without HyperPAV
-- column volume VARCHAR []: A volume that waits
-- column advised DOUBLE []: Aliases it would take beside those it has, by Little's law on the peak
-- column wait_ms DOUBLE [milliseconds]: Its mean IOSQ on the system where it is longest
-- column response_ms DOUBLE [milliseconds]: Its mean response on the system where it is longest
-- note: An alias is there for all systems: the one that needs most of it decides.
WITH lacking AS (
    SELECT
        platform, lcu, volume,
        max(aliases_to_clear_wait - greatest(round(exposures) - 1, 0)) AS advised,
        max(wait_ms) AS wait_ms,
        max(response_ms) AS response_ms
    FROM pav_candidate
    WHERE verdict = 'add' AND is_hyperpav IS NOT TRUE
        AND queue_length_peak >= $queue_length AND wait_share_peak_ratio >= $wait_share
    GROUP BY platform, lcu, volume
)
SELECT a.platform, a.lcu, a.bases, a.static_aliases, a.volumes, n.volume, n.advised, n.wait_ms, n.response_ms
FROM lcu_address a
JOIN lacking n ON n.platform = a.platform AND n.lcu = a.lcu
WHERE n.advised > 0
ORDER BY a.platform, a.lcu, n.advised DESC, n.volume
