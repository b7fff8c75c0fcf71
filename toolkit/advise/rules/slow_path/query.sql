-- question: slow_path
-- title: LCUs whose command response time is far above their best intervals, or above that of others; pend if it is unknown
-- grain: one row per platform, system, lcu
-- column peak_cmr_ms DOUBLE [milliseconds]: Command response time, worst interval
-- column is_rise BOOLEAN []: Slower than in its own best intervals; otherwise only slower than other LCUs
-- column is_pend BOOLEAN []: No command response time is recorded; the times are of pend of the volumes, without device busy if that is recorded
-- column has_busy BOOLEAN []: Device busy is recorded where pend is used
-- column paths_left BIGINT [paths]: Fewest channel paths online to volumes that have lost some and pend long; NULL if none has
-- column most_paths BIGINT [paths]: Most that these have at other times
-- column cut_volumes VARCHAR []: These volumes, separated by |
-- column are_channels_recorded BOOLEAN []: Records show the channels of the LCU
-- column are_paths_recorded BOOLEAN []: Records show the channel paths of the LCU
-- column deep_s DOUBLE [s]: Most that a run of deep intervals lost; NULL where there is none
WITH {{ slow_ways() }},
counted AS (
    SELECT b.platform, b.system, b.lcu, b.interval_start, count(c.interval_start) AS channels
    FROM bad b
    LEFT JOIN (SELECT DISTINCT platform, system, interval_start, interval_s FROM disk_channel_interval) c
        ON c.platform = b.platform AND c.system = b.system
        AND unix_micros(c.interval_start) < unix_micros(b.interval_start) + b.interval_s * 1e6
        AND unix_micros(c.interval_start) + c.interval_s * 1e6 > unix_micros(b.interval_start)
    GROUP BY b.platform, b.system, b.lcu, b.interval_start
),
recorded AS (
    SELECT platform, system, lcu, min(channels) > 0 AS are_channels_recorded FROM counted GROUP BY platform, system, lcu
),
reached AS (
    SELECT DISTINCT platform, system, lcu, TRUE AS are_paths_recorded FROM lcu_path_interval
),
-- who waits behind lost paths is known by the names of their volumes
uncut AS (
    SELECT * FROM bad WHERE paths_left IS NULL
),
{{ waiting_within("uncut") }},
{% call incident(
    "bad", "platform, system, lcu", "(SELECT * FROM bad WHERE cmr_ms - usual_ms >= $deep_share * response_ms) AS deep",
    also=["recorded", "reached", "waiting"]
) %}
    max(cmr_ms) AS peak_cmr_ms,
    sum(io_rate * cmr_ms) / sum(io_rate) AS cmr_ms,
    sum(io_rate * usual_ms) / sum(io_rate) AS usual_ms,
    max(others_ms) AS others_ms,
    {{ mean_of("response_ms", "io_rate") }} AS response_ms,
    {{ mean_of("wait_ms", "io_rate") }} AS wait_ms,
    bool_or(is_above_own) AS is_rise,
    bool_or(is_pend) AS is_pend,
    bool_or(has_busy) AS has_busy,
    max(volumes) AS volumes,
    min(paths_left) AS paths_left,
    max(most_paths) AS most_paths,
    nullif(max(cut_volumes), '') AS cut_volumes,
    {{ mean_of("cu_busy_ratio", "io_rate") }} AS cu_busy_ratio,
    {{ mean_of("cu_busy_delay_ms", "io_rate") }} AS cu_busy_delay_ms
{% endcall %}
ORDER BY a.platform, a.lcu, w.lost DESC
