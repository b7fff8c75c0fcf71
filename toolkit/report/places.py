"""LCUs and boxes: which there are, what is in them, and their numbers over the whole span.

A place is what shares something: an LCU as one system sees it, the volumes of a system that are in no LCU (z/VM), and
a box, over all systems. `unit` stands for the first two: the LCU, or an empty text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from iosq.toolkit.advise.subject import box
from iosq.toolkit.report.anchors import anchor
from iosq.toolkit.report.table import Cell, cell
from iosq.toolkit.sql.guard import query
from iosq.toolkit.sql.raw import literal

if TYPE_CHECKING:
    import duckdb

Row = Mapping[str, Any]
Kind = Literal["box", "lcu", "system"]

# sums of one unit over one interval; a box adds up its units, a step its intervals
UNITS = """box_of AS (
    SELECT subsystem, box, serial, control_unit_type FROM box_subsystem
), volume AS (
    SELECT platform, system, volume, coalesce(max(lcu), '') AS unit, max(subsystem) AS subsystem,
           CASE WHEN bool_or(is_hyperpav) THEN 0 ELSE greatest(max(exposures) - 1, 0) END AS aliases
    FROM volume_interval
    GROUP BY platform, system, volume
), unit AS (
    SELECT v.platform, v.system, v.unit, count(*) AS volumes, sum(v.aliases) AS static_aliases, max(b.box) AS box,
           max(b.serial) AS serial, max(b.control_unit_type) AS control_unit_type,
           string_agg(DISTINCT v.subsystem, ', ' ORDER BY v.subsystem) AS subsystems
    FROM volume v
    LEFT JOIN box_of b ON b.subsystem = v.subsystem
    GROUP BY v.platform, v.system, v.unit
), by_interval AS (
    SELECT m.platform, m.system, m.unit, m.interval_start, max(m.interval_s) AS interval_s, max(m.t) AS t,
           sum(m.ios) AS ios, sum(m.ios * m.response_ms) AS response, sum(m.ios * m.wait_ms) AS wait,
           sum(m.ios * m.pend_ms) AS pend, sum(m.ios * m.disc_ms) AS disc, sum(m.ios * m.conn_ms) AS conn
    FROM (
        SELECT *, coalesce(lcu, '') AS unit,
               CASE WHEN response_ms IS NOT NULL THEN io_rate * interval_s END AS ios,
               timestamp_micros(unix_micros(interval_start) + CAST(coalesce(utc_offset_s, 0) AS BIGINT) * 1000000)
                   AS t
        FROM volume_interval
    ) m
    GROUP BY m.platform, m.system, m.unit, m.interval_start
)"""
_MEANS = """sum(response) / nullif(sum(ios), 0) AS response_ms, sum(wait) / nullif(sum(ios), 0) AS wait_ms,
           sum(pend) / nullif(sum(ios), 0) AS pend_ms, sum(disc) / nullif(sum(ios), 0) AS disc_ms,
           sum(conn) / nullif(sum(ios), 0) AS conn_ms"""
_PEAK = """max_by(t, response - coalesce(conn, 0)) AS peak,
           max_by(response / nullif(ios, 0), response - coalesce(conn, 0)) AS peak_response_ms,
           max_by(wait / nullif(ios, 0), response - coalesce(conn, 0)) AS peak_wait_ms,
           max_by(ios / interval_s, response - coalesce(conn, 0)) AS peak_rate"""
LCUS = f"""
WITH {UNITS}, total AS (
    SELECT platform, system, unit, sum(ios) / nullif(sum(interval_s), 0) AS io_rate, {_MEANS},
           sum(response - coalesce(conn, 0)) / 1000 * 24 / nullif(sum(interval_s), 0) AS lost_h, {_PEAK}
    FROM by_interval
    GROUP BY platform, system, unit
), seen AS (
    SELECT *, io_rate * interval_s AS ios FROM lcu_interval
), alias AS (
    SELECT platform, system, lcu, max(devices) AS devices, sum(ios) / nullif(sum(interval_s), 0) AS io_rate,
           sum(ios * response_ms) / nullif(sum(ios), 0) AS response_ms,
           sum(ios * wait_ms) / nullif(sum(ios), 0) AS wait_ms, sum(ios * pend_ms) / nullif(sum(ios), 0) AS pend_ms,
           sum(ios * disc_ms) / nullif(sum(ios), 0) AS disc_ms, sum(ios * conn_ms) / nullif(sum(ios), 0) AS conn_ms,
           max(hyperpav_aliases) AS aliases, max(alias_high_water) AS high_water,
           100 * max(alias_denied_ratio) AS denied_peak_percent, sum(alias_denied_count) AS denied,
           max(queue_high_water) AS queue_high_water
    FROM seen
    GROUP BY platform, system, lcu
)
SELECT u.platform, u.system, u.unit, u.box, u.serial, u.control_unit_type, u.subsystems, u.volumes,
       u.static_aliases, a.devices,
       coalesce(a.io_rate, t.io_rate) AS io_rate, coalesce(a.response_ms, t.response_ms) AS response_ms,
       coalesce(a.wait_ms, t.wait_ms) AS wait_ms, coalesce(a.pend_ms, t.pend_ms) AS pend_ms,
       coalesce(a.disc_ms, t.disc_ms) AS disc_ms, coalesce(a.conn_ms, t.conn_ms) AS conn_ms, t.lost_h, t.peak,
       t.peak_response_ms, t.peak_wait_ms, t.peak_rate, a.aliases, a.high_water, a.denied_peak_percent, a.denied,
       a.queue_high_water
