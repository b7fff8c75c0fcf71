-- title: LCUs most of whose busy volumes connect for far longer than at other times with as many I/Os and no fewer bytes per I/O
-- grain: one row per platform, system, unit
-- column unit VARCHAR []: LCU; where none is recorded, the device numbers without their last two digits
-- column busy_count BIGINT []: Busy volumes of the unit, most of an interval
-- column comparable_before BIGINT []: Such intervals before the first bad one, of the volume with fewest
-- column usual_ms DOUBLE [milliseconds]: Connect at comparable rates in the intervals in which it is not long
-- column io_bytes DOUBLE [bytes]: Bytes of an I/O of these volumes, all systems; NULL if those of any volume are not recorded
-- column usual_bytes DOUBLE [bytes]: The same in the comparable intervals
-- column zhpf_ratio DOUBLE [ratio 0..1]: Share of zHPF in their reads and writes, or in the operations of the channels to disks where that falls further
-- column usual_zhpf_ratio DOUBLE [ratio 0..1]: The same in the comparable intervals
-- column paths_left BIGINT [paths]: Fewest paths online then, of volumes that have lost some; NULL where these lose less than half of the time
-- column most_paths BIGINT [paths]: Most that these have at other times
-- column is_emulated BOOLEAN []: CP emulates them on SCSI LUNs: they take no aliases
-- column full_ratio DOUBLE [ratio 0..1]: Share of the lost time in which most of these I/Os, or if their channels are unknown any of the system, meet full channels
-- column volumes VARCHAR []: Those that connect for longer, most lost time first, separated by |
{% set falls = "w.usual_channel - s.channel_zhpf > coalesce(w.usual_box - s.box_zhpf, 0)" -%}
WITH {{ full_channels("$used_ratio", "$taken_ratio") }},
moving AS (
    SELECT platform, system, volume
    FROM volume_interval
    WHERE {{ has_enough_io("io_rate", "$io_rate", "conn_ms") }}
    GROUP BY platform, system, volume
    HAVING max(conn_ms) >= min(conn_ms) + least($small_ms, $above_ms) AND max(conn_ms) >= $above_factor * min(conn_ms)
),
placed AS (
    SELECT
        platform, system, lcu, coalesce(lcu, {{ address_range("v") }}, '') AS unit, volume, volser, device, interval_start, interval_s,
        local_start, local_end, io_rate, conn_ms, service_ms, wait_ms, device_type, paths
    FROM volume_interval v
    WHERE conn_ms IS NOT NULL
),
seen AS (
    SELECT
        v.platform, v.system, coalesce(v.lcu, '') AS lcu, v.unit, v.volume, v.volser, v.interval_start, v.interval_s,
        v.local_start, v.local_end, v.io_rate, v.conn_ms, v.service_ms + coalesce(v.wait_ms, 0) AS response_ms, v.wait_ms,
        NOT {{ takes_aliases("v.device_type") }} AS is_emulated,
        CASE WHEN {{ has_lost_paths("v") }} THEN v.paths END AS paths_left,
        {{ most_paths("v") }} AS most_paths
    FROM placed v
    JOIN moving m ON {{ equal("platform, system, volume", "m", "v") }}
),
{{ usual_of("seen", "conn_ms") }},
compared AS (
    SELECT c.*, {{ rises("conn_ms", "best_ms", "$above_factor", "$above_ms", "c.platform, c.system, unit") }} AS is_bad
    FROM busy c
    JOIN best b ON {{ equal("platform, system, lcu, volume", "b", "c") }}
),
moved AS (
    SELECT
        t.platform, t.system, t.volume, t.interval_start,
        sum((c.read_bytes_rate + c.write_bytes_rate) * c.interval_s) / nullif(sum(c.io_count), 0) AS io_bytes,
        sum((c.zhpf_read_rate + c.zhpf_write_rate) * c.interval_s) / nullif(sum(c.io_count), 0) AS box_zhpf
    FROM cache_interval c
    JOIN (
        SELECT t.*, a.cache_platform, a.cache_system, a.cache_start
        FROM compared t
        JOIN cache_alignment a ON {{ equal("platform, system, interval_start", "a", "t") }}
    ) AS t
        ON c.platform = t.cache_platform AND c.system = t.cache_system AND c.interval_start = t.cache_start
        AND c.volser = t.volser
    GROUP BY t.platform, t.system, t.volume, t.interval_start
),
carried AS (
    SELECT a.platform, a.system, a.interval_start, {{ mean_of("u.zhpf_ratio", "u.interval_s") }} AS channel_zhpf
    FROM disk_channel_interval u
    JOIN device_alignment a ON {{ equal("platform, system", "a", "u") }}
        AND a.other_start = u.interval_start AND a.other_s = u.interval_s
    GROUP BY a.platform, a.system, a.interval_start
),
sized AS (
    SELECT *
    FROM compared
    LEFT JOIN moved USING (platform, system, volume, interval_start)
    LEFT JOIN carried USING (platform, system, interval_start)
),
{% call usual_at_rates("sized", "platform, system, volume", "io_rate") %}
        {{ each("sum(io_rate * NAME) / sum(io_rate)", "conn_ms response_ms") }},
        {{ mean_of("io_bytes", "io_rate") }} AS usual_bytes,
        {{ mean_of("box_zhpf", "io_rate") }} AS usual_box,
        {{ mean_of("channel_zhpf", "io_rate") }} AS usual_channel
{% endcall %},
late AS (
    SELECT
        s.*, w.comparable_before, w.conn_ms AS usual_ms, w.usual_bytes,
        -- the box counts the I/Os of all systems
        CASE WHEN {{ falls }} THEN s.channel_zhpf ELSE s.box_zhpf END AS zhpf_ratio,
        CASE WHEN {{ falls }} THEN w.usual_channel ELSE w.usual_box END AS usual_zhpf_ratio,
        s.io_rate * (s.conn_ms - w.conn_ms) * s.interval_s / 1000 AS lost
    FROM timed s
    JOIN well w ON {{ equal("platform, system, volume, slot", "w", "s") }}
    -- where more exposures only move the wait from the host to the box, an I/O takes no longer
    WHERE s.is_bad AND s.conn_ms > w.conn_ms AND 2 * (s.response_ms - w.response_ms) >= s.conn_ms - w.conn_ms
        -- larger blocks take longer to move
        AND coalesce((1 - $comparable) * s.io_bytes <= w.usual_bytes, TRUE)
),
busy_then AS (
    SELECT platform, system, unit, interval_start, count(*) AS busy_count
    FROM placed
    WHERE {{ has_enough_io("io_rate", "$io_rate", "conn_ms") }}
    GROUP BY platform, system, unit, interval_start
),
-- what most volumes have in common is the way to them, and so is a lost path
common AS (
    SELECT l.platform, l.system, l.unit, l.interval_start, max(b.busy_count) AS busy_count
    FROM late l
    JOIN busy_then b ON {{ equal("platform, system, unit, interval_start", "b", "l") }}
    GROUP BY l.platform, l.system, l.unit, l.interval_start
    HAVING count(l.paths_left) = count(*) OR (count(*) >= $volumes AND 2 * count(*) > max(b.busy_count))
),
full_for AS (
    SELECT platform, system, lcu, interval_start FROM full_way
    UNION ALL
    SELECT DISTINCT f.platform, f.system, s.lcu, f.interval_start
    FROM full_then f
    JOIN (SELECT DISTINCT platform, system, lcu FROM seen) s ON s.platform = f.platform AND s.system = f.system
    LEFT JOIN (SELECT DISTINCT platform, system FROM disk_path) k ON k.platform = f.platform AND k.system = f.system
    WHERE k.system IS NULL
),
each_bad AS (
    SELECT l.*, c.busy_count, CASE WHEN f.lcu IS NOT NULL THEN l.lost ELSE 0 END AS full_lost
    FROM late l
    JOIN common c ON {{ equal("platform, system, unit, interval_start", "c", "l") }}
    LEFT JOIN full_for f ON {{ equal("platform, system, lcu, interval_start", "f", "l") }}
),
bad AS (
    SELECT
        platform, system, unit, local_start, max(local_end) AS local_end, sum(lost) AS lost,
        sum(io_rate * response_ms * interval_s) / 1000 AS response_s
    FROM each_bad
    GROUP BY platform, system, unit, local_start
),
named AS ({{ most_first("volume", "lost", "each_bad", "platform, system, unit") }}),
{% call incident(
    "bad", "platform, system, unit", "CASE WHEN lost >= $deep_share * response_s THEN lost END", of="each_bad", also=["named"]
) %}
    {{ each("max(NAME)", "lcu busy_count") }},
    min(comparable_before) AS comparable_before,
    sum(io_rate) / count(DISTINCT local_start) AS io_rate,
    {{ each("sum(io_rate * NAME) / sum(io_rate)", "conn_ms usual_ms response_ms") }},
    {{ each("CASE WHEN count(io_bytes + usual_bytes) = count(*) THEN sum(io_rate * NAME) / sum(io_rate) END", "io_bytes usual_bytes") }},
    {{ each(mean_of("NAME", "io_rate"), "zhpf_ratio usual_zhpf_ratio wait_ms") }},
    CASE WHEN 2 * sum(CASE WHEN paths_left IS NOT NULL THEN lost END) > sum(lost) THEN min(paths_left) END AS paths_left,
    max(CASE WHEN paths_left IS NOT NULL THEN most_paths END) AS most_paths,
    bool_and(is_emulated) AS is_emulated,
    sum(full_lost) / nullif(sum(lost), 0) AS full_ratio
{% endcall %}
ORDER BY a.platform, a.system, w.lost DESC, a.unit
