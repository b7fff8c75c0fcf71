-- title: Systems whose tape drives of a type wait for mounts far longer than at other times
-- grain: one row per platform, system, device_type
-- column drives BIGINT []: Drives online, most
-- column allocated DOUBLE []: Of them allocated, mean of the bad intervals
-- column mounting DOUBLE []: Drives with a mount pending, mean of the bad intervals
-- column usual_mounting DOUBLE []: The same in the first quartile of all intervals with a mount
-- column mounts BIGINT []: Mounts in the bad intervals; NULL if none is counted
-- column devices VARCHAR []: Drives with a mount pending then, separated by |
WITH {{ tape_drives("mount_pending_ratio") }},
usual AS (
    SELECT platform, system, device_type, percentile_cont(0.25) WITHIN GROUP (ORDER BY mounting) AS usual_mounting
    FROM kept
    WHERE mounting > 0 OR mounts > 0
    GROUP BY platform, system, device_type
),
bad AS (
    SELECT k.*, u.usual_mounting, (k.mounting - u.usual_mounting) * k.interval_s AS lost
    FROM kept k
    JOIN usual u ON {{ equal("platform, system, device_type", "u", "k") }}
    WHERE k.mounting >= $mounting AND k.mounting >= $rise * u.usual_mounting
        AND coalesce(k.mounting * k.interval_s >= $mount_s * k.mounts, TRUE)
),
waiting AS (
    SELECT
        b.platform, b.system, b.device_type,
        array_join(array_sort(array_distinct(collect_list(right(d.device, 4)))), '|') AS devices
    FROM bad b
    JOIN device_interval d ON {{ equal("platform, system, interval_start", "d", "b") }} AND coalesce(d.device_type, '') = b.device_type
    WHERE d.device_class = 'tape' AND d.mount_pending_ratio > 0 AND coalesce(d.online, TRUE)
    GROUP BY b.platform, b.system, b.device_type
),
{% call incident("bad", "platform, system, device_type", also=["waiting"]) %}
    max(drives) AS drives,
    {{ each(mean_of("NAME", "interval_s"), "allocated mounting") }},
    max(usual_mounting) AS usual_mounting,
    CAST(sum(mounts) AS BIGINT) AS mounts,
    sum(mounting * interval_s) AS pending_s
{% endcall %}
ORDER BY a.platform, a.system, a.device_type
