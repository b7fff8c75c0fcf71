-- title: Channel paths that went offline, or take hardly any or far too many of the I/Os of an LCU
-- grain: one row per platform, system, channel_path, state
-- column state VARCHAR []: offline, low or high
-- column reached VARCHAR []: LCUs that it leads to, separated by |
-- column even_ratio DOUBLE [ratio 0..1]: An even share of the paths online
-- column before_ratio DOUBLE [ratio]: Most paths that were ever online to an LCU over those online, fewest of its LCUs and intervals
-- column kept_lcus BIGINT []: LCUs to which it is online all the same, fewest
-- column seen_end TIMESTAMP []: End of the last interval in which it was online, local time
-- column director VARCHAR []: Of the port of a channel that went offline, if the port had errors within the hour before
-- column port VARCHAR []: That port
-- column error_count DOUBLE [events]: Its errors before
WITH path AS (
    -- I/Os prefer other paths to those that are not preferred
    SELECT * FROM lcu_path_interval WHERE coalesce(preference, 'preferred') = 'preferred'
),
of_lcu AS (
    SELECT
        platform, system, lcu, interval_start, sum(taken_rate) AS lcu_rate, count(CASE WHEN online THEN 1 END) AS paths,
        count(CASE WHEN online IS NULL OR (online AND taken_rate IS NULL) THEN 1 END) AS unknown_paths
    FROM path
    GROUP BY platform, system, lcu, interval_start
),
seen AS (
    SELECT platform, system, lcu, channel_path, min(interval_start) AS online_since, max(local_end) AS seen_end
    FROM path
    WHERE online
    GROUP BY platform, system, lcu, channel_path
),
placed AS (
    SELECT
        *, lcu_rate * interval_s AS lost,
        CASE
            WHEN unknown_paths > 0 THEN NULL
            WHEN NOT online AND online_since < interval_start THEN 'offline'
            WHEN NOT online OR paths < 2 OR lcu_rate * interval_s < $ios THEN NULL
            WHEN taken_rate * paths <= $low_share * lcu_rate THEN 'low'
            WHEN taken_rate * paths >= $high_share * lcu_rate AND paths > 2 THEN 'high'
        END AS state
    FROM path
    JOIN of_lcu USING (platform, system, lcu, interval_start)
    LEFT JOIN seen USING (platform, system, lcu, channel_path)
),
most AS (
    SELECT platform, system, lcu, max(paths) AS most_paths FROM of_lcu GROUP BY platform, system, lcu
),
kept AS (
    SELECT platform, system, channel_path, interval_start, count(*) AS kept_lcus
    FROM path
    WHERE online
    GROUP BY platform, system, channel_path, interval_start
),
bad AS (
    SELECT p.*, most_paths / nullif(paths, 0) AS before_ratio, coalesce(kept_lcus, 0) AS kept_lcus
    FROM placed p
    JOIN most USING (platform, system, lcu)
    LEFT JOIN kept USING (platform, system, channel_path, interval_start)
    WHERE state IS NOT NULL
),
-- a path that is lost to several LCUs is lost once
together AS (
    SELECT platform, system, channel_path, state, local_start, max(local_end) AS local_end, sum(lost) AS lost
    FROM bad
    GROUP BY platform, system, channel_path, state, local_start
),
port AS (
    -- a director knows a channel by two digits, whichever channel subsystem it is in
    SELECT
        b.platform, b.system, b.channel_path, b.state, min(p.director) AS director, min(p.port) AS port,
        sum(p.error_count) AS error_count
    FROM (
        SELECT platform, system, channel_path, state, min(interval_start) AS since
        FROM bad WHERE state = 'offline' GROUP BY platform, system, channel_path, state
    ) b
    JOIN director_port_interval p ON {{ equal("platform, system", "p", "b") }} AND p.kind = 'channel'
        AND right(p.attached, 2) = right(b.channel_path, 2) AND p.error_count > 0 AND p.interval_start < b.since
    GROUP BY b.platform, b.system, b.channel_path, b.state, b.since
    HAVING count(DISTINCT p.director || p.port) = 1 AND unix_micros(max(p.interval_start)) >= unix_micros(b.since) - 3.6e9
),
{% call incident("together", "platform, system, channel_path, state", of="bad", also=["port"]) %}
    array_join(array_sort(array_distinct(collect_list(lcu))), '|') AS reached,
    sum(taken_rate * interval_s) / sum(lcu_rate * interval_s) AS share_ratio,
    sum(lcu_rate * interval_s / paths) / sum(lcu_rate * interval_s) AS even_ratio,
    CAST(min(paths) AS BIGINT) AS paths,
    min(before_ratio) AS before_ratio,
    CAST(min(kept_lcus) AS BIGINT) AS kept_lcus,
    max(seen_end) AS seen_end
{% endcall %}
ORDER BY a.platform, a.system, a.channel_path, a.state
