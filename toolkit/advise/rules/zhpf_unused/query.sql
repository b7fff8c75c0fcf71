-- title: Systems without zHPF on volumes that they reached with it before, or that another system reaches with it
-- grain: one row per platform, system
-- column other VARCHAR []: System with zHPF and the most I/Os to these volumes; NULL: the system itself, before
-- column since TIMESTAMP [local]: End of the last interval with zHPF; NULL: in none
-- column zhpf_ratio DOUBLE [ratio 0..1]: zHPF operations of the system over all of its channels to disks, on the days since
-- column other_ratio DOUBLE [ratio 0..1]: The same of the other system, or of the days before, on days with zHPF
-- column conn_ms DOUBLE [milliseconds]: Connect of the system's I/Os on the days since, to volumes of both
-- column other_ms DOUBLE [milliseconds]: Connect of the other system there, or of the days before, weighted by these I/Os
-- column volumes BIGINT []: Volumes of both
-- column lost DOUBLE [s]: What connect takes longer, on the days since
WITH by_day AS (
    SELECT
        platform, system, CAST(floor(unix_micros(interval_start) / 8.64e10) AS DOUBLE) AS in_day,
        {{ mean_of("zhpf_ratio", "interval_s") }} AS zhpf_ratio,
        max(CASE WHEN zhpf_ratio > $unused_ratio THEN local_end END) AS used_end
    FROM disk_channel_interval
    GROUP BY platform, system, CAST(floor(unix_micros(interval_start) / 8.64e10) AS DOUBLE)
),
-- a whole day: other work of a shift may be such that hardly an I/O is eligible
dated AS (
    SELECT
        *, in_day > coalesce(max(CASE WHEN zhpf_ratio > $unused_ratio THEN in_day END) OVER (PARTITION BY platform, system), 0) AS is_now,
        max(used_end) OVER (PARTITION BY platform, system) AS since
    FROM by_day
),
zhpf AS (
    SELECT *, avg(zhpf_ratio) OVER (PARTITION BY platform, system, is_now) AS mean_ratio
    FROM dated
    WHERE is_now OR zhpf_ratio >= $used_ratio
),
disk AS (
    SELECT platform, system, volume, max(disk) AS disk FROM volume_box GROUP BY platform, system, volume
),
timed AS (
    SELECT
        d.platform, d.system, b.disk, z.is_now, max(z.since) AS since, max(z.mean_ratio) AS zhpf_ratio,
        sum(d.ios) AS ios, 1000 * sum(d.conn_s) / sum(d.ios) AS conn_ms
    FROM _volume_day d
    JOIN zhpf z ON {{ equal("platform, system, in_day", "z", "d") }}
    JOIN disk b ON {{ equal("platform, system, volume", "b", "d") }}
    WHERE d.conn_s > 0 AND d.ios > 0
    GROUP BY d.platform, d.system, b.disk, z.is_now
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
