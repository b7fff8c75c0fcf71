-- title: LCUs, and single volumes of others, whose disconnect is far above their best intervals, without the part that other rules explain
-- grain: one row per platform, system, lcu, volume
-- column elsewhere_ms DOUBLE [milliseconds]: Part of it that other rules explain
-- column how VARCHAR []: always: equally long in its own best intervals, and usual_ms is that of the faster volumes of the LCU, or of the faster LCUs; larger: connect grew by more
-- column volume_total BIGINT []: Volumes of the LCU with I/Os then, most
-- column cached_ratio DOUBLE [ratio 0..1]: I/Os to volumes with cache counts, of all; NULL: CP emulates these volumes on SCSI LUNs
-- column timed_ratio DOUBLE [ratio 0..1]: I/Os to volumes whose back end is timed, of all
-- column usual_hit_ratio DOUBLE [ratio 0..1]: Read hits over reads in all other intervals
-- column write_hit_ratio DOUBLE [ratio 0..1]: Write hits over writes, if they fell and no record counts the delayed ones
-- column volumes VARCHAR []: Volumes whose own disconnect is long then, those that lose most first, separated by |; all numbers but usual_ms of a chronic LCU are theirs
WITH box_then AS (
    SELECT DISTINCT box, extent_pool, interval_start, local_start, local_end FROM disconnect_interval
),
-- pools that rank_saturated reports: the mean of one hides that half of its volumes are slow
slow_pool AS (
    SELECT DISTINCT d.box, d.extent_pool, d.interval_start
    FROM box_then d
    JOIN (
        SELECT * FROM _back_end_time
        JOIN _back_end_best USING (box, extent_pool, rank)
        WHERE read_ms >= $slow_factor * best_ms AND read_ms >= best_ms + $slow_ms
    ) u ON u.box = d.box AND u.extent_pool = d.extent_pool AND u.local_start < d.local_end AND u.local_end > d.local_start
),
sent AS (
    SELECT d.box, d.interval_start, {{ mean_of("l.response_ms", "l.operation_rate") }} AS send_ms
    FROM box_then d
    JOIN link_interval l ON l.box = d.box AND l.local_start < d.local_end AND l.local_end > d.local_start
    WHERE l.operation = 'copy send' AND l.response_ms IS NOT NULL
    GROUP BY d.box, d.interval_start
),
best_timed AS (
    {{ best_of("back_end_ms", "disconnect_interval WHERE back_end_ms IS NOT NULL", "volume") }}
),
parted AS (
    SELECT
        d.interval_start, d.volume, d.io_rate, d.disc_ms, d.is_mirrored, d.back_end_ms, d.nvs_ms, d.nvs_high_ms, d.replication_ms,
        CASE WHEN d.miss_high_ms = d.miss_ms THEN d.miss_ms END AS miss_ms, s.send_ms, d.cache_active AND d.fast_write_active AND coalesce(2 * d.fast_write_ratio > 1, TRUE) AS is_on,
        CASE
            WHEN p.volser IS NOT NULL AND d.is_mirrored
                THEN least(at_least_0(d.disc_ms - d.miss_high_ms - d.nvs_high_ms), d.replication_high_ms)
                * coalesce(d.fast_write_ratio, 1)
        END AS copy_ms,
        d.back_end_ms >= $slow_factor * b.best_ms AND d.back_end_ms >= b.best_ms + $slow_ms AS is_late,
        e.box IS NOT NULL AS is_pool_late
    FROM disconnect_interval d
    LEFT JOIN _mirrored p ON p.volser = d.volser
    LEFT JOIN slow_pool e ON e.box = d.box AND e.extent_pool = d.extent_pool AND e.interval_start = d.interval_start
    LEFT JOIN sent s ON s.box = d.box AND s.interval_start = d.interval_start
    LEFT JOIN best_timed b ON b.volume = d.volume
    WHERE d.subsystem IS NOT NULL AND d.disc_ms > 0
),
-- LCUs whose disconnect is long at some time, whatever explains it
long AS (
    SELECT
        platform, system, coalesce(lcu, '') AS lcu, interval_start,
        sum(io_rate) AS io_rate, sum(io_rate * disc_ms) / sum(io_rate) AS disc_ms, max(disc_ms) AS longest_ms
    FROM volume_interval
    WHERE io_rate > 0 AND disc_ms + service_ms IS NOT NULL
    GROUP BY platform, system, coalesce(lcu, ''), interval_start
),
best_lcu AS (
    {{ best_of("disc_ms", "long WHERE io_rate >= $io_rate", "platform, system, lcu") }}
),
candidate AS (
    SELECT DISTINCT platform, system, lcu
    FROM long
    LEFT JOIN best_lcu USING (platform, system, lcu)
    WHERE (disc_ms >= $above_factor * best_ms AND disc_ms >= best_ms + $small_ms) OR longest_ms >= $alone_ms
),
seen AS (
    SELECT
        v.platform, v.system, coalesce(v.lcu, '') AS lcu, v.volume, v.interval_start, v.interval_s, v.local_start, v.local_end,
        v.io_rate, v.disc_ms, v.conn_ms, v.service_ms, v.service_ms + v.wait_ms AS response_ms, v.write_hit_ratio,
        -- what minidisk cache leaves has missed it: such volumes are slower than others, as long as nothing waits
        v.mdc_avoided_rate >= v.io_rate AND v.wait_ms < v.service_ms AS is_left,
        v.io_rate * v.read_ratio + coalesce(v.sync_read_rate, 0) AS reads,
        -- what goes over zHyperLink has hit
        v.io_rate * v.read_ratio * v.read_hit_ratio + coalesce(v.sync_read_rate, 0) AS hits,
        -- where no delayed writes are counted, writes that miss show them, or that fast write is off
        CASE WHEN coalesce(v.nvs_delay_rate, 0) = 0 THEN v.io_rate * (1 - v.read_ratio) END AS writes,
        v.disc_ms / d.disc_ms AS share, NOT {{ takes_aliases("v.device_type") }} AS is_emulated,
        d.back_end_ms, d.miss_ms, coalesce(d.is_on, TRUE) AS is_on,
        -- no record is no 0; no other rule finds the delayed writes of z/VM (D6R4), which nothing times
        CASE WHEN v.platform = 'z/VM' AND v.nvs_delay_rate > $delayed_ratio * d.io_rate THEN d.nvs_high_ms WHEN v.nvs_delay_rate >= 0 THEN d.nvs_ms END AS nvs_ms,
        CASE WHEN d.is_mirrored IS NOT NULL THEN d.replication_ms END AS replication_ms,
        -- usual misses are in the usual disconnect: what its own back end adds is unexplained
        CASE WHEN d.is_late AND NOT d.is_pool_late THEN 0 ELSE d.miss_ms END AS own_miss_ms,
        -- what other rules explain: slow pools, NVS and mirrors
        CASE WHEN d.is_late AND d.is_pool_late THEN d.miss_ms ELSE 0 END
        + CASE WHEN v.platform = 'z/OS' AND v.nvs_delay_rate > $delayed_ratio * d.io_rate * (1 - v.read_ratio) THEN d.nvs_high_ms ELSE 0 END
        + CASE WHEN d.copy_ms >= $copy_ms AND d.copy_ms >= $copy_share * (v.service_ms + coalesce(v.wait_ms, 0))
            AND coalesce(d.send_ms >= $send_share * d.copy_ms / nullif(1 - v.read_ratio, 0), TRUE) THEN d.replication_ms ELSE 0 END AS part_ms
    FROM volume_interval v
    JOIN candidate k ON k.platform = v.platform AND k.system = v.system AND k.lcu = coalesce(v.lcu, '')
    {{ join_home("v") }}
    LEFT {{ join_clock("v") }}
    LEFT JOIN parted d
        ON d.interval_start = c.box_interval_start AND d.volume = CASE WHEN v.read_ratio IS NOT NULL THEN h.disk END
    WHERE coalesce(c.is_main, TRUE) AND v.io_rate > 0 AND v.disc_ms + v.service_ms IS NOT NULL
),
weighed AS (
    SELECT
        platform, system, lcu, volume, interval_start, interval_s, local_start, local_end, io_rate, reads, hits, writes,
        writes * write_hit_ratio AS write_hits, back_end_ms, disc_ms, conn_ms, response_ms, is_emulated, is_left,
        CASE WHEN hits IS NOT NULL OR reads = 0 THEN 1.0 ELSE 0.0 END AS cached_ratio,
        CASE WHEN back_end_ms IS NOT NULL THEN 1.0 ELSE 0.0 END AS timed_ratio,
        {{ each("share * NAME", "miss_ms nvs_ms") }},
        share * replication_ms AS copy_ms,
        CASE WHEN is_explained THEN disc_ms ELSE least(coalesce(share * part_ms, 0), disc_ms) END AS elsewhere_ms,
        CASE WHEN is_explained THEN disc_ms
        ELSE least(coalesce(share * greatest(part_ms, own_miss_ms + coalesce(nvs_ms, 0) + coalesce(replication_ms, 0)), 0), disc_ms) END AS alone_elsewhere_ms
    FROM (
        -- of volumes that read past the cache, whose cache or fast write is off, or most of whose writes are no fast ones, others explain all
        SELECT *, NOT is_on OR (hits < $poor_ratio * reads AND disc_ms >= $poor_disc * service_ms) AS is_explained FROM seen
    ) AS seen
),
best_volume AS (
    {{ best_of("disc_ms", "weighed WHERE io_rate >= $io_rate", "platform, system, lcu, volume") }}
),
risen AS (
    SELECT
        *,
        -- a small rise counts only where nothing known explains it
        coalesce({{ rises("(disc_ms - elsewhere_ms)", "best_ms", "$above_factor", "$above_ms", "platform, system, lcu", "(disc_ms - known_ms)") }}, FALSE)
            AS is_risen
    FROM (
        SELECT *, CASE WHEN back_end_ms IS NOT NULL THEN alone_elsewhere_ms ELSE disc_ms END AS known_ms
        FROM weighed
        LEFT JOIN best_volume USING (platform, system, lcu, volume)
    ) AS based
),
-- a volume's row is one already: grouping as many as there are takes longer than all else
lcu_disc AS (
    SELECT
        platform, system, lcu, '' AS volume, interval_start,
        max(interval_s) AS interval_s, min(local_start) AS local_start, max(local_end) AS local_end,
        sum(io_rate) AS io_rate, sum(io_rate * disc_ms) / sum(io_rate) AS disc_ms,
        CASE WHEN count(response_ms) = count(*) THEN sum(io_rate * response_ms) / sum(io_rate) END AS response_ms,
        {{ each("sum(io_rate * NAME) / sum(io_rate)", "cached_ratio timed_ratio elsewhere_ms known_ms") }},
        count(*) AS volume_total, bool_or(is_risen) AS has_risen, {{ mean_of("best_ms", "io_rate") }} AS mix_ms
    FROM risen
    GROUP BY platform, system, lcu, interval_start
    UNION ALL
    -- of one volume only what nothing known explains: its work may be its own
    SELECT
        platform, system, lcu, volume, interval_start, interval_s, local_start, local_end, io_rate, disc_ms, response_ms,
        cached_ratio, timed_ratio, alone_elsewhere_ms, known_ms, 1, FALSE, NULL
    FROM risen
    -- without cache counts only what lasts all day is compared, with other volumes
    WHERE back_end_ms IS NOT NULL OR (cached_ratio = 0 AND is_left IS NOT TRUE)
),
{{ usual_of("lcu_disc", "disc_ms") }},
-- what is long all day shows only next to the quicker volumes of the LCU
quicker AS (
    SELECT platform, system, lcu, TRUE AS is_volume, percentile_cont(0.25) WITHIN GROUP (ORDER BY best_ms) AS best_ms
    FROM best
    WHERE volume <> ''
    GROUP BY platform, system, lcu
    HAVING count(*) >= 4
    UNION ALL
    -- and of a whole LCU next to the quicker LCUs, where no cache counts would explain it
    SELECT platform, system, lcu, FALSE, best_ms
    FROM (
        SELECT platform, system, lcu
        FROM lcu_disc
        WHERE volume = ''
        GROUP BY platform, system, lcu
        HAVING max(cached_ratio) = 0
    ) AS k
    JOIN (
        SELECT platform, system, percentile_cont(0.25) WITHIN GROUP (ORDER BY best_ms) AS best_ms
        FROM best_lcu
        GROUP BY platform, system
        HAVING count(*) >= 3
    ) AS l USING (platform, system)
),
usual AS (
    SELECT
        platform, system, lcu, volume, b.best_ms AS own_ms,
        CASE
            WHEN volume = '' AND (b.best_ms < q.best_ms + $alone_ms OR b.best_ms < $above_factor * q.best_ms) THEN b.best_ms
            ELSE least(q.best_ms, b.best_ms)
        END AS best_ms
    FROM (SELECT *, volume <> '' AS is_volume FROM best) AS b
    LEFT JOIN quicker q USING (platform, system, lcu, is_volume)
),
compared AS (
    SELECT
        *, disc_ms - elsewhere_ms - usual_ms AS above_ms,
        {{ rises(
            "(disc_ms - elsewhere_ms)", "usual_ms", "$above_factor", "$above_ms", "platform, system, lcu, volume",
            "(disc_ms - known_ms)"
        ) }} AS is_bad
    FROM (
        -- more I/Os to its slower volumes are no rise
        SELECT
            *, own_ms >= $above_factor * best_ms AS is_chronic,
            CASE WHEN own_ms > best_ms THEN best_ms ELSE greatest(best_ms, mix_ms) END AS usual_ms
        FROM busy
        JOIN usual USING (platform, system, lcu, volume)
    ) AS b
    WHERE disc_ms >= $above_factor * usual_ms
),
marked AS (
    SELECT
        *, io_rate * above_ms * interval_s / 1000 AS lost,
        bool_or(volume = '') OVER (PARTITION BY platform, system, lcu, interval_start) AS of_lcu
    FROM compared
    WHERE is_bad
),
bad AS (
    SELECT * FROM marked WHERE volume = '' OR (NOT of_lcu AND above_ms >= $alone_ms)
),
-- the volumes that make it
late AS (
    SELECT
        platform, system, lcu, b.volume, r.volume AS slow_volume, interval_start, r.interval_s, r.io_rate, reads,
        hits, writes, write_hits, r.disc_ms, conn_ms, r.response_ms, r.cached_ratio, r.timed_ratio, miss_ms, nvs_ms, copy_ms, volume_total,
        is_emulated, CASE WHEN b.volume = '' THEN r.elsewhere_ms ELSE b.elsewhere_ms END AS elsewhere_ms,
        CASE WHEN b.volume = '' AND NOT is_chronic THEN coalesce(r.best_ms, usual_ms) ELSE usual_ms END AS usual_ms,
        is_chronic,
        count(*) OVER (PARTITION BY platform, system, lcu, b.volume, r.volume) AS times
    FROM risen r
    JOIN bad b USING (platform, system, lcu, interval_start)
    WHERE b.volume = r.volume OR (b.volume = '' AND (
        is_risen OR NOT has_risen OR (is_chronic AND r.disc_ms - r.elsewhere_ms >= usual_ms + $above_ms)
    ))
),
-- others have it now and then
slow AS (
    SELECT *, io_rate * (disc_ms - usual_ms) * interval_s AS lost_s
    FROM (SELECT *, max(times) OVER (PARTITION BY platform, system, lcu, volume) AS most_times FROM late) AS l
    WHERE 2 * times >= most_times
),
named AS (
    {{ most_first("slow_volume", "lost_s", "slow", "platform, system, lcu, volume") }}
),
otherwise AS (
    SELECT
        platform, system, lcu, of_volume AS volume,
        {{ ratio_of("hits", "reads") }} AS usual_hit_ratio,
        {{ ratio_of("write_hits", "writes") }} AS usual_write_hit_ratio,
        sum(r.io_rate * conn_ms) / sum(r.io_rate) AS other_ms,
        {{ mean_of("miss_ms", "r.io_rate") }} AS usual_miss_ms,
        {{ mean_of("nvs_ms", "r.io_rate") }} AS usual_nvs_ms,
        {{ mean_of("copy_ms", "r.io_rate") }} AS usual_copy_ms
    FROM risen r
    JOIN (SELECT DISTINCT platform, system, lcu, volume AS of_volume, slow_volume AS volume FROM slow) s
        USING (platform, system, lcu, volume)
    LEFT JOIN (SELECT *, volume AS of_volume FROM marked) c USING (platform, system, lcu, of_volume, interval_start)
    WHERE c.is_bad IS NULL
    GROUP BY platform, system, lcu, of_volume
),
fallen AS (
    SELECT platform, system, lcu, volume, then_ratio
    FROM otherwise
    JOIN (
        SELECT platform, system, lcu, volume, {{ ratio_of("write_hits", "writes") }} AS then_ratio
        FROM slow
        GROUP BY platform, system, lcu, volume
    ) AS t USING (platform, system, lcu, volume)
    WHERE usual_write_hit_ratio - then_ratio >= $drop_ratio
),
{% call incident(
    "bad", "platform, system, lcu, volume", "CASE WHEN above_ms >= $deep_share * response_ms THEN lost END",
    of="slow LEFT JOIN otherwise USING (platform, system, lcu, volume) LEFT JOIN fallen USING (platform, system, lcu, volume)", also=["named"]
) %}
    sum(io_rate) / count(DISTINCT interval_start) AS io_rate,
    {{ each("sum(io_rate * NAME) / sum(io_rate)", "disc_ms elsewhere_ms usual_ms") }},
    CASE WHEN bool_or(is_chronic) THEN 'always'
    WHEN sum(io_rate * (conn_ms - other_ms - disc_ms + elsewhere_ms + usual_ms)) > 0 THEN 'larger' END AS how,
    max(volume_total) AS volume_total,
    {{ mean_of("response_ms", "io_rate") }} AS response_ms,
    CASE WHEN NOT bool_and(is_emulated) THEN sum(io_rate * cached_ratio) / sum(io_rate) END AS cached_ratio,
    sum(io_rate * timed_ratio) / sum(io_rate) AS timed_ratio,
    {{ ratio_of("hits", "reads") }} AS hit_ratio,
    max(usual_hit_ratio) AS usual_hit_ratio,
    max(then_ratio) AS write_hit_ratio,
    at_least_0({{ mean_of("miss_ms", "io_rate") }} - max(usual_miss_ms)) AS miss_ms,
    coalesce(at_least_0({{ mean_of("nvs_ms", "io_rate") }} - max(usual_nvs_ms)), CASE WHEN max(then_ratio) IS NULL THEN 0 END) AS nvs_ms,
    at_least_0({{ mean_of("copy_ms", "io_rate") }} - max(usual_copy_ms)) AS copy_ms
{% endcall %}
ORDER BY a.platform, a.lcu, a.volume <> '', w.lost DESC, a.system, a.volume
