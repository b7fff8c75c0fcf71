"""Writes that find NVS full, box by box: bursts or a steady overload, decided once for all NVS rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from iosq.models.nvs import Nvs, overflow_s
from iosq.toolkit.advise.box import VOLUME_BOX
from iosq.toolkit.advise.finding import Row
from iosq.toolkit.advise.subject import Subject, listed, waits
from iosq.toolkit.advise.window import LOCAL

TRACK_BYTES = 56664
# destage rates this close to each other stand at the same ceiling
LEVEL = 0.9
# `overloaded`: one row per box and interval with delayed writes; `steady` where destage stands near its highest in this
# interval and in one beside it that also had delays. `verdict`: one row per box, steady where most writes were delayed
# in such intervals, else bursts. The one place that decides which of them it is; ? is the least share of writes delayed
OVERLOADED = f"""{VOLUME_BOX}, cached AS (
    SELECT *, {LOCAL}
    FROM cache_subsystem_interval
), cache_and_cost AS (
    SELECT b.box, b.serial, b.type, c.subsystem, c.interval_s, c.nvs_delay_count, c.write_count, c.destage_rate,
           c.nvs_bytes, n.delay_ms_per_write * c.write_count / 1000 AS lost_s,
           n.delay_ms_per_write_low * c.write_count / 1000 AS lost_low_s,
           n.delay_ms_per_write_high * c.write_count / 1000 AS lost_high_s,
           n.disc_share_ratio, c.interval_start AS begun, c.start_us, c.end_us
    FROM cached c
    JOIN box_of b ON b.subsystem = c.subsystem
    LEFT JOIN nvs_delay n ON n.subsystem = c.subsystem AND n.interval_start = c.interval_start
), by_box AS (
    SELECT box, begun, start_us, max(end_us) AS end_us, max(serial) AS serial, max(type) AS type,
           max(interval_s) AS interval_s, sum(nvs_delay_count) AS delayed, sum(write_count) AS writes,
           sum(destage_rate) AS destage_rate, max(nvs_bytes) AS nvs_bytes, sum(lost_s) AS lost_s,
           sum(lost_low_s) AS lost_low_s, sum(lost_high_s) AS lost_high_s, max(disc_share_ratio) AS disc_share,
           min(subsystem) AS subsystem
    FROM cache_and_cost
    GROUP BY box, begun, start_us
), box_span AS (
    SELECT box, sum(interval_s) AS box_span_s, max(destage_rate) AS destage_max FROM by_box GROUP BY box
), delaying AS (
    SELECT i.*, s.box_span_s, s.destage_max,
           CASE WHEN i.destage_rate >= {LEVEL} * s.destage_max THEN 1 ELSE 0 END AS at_ceiling
    FROM by_box i
    JOIN box_span s ON s.box = i.box
    WHERE i.delayed / nullif(i.writes, 0) >= ?
), beside AS (
    SELECT *, lag(at_ceiling) OVER (PARTITION BY box ORDER BY start_us) AS before_it,
           lag(end_us) OVER (PARTITION BY box ORDER BY start_us) AS before_end_us,
           lead(at_ceiling) OVER (PARTITION BY box ORDER BY start_us) AS after_it,
           lead(start_us) OVER (PARTITION BY box ORDER BY start_us) AS after_start_us
    FROM delaying
), overloaded AS (
    SELECT *, at_ceiling = 1 AND ((before_it = 1 AND start_us <= before_end_us)
           OR (after_it = 1 AND after_start_us <= end_us)) IS TRUE AS steady
    FROM beside
), verdict AS (
    SELECT box, 2 * sum(CASE WHEN steady THEN delayed ELSE 0 END) >= sum(delayed) AS is_steady
    FROM overloaded
    GROUP BY box
)"""
# one row per box and interval with delayed writes, and the volumes that wait in the host mostly then
SQL = f"""
WITH {OVERLOADED}, queue AS (
    SELECT b.box, v.volume, v.system, sum(v.queue_length) AS queued,
           sum(CASE WHEN i.delayed > 0 THEN v.queue_length END) AS queued_then
    FROM volume_interval v
    JOIN volume_box b ON b.platform = v.platform AND b.system = v.system AND b.volume = v.volume
    JOIN by_box i ON i.box = b.box AND i.begun = v.interval_start
    GROUP BY b.box, v.volume, v.system
), waiting AS (
    SELECT box, string_agg(volume, '|' ORDER BY volume, system) AS volumes,
           string_agg(system, '|' ORDER BY volume, system) AS systems
    FROM queue
    WHERE queued_then >= 0.5 * queued AND queued > 0
    GROUP BY box
)
SELECT i.*, d.is_steady, w.volumes, w.systems
FROM overloaded i
JOIN verdict d ON d.box = i.box
LEFT JOIN waiting w ON w.box = i.box
ORDER BY i.box, i.start_us
"""


@dataclass(frozen=True)
class Overload:
    """The intervals of one box in which writes waited for NVS: those within a steady overload, and single bursts."""

    rows: list[Row]
    steady: list[Row]
    bursts: list[Row]

    @property
    def is_steady(self) -> bool:
        """Whether most writes were delayed while the box destaged all it could."""
        return bool(self.first["is_steady"])

    @property
    def first(self) -> Row:
        """Any row, for what all of them share."""
        return self.rows[0]

    @property
    def delayed(self) -> float:
        """Writes delayed, all intervals."""
        return float(sum(r["delayed"] for r in self.rows))

    def per_write(self, name: str) -> float:
        """`lost_s`, `lost_low_s` or `lost_high_s` of the worst interval as milliseconds per write."""
        worst = max(self.rows, key=lambda r: r["lost_s"] or 0.0)
        return 1000 * (worst[name] or 0.0) / float(worst["writes"])

    @property
    def covers(self) -> frozenset[tuple[str, Subject]]:
        """Volumes that wait in the host only because their I/Os stay in the box for so long."""
        return waits(zip(listed(self.first["volumes"]), listed(self.first["systems"]), strict=True))


def overloads(rows: list[Row]) -> Iterator[Overload]:
    """The boxes of the query's answer."""
    for _, group in groupby(rows, key=lambda r: r["box"]):
        members = list(group)
        steady = [r for r in members if r["steady"]]
        yield Overload(members, steady, [r for r in members if not r["steady"]])


def seconds_to_fill(row: Mapping[str, float], nvs_bytes: float) -> float:
    """How long NVS of a size takes the excess of an interval before it is full; infinite without excess.

    Each delayed write is taken to need a track of room.
    """
    excess = row["delayed"] / row["interval_s"]
    return overflow_s(Nvs(nvs_bytes, TRACK_BYTES, row["destage_rate"]), row["destage_rate"] + excess)
