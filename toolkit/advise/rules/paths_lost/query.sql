-- title: Volumes with fewer channel paths online than before
-- grain: one row per platform, system, lcu, volume
-- column seen_end TIMESTAMP [local time]: End of the volume's last interval
-- column paths BIGINT [paths]: Fewest channel paths online then
-- column most_paths BIGINT [paths]: Most that were online before
WITH seen AS (
    SELECT
        platform, system, coalesce(lcu, '') AS lcu, volume, device, control_unit_type, local_start, local_end, paths,
        interval_s AS lost,
        -- of the same device: where a volume moved to, there may be fewer
        max(paths) OVER (PARTITION BY platform, system, volume, device ORDER BY interval_start) AS most_paths,
        max(local_end) OVER (PARTITION BY platform, system, volume) AS seen_end
    FROM volume_interval
    WHERE paths IS NOT NULL
),
bad AS (
    SELECT * FROM seen WHERE paths < most_paths
),
{% call incident("bad", "platform, system, lcu, volume") %}
    max(device) AS device,
    max(control_unit_type) AS control_unit_type,
    max(seen_end) AS seen_end,
    min(paths) AS paths,
    max(most_paths) AS most_paths
{% endcall %}
ORDER BY a.platform, a.system, a.lcu, a.volume
