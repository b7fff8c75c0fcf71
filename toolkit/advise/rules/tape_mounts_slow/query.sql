-- title: Systems whose tape drives of a type wait for mounts far longer than at other times
-- grain: one row per platform, system, device_type
-- column drives BIGINT []: Drives online, most
-- column allocated DOUBLE []: Of them allocated, mean of the bad intervals
-- column mounting DOUBLE []: Drives with a mount pending, mean of the bad intervals
-- column usual_mounting DOUBLE []: The same in the first quartile of all intervals with a mount
-- column mounts BIGINT []: Mounts in the bad intervals; NULL if none is counted
-- column pending_s DOUBLE [s]: Time that mounts were pending then, summed over drives
-- column devices VARCHAR []: Drives with a mount pending then, separated by |
-- column offline VARCHAR []: Drives that were last online before these intervals, separated by |
-- column usual_mount_s DOUBLE [s]: How long a mount was pending in the other intervals
-- column library VARCHAR []: The library whose mounts became slowest; NULL without its records (94.1), as what follows
-- column library_s DOUBLE [s]: Time of its mounts in the hours of bad intervals
-- column library_usual_s DOUBLE [s]: Time of its mounts at other hours
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
drive AS (
    SELECT
        d.platform, d.system, coalesce(d.device_type, '') AS device_type, right(d.device, 4) AS drive,
        max(d.interval_start) AS last_online,
        bool_or(b.system IS NOT NULL AND d.mount_pending_ratio > 0) AS is_waiting
    FROM device_interval d
    LEFT JOIN bad b ON {{ equal("platform, system, interval_start", "b", "d") }} AND b.device_type = coalesce(d.device_type, '')
    WHERE d.device_class = 'tape' AND coalesce(d.online, TRUE)
    GROUP BY d.platform, d.system, coalesce(d.device_type, ''), right(d.device, 4)
),
drives_of AS (
    SELECT
        platform, system, device_type,
        array_join(array_sort(collect_list(CASE WHEN is_waiting THEN drive END)), '|') AS devices,
        nullif(array_join(array_sort(collect_list(CASE WHEN last_online < first_bad THEN drive END)), '|'), '') AS offline
    FROM drive
    JOIN (
        SELECT platform, system, device_type, min(interval_start) AS first_bad FROM bad GROUP BY platform, system, device_type
    ) AS b USING (platform, system, device_type)
    GROUP BY platform, system, device_type
),
others AS (
    SELECT k.platform, k.system, k.device_type, sum(k.mounting * k.interval_s) / nullif(sum(k.mounts), 0) AS usual_mount_s
    FROM kept k
    LEFT JOIN bad b ON {{ equal("platform, system, device_type, interval_start", "b", "k") }}
    WHERE b.system IS NULL
    GROUP BY k.platform, k.system, k.device_type
),
library AS (
    SELECT
        u.platform, u.system, u.device_type, library,
        {{ mean_of("l.mount_s", "CASE WHEN h.hour IS NOT NULL THEN l.mount_count END") }} AS library_s,
        {{ mean_of("l.mount_s", "CASE WHEN h.hour IS NULL THEN l.mount_count END") }} AS library_usual_s
    FROM usual u
    JOIN tape_library_interval l ON l.mount_count > 0
    LEFT JOIN (SELECT DISTINCT platform, system, device_type, date_trunc('hour', local_start) AS hour FROM bad) h
        ON {{ equal("platform, system, device_type", "h", "u") }} AND h.hour = date_trunc('hour', l.local_start)
    GROUP BY u.platform, u.system, u.device_type, library
),
library_of AS (
    -- of several the one that became slowest: no record says which of them a drive is in
    SELECT
        platform, system, device_type, max_by(library, name_order(library_s / library_usual_s, library)) AS library,
        max_by(library_s, name_order(library_s / library_usual_s, library)) AS library_s,
        max_by(library_usual_s, name_order(library_s / library_usual_s, library)) AS library_usual_s
    FROM library
    WHERE library_s > 0 AND library_usual_s > 0
    GROUP BY platform, system, device_type
),
{% call incident("bad", "platform, system, device_type", also=["drives_of", "others", "library_of"]) %}
    max(drives) AS drives,
    {{ each(mean_of("NAME", "interval_s"), "allocated mounting") }},
    max(usual_mounting) AS usual_mounting,
    CAST(sum(mounts) AS BIGINT) AS mounts,
    sum(mounting * interval_s) AS pending_s
{% endcall %}
ORDER BY a.platform, a.system, a.device_type
