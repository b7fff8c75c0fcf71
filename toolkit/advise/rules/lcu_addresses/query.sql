-- title: Volumes that wait for static aliases and exhausted pools, with the addresses that their LCU uses
-- grain: one row per platform, lcu, volume, system
-- column advised DOUBLE []: Additional aliases needed by Little's law at the peak
-- note: All systems can use an alias, so the system that needs most decides.
WITH lacking AS (
    SELECT
        platform, lcu, volume,
        max(aliases_to_clear_wait - at_least_0(round(exposures) - 1)) AS advised,
        {{ each("max(NAME)", "wait_ms response_ms") }}
    FROM pav_candidate
    WHERE verdict = 'add' AND is_hyperpav IS NOT TRUE
        AND queue_length_peak >= $queue_length AND wait_share_peak_ratio >= $wait_share
    GROUP BY platform, lcu, volume
),
dry AS (
    SELECT
        p.platform, p.lcu_names AS lcu, p.system,
        ceil(max(i.queue_length)) AS advised,
        max(i.wait_ms) AS wait_ms
    FROM alias_pool p
    JOIN alias_pool_interval i ON i.platform = p.platform AND i.system = p.system AND i.pool = p.pool
    WHERE p.is_size_known AND NOT p.lends AND i.lcus = 1
        AND i.queue_length >= $queue_length AND (i.alias_high_water >= i.aliases OR i.alias_denied_count > 0)
    GROUP BY p.platform, p.lcu_names, p.system
),
needed AS (
    SELECT platform, lcu, volume, CAST(NULL AS STRING) AS system, advised, wait_ms, response_ms FROM lacking
    UNION ALL
    SELECT platform, lcu, CAST(NULL AS STRING), system, advised, wait_ms, CAST(NULL AS DOUBLE) FROM dry
)
SELECT
    a.platform, a.lcu, a.bases, a.static_aliases, a.hyperpav_aliases, a.volumes, n.volume, n.system, n.advised,
    n.wait_ms, n.response_ms
FROM lcu_address a
JOIN needed n ON n.platform = a.platform AND n.lcu = a.lcu
WHERE n.advised > 0 AND a.static_aliases + a.hyperpav_aliases IS NOT NULL
ORDER BY a.platform, a.lcu, n.advised DESC, n.volume, n.system
