-- title: Response and read hits of volumes since something changed where they are, and before, at comparable rates
-- grain: one row per platform, left_box, box, left_pav, pav, seen_start
-- column left_box VARCHAR []: Box before; NULL if it has no serial number
-- column left_pav VARCHAR []: Kind of PAV before
-- column pav VARCHAR []: Kind of PAV since
-- column seen_start TIMESTAMP [local time]: Start of the first interval since
-- column before_ms DOUBLE [milliseconds]: Response before, in intervals of comparable rates; NULL where most I/Os have none
-- column after_ms DOUBLE [milliseconds]: Response since, of the I/Os that have such intervals
-- column rose VARCHAR []: The part of the response that is most longer
-- column before_hits DOUBLE [ratio 0..1]: Read hits before, likewise
-- column after_hits DOUBLE [ratio 0..1]: Read hits since
-- column is_slower BOOLEAN []: Response since is far longer
WITH {{ volume_places() }},
stay AS (
    SELECT
        platform, system, volume, box, pav, seen_start, first_start, last_start,
        lag(CASE WHEN is_named THEN box END) OVER w AS left_box,
        lag(pav) OVER w AS left_pav,
        lag(first_start) OVER w AS left_start
    FROM place
    WINDOW w AS (PARTITION BY platform, system, volume ORDER BY seen_start, seen_end)
),
used AS (
    SELECT
        s.platform, s.system, s.volume, s.left_box, s.box, s.left_pav, s.pav, s.seen_start, v.local_start, v.io_rate,
        v.response_ms, v.wait_ms, v.pend_ms, v.disc_ms, v.conn_ms,
        v.io_rate * v.interval_s AS ios,
        v.io_rate * v.interval_s * v.read_ratio AS reads,
        v.io_rate * v.interval_s * v.read_ratio * v.read_hit_ratio AS hits,
        v.interval_start >= s.first_start AS is_bad
    FROM volume_interval v
    JOIN stay s ON {{ equal("platform, system, volume", "s", "v") }}
        AND s.left_start <= v.interval_start AND v.interval_start <= s.last_start
    WHERE v.io_rate > 0 AND v.response_ms IS NOT NULL
),
{% call usual_at_rates("used", "platform, system, volume, seen_start", "io_rate") %}
        {{ mean_of("response_ms", "ios") }} AS before_ms,
        {{ mean_of("wait_ms", "ios") }} AS before_wait_ms,
        {{ mean_of("pend_ms", "ios") }} AS before_pend_ms,
        {{ mean_of("disc_ms", "ios") }} AS before_disc_ms,
        {{ mean_of("conn_ms", "ios") }} AS before_conn_ms,
        sum(hits) / nullif(sum(CASE WHEN hits IS NOT NULL THEN reads END), 0) AS before_hits
{% endcall %},
summed AS (
    SELECT
        t.platform, t.left_box, t.box, t.left_pav, t.pav, t.seen_start,
        {{ mean_of("w.before_ms", "t.ios") }} AS before_ms,
        {{ mean_of("CASE WHEN w.before_ms IS NOT NULL THEN t.response_ms END", "t.ios") }} AS after_ms,
        {{ mean_of("t.wait_ms - w.before_wait_ms", "t.ios") }} AS wait_more_ms,
        {{ mean_of("t.pend_ms - w.before_pend_ms", "t.ios") }} AS pend_more_ms,
        {{ mean_of("t.disc_ms - w.before_disc_ms", "t.ios") }} AS disc_more_ms,
        {{ mean_of("t.conn_ms - w.before_conn_ms", "t.ios") }} AS conn_more_ms,
        {{ mean_of("CASE WHEN t.hits IS NOT NULL THEN w.before_hits END", "t.reads") }} AS before_hits,
        {{ mean_of("CASE WHEN w.before_hits IS NOT NULL THEN t.hits / nullif(t.reads, 0) END", "t.reads") }} AS after_hits
    FROM timed t
    LEFT JOIN well w ON {{ equal("platform, system, volume, seen_start, slot", "w", "t") }}
    WHERE t.is_bad
    GROUP BY t.platform, t.left_box, t.box, t.left_pav, t.pav, t.seen_start
    HAVING 2 * sum(CASE WHEN w.before_ms IS NOT NULL THEN t.ios END) >= sum(t.ios)
)
SELECT
    platform, left_box, box, left_pav, pav, seen_start, before_ms, after_ms,
    CASE greatest(wait_more_ms, pend_more_ms, disc_more_ms, conn_more_ms)
        WHEN pend_more_ms THEN 'pend' WHEN disc_more_ms THEN 'disc' WHEN conn_more_ms THEN 'conn' WHEN wait_more_ms THEN 'IOSQ'
    END AS rose,
    before_hits, after_hits,
    coalesce(after_ms >= $slower * before_ms, FALSE) AS is_slower
FROM summed
ORDER BY platform, left_box, box, left_pav, pav, seen_start
