-- title: Systems without zHPF on volumes that another system reaches with it
-- grain: one row per platform, system
-- column other VARCHAR []: System with zHPF and the most I/Os to these volumes
-- column zhpf_ratio DOUBLE [ratio 0..1]: zHPF operations of the system over all of its channels to disks
-- column other_ratio DOUBLE [ratio 0..1]: The same of the other system
-- column conn_ms DOUBLE [milliseconds]: Connect of the system's I/Os to volumes of both
-- column other_ms DOUBLE [milliseconds]: Connect of the other system there, weighted by the system's I/Os
-- column volumes BIGINT []: Volumes of both
-- column lost DOUBLE [s]: What connect takes longer, whole span
WITH zhpf AS (
    SELECT platform, system, {{ mean_of("zhpf_ratio", "interval_s") }} AS zhpf_ratio
    FROM disk_channel_interval
    GROUP BY platform, system
),
disk AS (
    SELECT platform, system, volume, max(disk) AS disk FROM volume_box GROUP BY platform, system, volume
),
timed AS (
    SELECT d.platform, d.system, b.disk, max(z.zhpf_ratio) AS zhpf_ratio, sum(d.ios) AS ios, 1000 * sum(d.conn_s) / sum(d.ios) AS conn_ms
    FROM _volume_day d
    JOIN zhpf z ON z.platform = d.platform AND z.system = d.system
    JOIN disk b ON {{ equal("platform, system, volume", "b", "d") }}
    WHERE d.conn_s > 0 AND d.ios > 0
    GROUP BY d.platform, d.system, b.disk
),
compared AS (
    SELECT
        t.platform, t.system, o.system AS other, max(t.zhpf_ratio) AS zhpf_ratio, max(o.zhpf_ratio) AS other_ratio, count(*) AS volumes,
        sum(t.ios) AS ios, sum(t.ios * t.conn_ms) / sum(t.ios) AS conn_ms, sum(t.ios * o.conn_ms) / sum(t.ios) AS other_ms
    FROM timed t
    JOIN timed o ON o.platform = t.platform AND o.disk = t.disk AND o.system <> t.system
    WHERE t.zhpf_ratio <= $unused_ratio AND o.zhpf_ratio >= $used_ratio
    GROUP BY t.platform, t.system, o.system
)
SELECT
    platform, system, other, zhpf_ratio, other_ratio, conn_ms, other_ms, volumes, ios * (conn_ms - other_ms) / 1000 AS lost
FROM (SELECT *, row_number() OVER (PARTITION BY platform, system ORDER BY ios DESC, other) AS place FROM compared) AS c
WHERE place = 1 AND conn_ms >= $factor * other_ms
ORDER BY platform, system
