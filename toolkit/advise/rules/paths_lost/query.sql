-- title: Volumes with fewer channel paths online than before
-- grain: one row per platform, system, lcu, volume
-- column seen_end TIMESTAMP [local time]: End of the volume's last interval
-- column paths BIGINT [paths]: Fewest channel paths online then
-- column most_paths BIGINT [paths]: Most that were online before
-- column ios DOUBLE [I/Os]: I/Os with fewer paths
-- column took_ms DOUBLE [milliseconds]: Response of all of them together
-- column well_ios DOUBLE [I/Os]: I/Os with all paths
-- column well_took_ms DOUBLE [milliseconds]: Response of all of them together
WITH seen AS (
    SELECT
        platform, system, coalesce(lcu, '') AS lcu, volume, device, control_unit_type, local_start, local_end, paths,
        interval_s AS lost, io_rate * interval_s AS ios, io_rate * interval_s * response_ms AS took_ms,
        -- of the same device: where a volume moved to, there may be fewer
        max(paths) OVER (PARTITION BY platform, system, volume, device ORDER BY interval_start) AS most_paths,
        max(local_end) OVER (PARTITION BY platform, system, volume) AS seen_end
    FROM volume_interval
    WHERE paths IS NOT NULL
),
bad AS (
    SELECT * FROM seen WHERE paths < most_paths
),
well AS (
    SELECT platform, system, lcu, volume, sum(ios) AS well_ios, sum(took_ms) AS well_took_ms
    FROM seen
    WHERE paths = most_paths
    GROUP BY platform, system, lcu, volume
),
{% call incident("bad", "platform, system, lcu, volume", also=["well"]) %}
    {{ each("max(NAME)", "device control_unit_type seen_end") }},
    min(paths) AS paths,
    max(most_paths) AS most_paths,
    {{ each("sum(NAME)", "ios took_ms") }}
{% endcall %}
ORDER BY a.platform, a.system, a.lcu, a.volume
