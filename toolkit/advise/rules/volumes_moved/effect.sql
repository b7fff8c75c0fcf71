-- title: Volumes that moved to another box or whose mirror began or ended: response and read hits since and before, at comparable rates
-- grain: one row per platform, left_box, box, seen_start
-- column left_box VARCHAR []: Box before; the same where the mirror changed
-- column seen_start TIMESTAMP [local time]: Start of the first interval in the new box
-- column before_ms DOUBLE [milliseconds]: Response before, in intervals of comparable rates; NULL where most I/Os have none
-- column after_ms DOUBLE [milliseconds]: Response since, of the I/Os that have such intervals
-- column before_hits DOUBLE [ratio 0..1]: Read hits before, likewise
-- column after_hits DOUBLE [ratio 0..1]: Read hits since
-- column is_slower BOOLEAN []: Response since is far longer
WITH {{ mirror_turns() }},
in_box AS (
    SELECT
        platform, system, volume, box, serial, unix_micros(since) AS since_us, unix_micros(until) AS until_us,
        lag(CASE WHEN serial IS NOT NULL THEN box END) OVER (PARTITION BY platform, system, volume ORDER BY since) AS left_box,
        lag(unix_micros(since)) OVER (PARTITION BY platform, system, volume ORDER BY since) AS left_us
    FROM volume_box
),
change AS (
    SELECT subject, since_us, until_us, lag(since_us) OVER (PARTITION BY subject ORDER BY since_us) AS left_us FROM turn
),
stay AS (
    SELECT platform, system, volume, box, left_box, since_us, until_us, left_us
    FROM in_box
    WHERE box <> left_box AND serial IS NOT NULL
    UNION ALL
    SELECT b.platform, b.system, b.volume, b.box, b.box AS left_box, c.since_us, c.until_us, c.left_us
    FROM in_box b
    JOIN change c ON c.subject = b.volume AND b.since_us <= c.since_us AND c.since_us < b.until_us
    WHERE b.serial IS NOT NULL AND c.left_us IS NOT NULL
),
seen AS (
    SELECT
        s.platform, s.system, s.volume, s.left_box, s.box, s.since_us, v.local_start, v.io_rate, v.response_ms,
        v.io_rate * v.interval_s AS ios,
        v.io_rate * v.interval_s * v.read_ratio AS reads,
        v.io_rate * v.interval_s * v.read_ratio * v.read_hit_ratio AS hits,
        unix_micros(v.interval_start) >= s.since_us AS is_bad,
        min(CASE WHEN unix_micros(v.interval_start) >= s.since_us THEN v.local_start END)
            OVER (PARTITION BY s.platform, s.system, s.volume, s.since_us) AS seen_start
    FROM volume_interval v
    JOIN stay s ON {{ equal("platform, system, volume", "s", "v") }}
        AND s.left_us <= unix_micros(v.interval_start) AND unix_micros(v.interval_start) < s.until_us
),
used AS (
    SELECT * FROM seen WHERE io_rate > 0 AND response_ms IS NOT NULL
),
{% call usual_at_rates("used", "platform, system, volume, since_us", "io_rate") %}
        {{ mean_of("response_ms", "ios") }} AS before_ms,
        sum(hits) / nullif(sum(CASE WHEN hits IS NOT NULL THEN reads END), 0) AS before_hits
{% endcall %},
compared AS (
    SELECT
        t.*, w.before_ms, w.before_hits,
        CASE WHEN w.before_ms IS NOT NULL THEN t.ios ELSE 0 END AS comparable_ios,
        CASE WHEN t.hits IS NOT NULL AND w.before_hits IS NOT NULL THEN t.reads END AS comparable_reads
    FROM timed t
    LEFT JOIN well w USING (platform, system, volume, since_us, slot)
    WHERE t.is_bad
),
summed AS (
    SELECT
        platform, left_box, box, seen_start,
        sum(comparable_ios * before_ms) / nullif(sum(comparable_ios), 0) AS before_ms,
        sum(comparable_ios * response_ms) / nullif(sum(comparable_ios), 0) AS after_ms,
        sum(comparable_reads * before_hits) / nullif(sum(comparable_reads), 0) AS before_hits,
        sum(CASE WHEN comparable_reads IS NOT NULL THEN hits END) / nullif(sum(comparable_reads), 0) AS after_hits
    FROM compared
    GROUP BY platform, left_box, box, seen_start
    HAVING 2 * sum(comparable_ios) >= sum(ios)
)
SELECT *, coalesce(after_ms >= $slower * before_ms, FALSE) AS is_slower FROM summed
ORDER BY platform, left_box, box, seen_start