FROM unit u
JOIN total t ON t.platform = u.platform AND t.system = u.system AND t.unit = u.unit
LEFT JOIN alias a ON a.platform = u.platform AND a.system = u.system AND a.lcu = u.unit
WHERE t.io_rate > 0
ORDER BY t.lost_h DESC NULLS LAST, u.unit, u.system, u.platform
"""
# intervals of systems are the same where their starts round to the same minute, as in shared_volume_interval
BOXES = f"""
WITH {UNITS}, placed AS (
    SELECT u.box, i.*, (unix_micros(i.interval_start) + 30000000) // 60000000 AS minute
    FROM by_interval i
    JOIN unit u ON u.platform = i.platform AND u.system = i.system AND u.unit = i.unit
    WHERE u.box IS NOT NULL
), box_time AS (
    SELECT box, minute, max(interval_s) AS interval_s, min(t) AS t, sum(ios) AS ios, sum(response) AS response,
           sum(wait) AS wait, sum(pend) AS pend, sum(disc) AS disc, sum(conn) AS conn
    FROM placed
    GROUP BY box, minute
), total AS (
    SELECT box, sum(ios) / nullif(sum(interval_s), 0) AS io_rate, {_MEANS},
           sum(response - coalesce(conn, 0)) / 1000 * 24 / nullif(sum(interval_s), 0) AS lost_h, {_PEAK}
    FROM box_time
    GROUP BY box
), subsystem_total AS (
    SELECT b.box, c.subsystem, sum(read_count) / nullif(sum(interval_s), 0) AS read_rate,
           sum(write_count) / nullif(sum(interval_s), 0) AS write_rate, sum(read_count) AS read_count,
           sum(read_hit_count) AS read_hit_count, sum(write_count) AS write_count,
           sum(write_hit_count) AS write_hit_count, sum(nvs_delay_count) AS nvs_delay_count,
           max(nvs_delay_ratio) AS nvs_delay_peak, sum(destage_rate * interval_s) / nullif(sum(interval_s), 0)
           AS destage_rate, max(cache_bytes) AS cache_bytes, max(nvs_bytes) AS nvs_bytes
    FROM cache_subsystem_interval c
    JOIN box_of b ON b.subsystem = c.subsystem
    GROUP BY b.box, c.subsystem
), cached AS (
    SELECT box, string_agg(subsystem, ', ' ORDER BY subsystem) AS subsystems, sum(read_rate) AS read_rate,
           sum(write_rate) AS write_rate, 100 * sum(read_hit_count) / nullif(sum(read_count), 0) AS read_hit_percent,
           100 * sum(write_hit_count) / nullif(sum(write_count), 0) AS write_hit_percent,
           100 * sum(nvs_delay_count) / nullif(sum(write_count), 0) AS delayed_percent,
           100 * max(nvs_delay_peak) AS delayed_peak_percent, sum(destage_rate) AS destage_rate,
           max(cache_bytes) / 1073741824 AS cache_gib, max(nvs_bytes) / 1073741824 AS nvs_gib
    FROM subsystem_total
    GROUP BY box
), named AS (
    SELECT box, max(serial) AS serial, max(control_unit_type) AS control_unit_type, sum(volumes) AS volumes
    FROM unit
    GROUP BY box
)
SELECT n.box, n.serial, n.control_unit_type, n.volumes, t.io_rate, t.response_ms, t.wait_ms, t.pend_ms, t.disc_ms,
       t.conn_ms, t.lost_h, t.peak, t.peak_response_ms, t.peak_wait_ms, t.peak_rate, c.subsystems, c.read_rate,
       c.write_rate, c.read_hit_percent, c.write_hit_percent, c.delayed_percent, c.delayed_peak_percent,
       c.destage_rate, c.cache_gib, c.nvs_gib
