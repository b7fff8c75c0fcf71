-- title: Response and read hits of volumes since something changed where they are, and before, at comparable rates
-- grain: one row per platform, system, left_box, box, left_pav, pav, seen_start
-- column left_box VARCHAR []: Box before; NULL if it has no serial number
-- column left_pav VARCHAR []: Kind of PAV before
-- column pav VARCHAR []: Kind of PAV since
-- column seen_start TIMESTAMP [local time]: Start of the first interval since
-- column before_ms DOUBLE [milliseconds]: Response before, in intervals of comparable rates, of all systems that are slower as this one, or are not; NULL where most I/Os have none
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
        {{ each(mean_of("NAME", "ios"), "wait_ms pend_ms disc_ms conn_ms", "before_NAME") }},
        sum(hits) / nullif(sum(CASE WHEN hits IS NOT NULL THEN reads END), 0) AS before_hits
{% endcall %},
compared AS (
    SELECT t.*, w.before_ms, w.before_wait_ms, w.before_pend_ms, w.before_disc_ms, w.before_conn_ms, w.before_hits
    FROM timed t
    LEFT JOIN well w ON {{ equal("platform, system, volume, seen_start, slot", "w", "t") }}
    WHERE t.is_bad
),
-- to one system the new place may be near, and far to another
seen_by AS (
    SELECT
        platform, system, left_box, box, left_pav, pav, seen_start,
        coalesce(
            {{ mean_of("CASE WHEN before_ms IS NOT NULL THEN response_ms END", "ios") }} >= $slower * {{ mean_of("before_ms", "ios") }}, FALSE
        ) AS is_slower
    FROM compared
    GROUP BY platform, system, left_box, box, left_pav, pav, seen_start
    HAVING 2 * sum(CASE WHEN before_ms IS NOT NULL THEN ios END) >= sum(ios)
),
summed AS (
    SELECT
        c.platform, c.left_box, c.box, c.left_pav, c.pav, c.seen_start, s.is_slower,
        {{ mean_of("before_ms", "ios") }} AS before_ms,
        {{ mean_of("CASE WHEN before_ms IS NOT NULL THEN response_ms END", "ios") }} AS after_ms,
        {{ each(mean_of("NAME_ms - before_NAME_ms", "ios"), "wait pend disc conn", "NAME_more_ms") }},
        {{ mean_of("CASE WHEN hits IS NOT NULL THEN before_hits END", "reads") }} AS before_hits,
        {{ mean_of("CASE WHEN before_hits IS NOT NULL THEN hits / nullif(reads, 0) END", "reads") }} AS after_hits
    FROM compared c
    JOIN seen_by s ON c.system = s.system AND c.platform = s.platform AND c.seen_start = s.seen_start AND c.box IS NOT DISTINCT FROM s.box
        AND c.left_box IS NOT DISTINCT FROM s.left_box AND c.pav IS NOT DISTINCT FROM s.pav AND c.left_pav IS NOT DISTINCT FROM s.left_pav
    GROUP BY c.platform, c.left_box, c.box, c.left_pav, c.pav, c.seen_start, s.is_slower
)
SELECT
    s.platform, s.system, s.left_box, s.box, s.left_pav, s.pav, s.seen_start, c.before_ms, c.after_ms,
    CASE greatest(wait_more_ms, pend_more_ms, disc_more_ms, conn_more_ms)
        WHEN pend_more_ms THEN 'pend' WHEN disc_more_ms THEN 'disc' WHEN conn_more_ms THEN 'conn' WHEN wait_more_ms THEN 'IOSQ'
    END AS rose,
    c.before_hits, c.after_hits, s.is_slower
FROM seen_by s
JOIN summed c ON c.is_slower = s.is_slower AND c.platform = s.platform AND c.seen_start = s.seen_start AND c.box IS NOT DISTINCT FROM s.box
    AND c.left_box IS NOT DISTINCT FROM s.left_box AND c.pav IS NOT DISTINCT FROM s.pav AND c.left_pav IS NOT DISTINCT FROM s.left_pav
ORDER BY s.platform, s.system, s.left_box, s.box, s.left_pav, s.pav, s.seen_start
