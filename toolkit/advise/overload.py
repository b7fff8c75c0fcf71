"""Writes that find NVS full, box by box: bursts or a steady overload, decided once for all NVS rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from iosq.models.nvs import Nvs, overflow_s
from iosq.toolkit.advise.box import VOLUME_BOX
from iosq.toolkit.advise.finding import Row
from iosq.toolkit.advise.subject import Subject, listed, waits

TRACK_BYTES = 56664
# `overloaded`: one row per box and interval with delayed writes; `verdict`: one row per box, steady where most writes
# were delayed in steady intervals, else bursts; ? is the least share of writes delayed
OVERLOADED = f"""{VOLUME_BOX}, least AS (
    SELECT ? AS share
), by_box AS (
    SELECT box, interval_start AS begun, unix_micros(local_start) AS start_us, unix_micros(local_end) AS end_us, serial,
           control_unit_type AS type, interval_s, nvs_delay_count AS delayed, write_count AS writes, nvs_delay_ratio,
           destage_rate, nvs_bytes, lost_s, lost_low_s, lost_high_s, disc_share_ratio AS disc_share, subsystem,
           span_s AS box_span_s, destage_rate_max AS destage_max, steady_ratio
    FROM main.box_nvs_interval
), overloaded AS (
    SELECT b.*, coalesce(b.steady_ratio >= l.share, FALSE) AS steady
    FROM by_box b
    CROSS JOIN least l
    WHERE b.nvs_delay_ratio >= l.share
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
