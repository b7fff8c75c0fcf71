"""Full channels, and the LCUs whose I/Os go through them: the query that judges whether channels explain waits."""

from __future__ import annotations

from iosq.toolkit.advise.box import VOLUME_BOX
from iosq.toolkit.advise.window import LOCAL, worst_window

# one row per system with busy channels and LCU that most of whose I/Os go through them; one with NULLs if there is none
SQL = f"""
WITH {VOLUME_BOX}, disk_path AS (
    SELECT p.platform, p.system, p.interval_start, p.lcu, p.channel_path, p.taken_rate
    FROM lcu_path_interval p
    JOIN lcu_interval l ON l.platform = p.platform AND l.system = p.system AND l.lcu = p.lcu
        AND l.interval_start = p.interval_start
), used AS (
    SELECT *, bytes_per_operation AS bytes_each, {LOCAL}
    FROM main.disk_channel_interval
), full_channel AS (
    SELECT * FROM used WHERE used_ratio >= ?
), bad AS (
    SELECT platform, system, interval_start, start_us, max(end_us) AS end_us, sum(used_ratio) AS lost
    FROM full_channel
    GROUP BY platform, system, interval_start, start_us
), {worst_window("bad", "platform, system")}, channels AS (
    SELECT platform, system, string_agg(DISTINCT channel_path, '|') AS channels,
           count(DISTINCT channel_path) AS channel_count, max(used_ratio) AS used_ratio, max(busy_ratio) AS busy_ratio,
           max(partition_busy_ratio) AS own_ratio, max(bus_busy_ratio) AS bus_ratio,
           max(link_ratio) AS link_ratio, avg(bytes_each) AS bytes_each,
           avg(zhpf_ratio) AS zhpf_ratio
    FROM full_channel
    GROUP BY platform, system
), others AS (
    SELECT u.platform, u.system, avg(u.used_ratio) AS others_ratio, count(DISTINCT u.channel_path) AS other_count
    FROM used u
    JOIN bad b ON b.platform = u.platform AND b.system = u.system AND b.interval_start = u.interval_start
    LEFT JOIN (SELECT DISTINCT platform, system, channel_path FROM full_channel) f
        ON f.platform = u.platform AND f.system = u.system AND f.channel_path = u.channel_path
    WHERE f.channel_path IS NULL
    GROUP BY u.platform, u.system
), taken AS (
    SELECT p.platform, p.system, p.lcu, p.interval_start, sum(p.taken_rate) AS taken,
           sum(CASE WHEN f.channel_path IS NOT NULL THEN p.taken_rate END) AS taken_full
    FROM disk_path p
    LEFT JOIN full_channel f ON f.platform = p.platform AND f.system = p.system AND f.channel_path = p.channel_path
        AND f.interval_start = p.interval_start
    GROUP BY p.platform, p.system, p.lcu, p.interval_start
), held AS (
    SELECT * FROM taken WHERE taken_full >= ? * taken AND taken > 0
), timed AS (
    SELECT *, pend_ms - coalesce(device_busy_ms, 0) AS path_ms FROM lcu_interval WHERE io_rate >= ?
), usual AS (
    SELECT platform, system, lcu, percentile_cont(0.25) WITHIN GROUP (ORDER BY path_ms) AS usual_ms,
           percentile_cont(0.25) WITHIN GROUP (ORDER BY conn_ms) AS usual_conn_ms, sum(interval_s) AS span_s
    FROM timed
    GROUP BY platform, system, lcu
), cost AS (
    SELECT t.platform, t.system, t.lcu, max(u.usual_ms) AS usual_ms, max(u.usual_conn_ms) AS usual_conn_ms,
           sum(t.io_rate * t.path_ms) / sum(t.io_rate) AS path_ms,
           sum(t.io_rate * t.conn_ms) / sum(t.io_rate) AS conn_ms,
           sum(t.io_rate * t.response_ms) / sum(t.io_rate) AS response_ms,
           sum(t.io_rate * t.wait_ms) / sum(t.io_rate) AS wait_ms, sum(t.io_rate) AS rate_sum,
           max(t.io_rate * (coalesce(t.cmr_ms, 0) + t.conn_ms + t.disc_ms) / 1000) AS open_ios,
           sum(t.io_rate * greatest(t.path_ms - u.usual_ms, 0) * t.interval_s) / 1000 AS lost_s
    FROM timed t
    JOIN held h ON h.platform = t.platform AND h.system = t.system AND h.lcu = t.lcu
        AND h.interval_start = t.interval_start
    JOIN usual u ON u.platform = t.platform AND u.system = t.system AND u.lcu = t.lcu
    GROUP BY t.platform, t.system, t.lcu
), queue AS (
    SELECT v.platform, v.system, v.lcu, v.volume, sum(v.queue_length) AS queued,
           sum(CASE WHEN h.lcu IS NOT NULL THEN v.queue_length END) AS queued_then,
           sum(CASE WHEN h.lcu IS NOT NULL THEN v.queue_length * v.interval_s END) AS waited_s
    FROM volume_interval v
    LEFT JOIN held h ON h.platform = v.platform AND h.system = v.system AND h.lcu = v.lcu
        AND h.interval_start = v.interval_start
    GROUP BY v.platform, v.system, v.lcu, v.volume
), waiting AS (
    SELECT platform, system, lcu, string_agg(volume, '|') AS volumes, sum(waited_s) AS waited_s
    FROM queue
    WHERE queued > 0 AND queued_then >= 0.5 * queued
    GROUP BY platform, system, lcu
), covered_span AS (
    SELECT platform, system, sum(interval_s) / count(DISTINCT channel_path) AS span_s
    FROM used
    GROUP BY platform, system
)
SELECT c.*, w.window_start_us, w.window_end_us, w.bad_intervals, w.runs, o.others_ratio, o.other_count, s.span_s,
       m.lcu, m.usual_ms, m.usual_conn_ms, m.path_ms, m.conn_ms, m.response_ms, m.wait_ms, m.rate_sum, m.open_ios,
       m.lost_s, q.volumes, q.waited_s, h.box, h.serial, h.control_unit_type AS type, h.lcus_in_box, k.known
FROM channels c
JOIN worst w ON w.platform = c.platform AND w.system = c.system
JOIN covered_span s ON s.platform = c.platform AND s.system = c.system
LEFT JOIN others o ON o.platform = c.platform AND o.system = c.system
LEFT JOIN (SELECT DISTINCT platform, system, CASE WHEN is_lcu_known THEN system END AS known FROM used) k
    ON k.platform = c.platform AND k.system = c.system
LEFT JOIN cost m ON m.platform = c.platform AND m.system = c.system
LEFT JOIN waiting q ON q.platform = m.platform AND q.system = m.system AND q.lcu = m.lcu
LEFT JOIN lcu_box h ON h.platform = m.platform AND h.system = m.system AND h.lcu = m.lcu
ORDER BY c.platform, c.system, m.lost_s DESC, m.lcu
"""
