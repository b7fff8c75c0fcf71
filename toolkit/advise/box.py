"""The box behind volumes and subsystems: how rules find it, name it, and read its curve."""

from __future__ import annotations

from iosq.toolkit.advise.window import LOCAL

# which box a subsystem and a volume are in; what no cache record names is a box by itself
BOX_OF = """box_of AS (
    SELECT subsystem, coalesce(max(serial), subsystem) AS box, max(serial) AS serial, max(control_unit_type) AS type
    FROM cache_subsystem_interval
    GROUP BY subsystem
)"""
VOLUME_BOX = f"""{BOX_OF}, place AS (
    SELECT platform, system, volume, max(subsystem) AS subsystem, max(lcu) AS lcu
    FROM volume_interval
    GROUP BY platform, system, volume
), volume_box AS (
    SELECT p.platform, p.system, p.volume, coalesce(b.box, 'LCU ' || p.lcu, p.system) AS box, b.serial, b.type
    FROM place p
    LEFT JOIN box_of b ON b.subsystem = p.subsystem
)"""
# where the curve is read: the number in the box at least this share of the most
UPPER = 0.1
# volumes slower than this scatter too much
BUSY_RATE = 1
# `elasticity`: by how much per cent a box's rate would rise with one per cent more I/Os in it. Each volume's service
# time is compared with its own mean, so that other work at other hours is not taken for a slower box: where service
# times grow as fast as the number in the box, the rate stands still (0); where they stay, it keeps pace (1)
CURVE = f"""{VOLUME_BOX}, served AS (
    SELECT b.box, b.serial, b.type, v.platform, v.system, v.volume, v.interval_start, v.interval_s, v.utc_offset_s,
           v.io_rate, v.wait_ms, v.service_ms, v.in_service, v.queue_length, v.lcu, v.is_hyperpav, v.read_ratio,
           coalesce(v.exposures, 1) AS exposures, {LOCAL}
    FROM volume_interval v
    JOIN volume_box b ON b.platform = v.platform AND b.system = v.system AND b.volume = v.volume
    WHERE v.io_rate > 0 AND v.service_ms > 0
), box_interval AS (
    SELECT box, interval_start, sum(io_rate) AS rate, sum(in_service) AS in_box, sum(queue_length) AS queued,
           count(*) AS volumes,
           sum(io_rate * read_ratio) / sum(CASE WHEN read_ratio IS NOT NULL THEN io_rate END) AS read_ratio
    FROM served
    GROUP BY box, interval_start
), fullest AS (
    SELECT box, max(in_box) AS in_box_max FROM box_interval GROUP BY box
), upper_part AS (
    SELECT s.box, s.platform, s.system, s.volume, i.interval_start, i.rate, i.in_box, i.queued, f.in_box_max,
           ln(s.service_ms) AS service_log, ln(i.in_box) AS in_box_log
    FROM served s
    JOIN box_interval i ON i.box = s.box AND i.interval_start = s.interval_start
    JOIN fullest f ON f.box = s.box
    WHERE i.in_box >= {UPPER} * f.in_box_max AND s.io_rate >= {BUSY_RATE}
), own AS (
    SELECT box, platform, system, volume, avg(service_log) AS service_log, avg(in_box_log) AS in_box_log
    FROM upper_part
    GROUP BY box, platform, system, volume
), against_own AS (
    SELECT u.box, u.interval_start, u.rate, u.in_box, u.queued, u.in_box_max, u.service_log - o.service_log AS slower,
           u.in_box_log - o.in_box_log AS fuller
    FROM upper_part u
    JOIN own o ON o.box = u.box AND o.platform = u.platform AND o.system = u.system AND o.volume = u.volume
), curve AS (
    SELECT box, count(DISTINCT interval_start) AS points, max(in_box_max) AS in_box_max, min(in_box) AS in_box_low,
           max(rate) AS rate_max, min(rate) AS rate_low, max(queued) AS queued_max,
           1 - regr_slope(slower, fuller) AS elasticity, regr_r2(slower, fuller) AS fit,
           stddev_samp(slower) / nullif(stddev_samp(fuller), 0) AS spread_ratio
    FROM against_own
    GROUP BY box
)"""


def opening(name: str) -> str:
    """A box's name at the beginning of a sentence."""
    return name[:1].upper() + name[1:]
