-- title: LCUs whose command response time is far above their best intervals, or above that of others; pend if it is unknown
-- grain: one row per platform, system, lcu
-- column peak_cmr_ms DOUBLE [milliseconds]: Command response time, worst interval
-- column longer_conn_ms DOUBLE [milliseconds]: Connect above the best intervals of volumes without command response time
-- column is_rise BOOLEAN []: Slower than in its own best intervals; otherwise only slower than other LCUs
-- column is_pend BOOLEAN []: No command response time is recorded; the times are of pend of the volumes, without device busy if that is recorded
-- column has_busy BOOLEAN []: Device busy is recorded where pend is used
-- column volumes BIGINT []: Volumes that are compared
-- column paths_left BIGINT [paths]: Fewest channel paths online to volumes that have lost some and pend long; NULL if none has
-- column most_paths BIGINT [paths]: Most that these have at other times
-- column long_volumes VARCHAR []: Volumes that pend long in the worst interval, separated by |; NULL where command response time is recorded
-- column deep_s DOUBLE [s]: Most that the deep intervals of a run lost; NULL where there is none
WITH {{ slow_ways() }},
-- who waits behind lost paths is known by the names of their volumes
uncut AS (
    SELECT * FROM bad WHERE paths_left IS NULL
),
{{ waiting_within("uncut") }},
{% call incident(
    "bad", "platform, system, lcu", "CASE WHEN cmr_ms - usual_ms >= $deep_share * response_ms THEN lost END",
    also=["(SELECT platform, system, lcu, waiting FROM waiting) AS queued"]
) %}
    max(cmr_ms) AS peak_cmr_ms,
    {{ each("sum(io_rate * NAME) / sum(io_rate)", "cmr_ms usual_ms") }},
    max(others_ms) AS others_ms,
    {{ each(mean_of("NAME", "io_rate"), "response_ms wait_ms") }},
    {{ mean_of("at_least_0(conn_ms - usual_conn_ms)", "io_rate") }} AS longer_conn_ms,
    bool_or(is_above_own) AS is_rise,
    {{ each("bool_or(NAME)", "is_pend has_busy") }},
    max(volumes) AS volumes,
    min(paths_left) AS paths_left,
    max(most_paths) AS most_paths,
    coalesce(max(CASE WHEN paths_left IS NOT NULL THEN long_volumes END), max_by(long_volumes, peak_order(lost, local_start))) AS long_volumes,
    {{ each(mean_of("NAME", "io_rate"), "cu_busy_ratio cu_busy_delay_ms") }}
{% endcall %}
ORDER BY a.platform, a.lcu, w.lost DESC
