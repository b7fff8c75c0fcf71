-- title: Systems without zHPF on volumes that they reached with it before, or that another system reaches with it
-- grain: one row per platform, system
-- column other VARCHAR []: System with zHPF and the most I/Os to these volumes; NULL: the system itself, before
-- column since TIMESTAMP [local]: End of the last interval with zHPF; NULL: in none
-- column zhpf_ratio DOUBLE [ratio 0..1]: zHPF operations of the system over all of its channels to disks, since
-- column other_ratio DOUBLE [ratio 0..1]: The same of the other system, or of the time before, intervals with zHPF
-- column conn_ms DOUBLE [milliseconds]: Connect of the system's I/Os since, to volumes of both
-- column other_ms DOUBLE [milliseconds]: Connect of the other system there, or of the time before, weighted by these I/Os
-- column volumes BIGINT []: Volumes of both
-- column lost DOUBLE [s]: What connect takes longer since
WITH by_system AS (
    SELECT platform, system, interval_start, max(local_end) AS local_end, max(interval_s) AS interval_s, avg(zhpf_ratio) AS zhpf_ratio
    FROM disk_channel_interval
    GROUP BY platform, system, interval_start
),
dated AS (
    SELECT
        *, sum(CASE WHEN zhpf_ratio > $unused_ratio THEN 1 ELSE 0 END)
        OVER (PARTITION BY platform, system ORDER BY interval_start ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) = 0 AS is_now
    FROM by_system
),
zhpf AS (
    SELECT
        platform, system, interval_start, is_now,
        max(CASE WHEN NOT is_now THEN local_end END) OVER (PARTITION BY platform, system) AS since,
        avg(zhpf_ratio) OVER (PARTITION BY platform, system, is_now) AS mean_ratio,
        sum(interval_s) OVER (PARTITION BY platform, system, is_now) AS spent_s
    FROM dated
    WHERE is_now OR zhpf_ratio >= $used_ratio
),
disk AS (
    SELECT platform, system, volume, max(disk) AS disk FROM volume_box GROUP BY platform, system, volume
),
timed AS (
    SELECT
        v.platform, v.system, b.disk, z.is_now, max(z.since) AS since, max(z.mean_ratio) AS zhpf_ratio,
        sum(v.io_rate * v.interval_s) AS ios, {{ mean_of("v.conn_ms", "v.io_rate * v.interval_s") }} AS conn_ms
    FROM volume_interval v
    JOIN (SELECT * FROM zhpf WHERE spent_s >= 60 * $minutes - 2) z ON {{ equal("platform, system, interval_start", "z", "v") }}
    JOIN disk b ON {{ equal("platform, system, volume", "b", "v") }}
    WHERE v.io_rate > 0 AND v.conn_ms > 0
    GROUP BY v.platform, v.system, b.disk, z.is_now
),
compared AS (
    SELECT
        t.platform, t.system, o.system AS other, max(t.since) AS since, max(t.zhpf_ratio) AS zhpf_ratio,
        max(o.zhpf_ratio) AS other_ratio, count(*) AS volumes,
        sum(t.ios) AS ios, sum(t.ios * t.conn_ms) / sum(t.ios) AS conn_ms, sum(t.ios * o.conn_ms) / sum(t.ios) AS other_ms
    FROM timed t
    JOIN timed o ON o.platform = t.platform AND o.disk = t.disk
    WHERE t.is_now AND t.zhpf_ratio <= $unused_ratio AND NOT o.is_now
    GROUP BY t.platform, t.system, o.system
)
SELECT
    platform, system, nullif(other, system) AS other, since, zhpf_ratio, other_ratio, conn_ms, other_ms, volumes, ios * (conn_ms - other_ms) / 1000 AS lost
FROM (SELECT *, row_number() OVER (PARTITION BY platform, system ORDER BY other <> system, ios DESC, other) AS place FROM compared) AS c
WHERE place = 1 AND conn_ms >= $factor * other_ms
ORDER BY platform, system