FROM total t
JOIN named n ON n.box = t.box
JOIN cached c ON c.box = t.box
WHERE t.io_rate > 0
ORDER BY t.lost_h DESC NULLS LAST, t.box
"""
# column, what it is called, decimals, unit; a number the records don't know is left out
_LOAD = (
    ("io_rate", "I/O rate, mean", 1, "per s"),
    ("response_ms", "Response, mean", 2, "ms"),
    ("wait_ms", "of it IOSQ", 2, "ms"),
    ("pend_ms", "of it pend", 2, "ms"),
    ("disc_ms", "of it disc", 2, "ms"),
    ("conn_ms", "of it conn", 2, "ms"),
    ("lost_h", "Lost per day, all I/Os", 2, "h"),
    ("peak", "Peak, local time", None, ""),
    ("peak_rate", "I/O rate in it", 1, "per s"),
    ("peak_response_ms", "Response in it", 2, "ms"),
    ("peak_wait_ms", "IOSQ in it", 2, "ms"),
)
_ALIASES = (
    ("volumes", "Volumes", 0, ""),
    ("devices", "Devices online", 0, ""),
    ("static_aliases", "Static aliases, sum", 0, ""),
    ("aliases", "HyperPAV aliases configured", 0, ""),
    ("high_water", "HyperPAV aliases in use, most", 0, ""),
    ("denied", "I/Os that found no alias", 0, ""),
    ("denied_peak_percent", "the same, worst interval", 1, "%"),
    ("queue_high_water", "I/Os queued at once, most", 0, ""),
    ("subsystems", "Subsystem (SSID)", None, ""),
)
_CACHE = (
    ("volumes", "Volumes, as each system sees them", 0, ""),
    ("subsystems", "Subsystems (SSIDs)", None, ""),
    ("read_rate", "Reads", 1, "per s"),
    ("write_rate", "Writes", 1, "per s"),
    ("read_hit_percent", "Read hits", 1, "%"),
    ("write_hit_percent", "Write hits", 1, "%"),
    ("delayed_percent", "Writes delayed by NVS", 2, "%"),
    ("delayed_peak_percent", "the same, worst interval of a subsystem", 1, "%"),
    ("destage_rate", "Destage", 1, "tracks per s"),
    ("cache_gib", "Cache, as a subsystem reports it", 1, "GiB"),
    ("nvs_gib", "NVS, as a subsystem reports it", 1, "GiB"),
)


@dataclass(frozen=True, slots=True)
class Place:
    """An LCU of a system, a system's volumes without LCU, or a box; `parent` is the box of an LCU, if known."""

    id: str
    kind: Kind
    name: str
    row: Row
    parent: str | None = None

    @property
    def numbers(self) -> list[tuple[str, Cell, str]]:
        """Name, value and unit of all that is known."""
        listed = _LOAD + (_CACHE if self.kind == "box" else _ALIASES)
        return [(name, cell(self.row[c], d), unit) for c, name, d, unit in listed if self.row[c] is not None]

    @property
    def sql(self) -> str:
        """The query that gives all intervals of all its volumes."""
        if self.kind == "box":
            where = f"subsystem IN ({', '.join(literal(s) for s in self.subsystems)})"
        else:
            lcu = f"lcu = {literal(self.row['unit'])}" if self.row["unit"] else "lcu IS NULL"
            where = f"system = {literal(self.row['system'])} AND {lcu}"
        return f"SELECT * FROM volume_interval WHERE {where} ORDER BY interval_start, volume"

    @property
    def subsystems(self) -> list[str]:
        """Its SSIDs."""
        return (self.row["subsystems"] or "").split(", ")


def boxes(con: duckdb.DuckDBPyConnection) -> list[Place]:
    """The boxes that cache records tell, the one that loses most time first."""
    rows = query(con, BOXES).to_pylist()
    return [Place(anchor("box", _short(r["box"])), "box", box(r).opening, r) for r in rows]


def lcus(con: duckdb.DuckDBPyConnection, known: Sequence[Place]) -> list[Place]:
    """The LCUs of every system, and each system's volumes in no LCU; the one that loses most time first."""
    parents = {b.row["box"]: b.id for b in known}
    found: dict[str, Place] = {}
    for row in query(con, LCUS).to_pylist():
        place = _unit(row, parents.get(row["box"]))
        # the same names on z/OS and on z/VM are two places
        name = place.id + anchor("", row["platform"]) if place.id in found else place.id
        found[name] = replace(place, id=name)
    return list(found.values())


def _unit(r: Row, parent: str | None) -> Place:
    if r["unit"]:
        return Place(anchor("lcu", r["unit"], r["system"]), "lcu", f"LCU {r['unit']} on {r['system']}", r, parent)
    # z/VM knows no LCUs: there the words would only puzzle
    rest = "" if r["platform"] == "z/VM" else " in no LCU"
    return Place(anchor("system", r["system"]), "system", f"Volumes of {r['system']}{rest}", r, parent)


def _short(serial: str) -> str:
    return serial.lstrip("0") or serial
