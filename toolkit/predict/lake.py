"""Read rows of `volume_interval` with the box of each volume, in the form the models need."""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from iosq.models.pav.volume import whole_exposures
from iosq.toolkit.errors import RequestError, nearest
from iosq.toolkit.predict import evidence
from iosq.toolkit.predict.given import CLOSED
from iosq.toolkit.rows import NewRow, grouped
from iosq.toolkit.show.clock import moment
from iosq.toolkit.show.numbers import listed, shown
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.filter import Filter, Instant, among
from iosq.toolkit.sql.guard import query
from iosq.toolkit.sql.questions import ask, load
from iosq.toolkit.sql.refusal import INGEST_DEVICES

VOLUMES, PLACES = load(__package__, "volumes.sql"), load(__package__, "places.sql")
PER_IO = ("wait_ms", "pend_ms", "disc_ms", "conn_ms", "service_ms", "read_ratio", "read_hit_ratio")


@dataclass(frozen=True)
class Reading:
    """Values of one volume on one system over one interval; `exposures` is an integer that covers the I/Os in service.

    `start` is the start of the box's interval, which may contain several intervals of the system; `began` is the start
    of this one. `is_closed`: a closed workload keeps all exposures busy; `is_rest`: it may also be what queues here.
    """

    platform: str
    system: str
    volume: str
    lcu: str
    box: str
    start: dt.datetime
    utc_offset_s: int | None
    rate: float
    wait_ms: float
    pend_ms: float
    disc_ms: float
    conn_ms: float
    service_ms: float
    exposures: int
    measured_exposures: float
    is_hyperpav: bool
    pool: int | None
    read_ratio: float | None
    read_hit_ratio: float | None
    device_type: str
    cylinders: int | None
    began: dt.datetime
    interval_s: float
    refused_ratio: float | None = None
    queued_most: int | None = None
    unused_aliases: int = 0
    is_held: bool = False
    is_overfull: bool = False
    throttled_rate: float = 0.0
    has_known_exposures: bool = True
    has_known_queue: bool = True
    is_closed: bool = False
    is_rest: bool = False

    @property
    def name(self) -> tuple[str, str]:
        return self.system, self.volume

    @property
    def is_fit(self) -> bool:
        """True if the values can predict more exposures: the volume is not reserved, and they do not contradict."""
        return not (self.is_held or self.is_overfull)

    @property
    def in_service(self) -> float:
        """Mean I/Os in progress."""
        return self.rate * self.service_ms / 1e3

    @property
    def queue(self) -> float:
        """Mean I/Os waiting in the host."""
        return self.rate * self.wait_ms / 1e3


@dataclass(frozen=True)
class Place:
    """Location of a volume: the names by which the command line can select it."""

    platform: str
    system: str
    volume: str
    lcu: str
    is_hyperpav: bool
    fixed_block: str | None = None


def statement() -> str:
    """SQL that names the views read by a what-if about volumes, for a connection with only those."""
    return f"{VOLUMES.sql} {PLACES.sql} {evidence.statement()}"


def find_volume(con: Connection, volume: str, system: str | None) -> Place:
    """The volume of that name; RequestError if there is none (names similar ones), or no system is named of several."""
    places = [Place(**row) for row in ask(con, PLACES).to_pylist()]
    wanted = [p for p in places if p.volume == volume.upper() and system in (None, p.system)]
    if not wanted:
        hint = nearest(volume, sorted({p.volume for p in places})) or "iosq sql lists them from volume_interval"
        where = f" on {system}" if system else ""
        raise RequestError(f"there is no volume {volume}{where} in the lake", place="VOLUME", remedy=hint)
    systems = sorted({p.system for p in wanted})
    if len(systems) > 1:
        raise RequestError(f"{listed(systems)} use volume {volume}", place="VOLUME", remedy="choose one with --system")
    return wanted[0]


def find_lcus(con: Connection, lcus: Sequence[str]) -> Place:
    """One volume of the first of these LCUs; RequestError if one of them has none."""
    places = [Place(**row) for row in ask(con, PLACES).to_pylist()]
    known = sorted({p.lcu for p in places if p.lcu})
    if not known:
        raise RequestError("no volume of the lake has an LCU", place="--lcu", remedy=INGEST_DEVICES)
    for lcu in lcus:
        if lcu.upper() not in known:
            raise RequestError(f"there is no LCU {lcu} in the lake", place="--lcu", remedy=f"known: {', '.join(known)}")
    return next(p for p in places if p.lcu == lcus[0].upper())


def readings(
    con: Connection,
    platform: str,
    only: Mapping[str, Collection[object]] | None = None,
    closed: Mapping[str, float] = CLOSED,
) -> list[Reading]:
    """The readings with I/O, ordered by time, system and volume; `only`: values by column that rows must have."""
    limits = {name: closed[name] for name in VOLUMES.asked_with - {"platform"}}
    parts = [among((name,), [str(value) for value in of]) for name, of in (only or {}).items()]
    where = " AND ".join(part or "FALSE" for part in parts) or "TRUE"
    # the filter is part of the statement, so that one volume of a large lake is read without the others
    text = f"SELECT * FROM (\n{VOLUMES.sql}\n) WHERE {where} ORDER BY began, system, volume"
    return [_reading(row) for row in query(con, text, {"platform": platform, **limits}).to_pylist()]


def on_all_platforms(
    con: Connection, only: Mapping[str, Collection[object]] | None = None, closed: Mapping[str, float] = CLOSED
) -> list[Reading]:
    """The readings of every operating system; arguments as of `readings`."""
    return [reading for platform in platforms(con) for reading in readings(con, platform, only, closed)]


def platforms(con: Connection) -> list[str]:
    """Operating systems that measured volumes, z/VM first; RequestError if there are none."""
    rows = query(con, "SELECT DISTINCT platform FROM volume_interval ORDER BY platform DESC").to_pylist()
    if not rows:
        raise RequestError("the lake has no volume with any I/O", remedy="ingest SMF 74.1 records or device listings")
    return [str(row["platform"]) for row in rows]


def mean_response_ms(of: Sequence[Reading]) -> float:
    """Mean response per I/O of the volumes, ms."""
    return sum(r.rate * (r.wait_ms + r.service_ms) for r in of) / sum(r.rate for r in of)


def is_chosen(r: Reading, names: Filter) -> bool:
    """True if the reading matches the named systems, LCUs and volumes; kinds without names match everything."""
    wanted = (r.system, names.systems), (r.lcu, names.lcus), (r.volume, names.volumes)
    return all(name in of for name, of in wanted if of)


def by_interval(seen: Iterable[Reading]) -> dict[dt.datetime, list[Reading]]:
    """The readings of each interval of the box, in order of time; several of a volume become their mean."""
    groups = grouped(sorted(seen, key=lambda r: (r.start, r.system, r.volume, r.began)), lambda r: r.start)
    return {start: _means(group) for start, group in groups.items()}


def _means(readings: Iterable[Reading]) -> list[Reading]:
    """One reading per system and volume. An idle volume has no reading, so others give the time the system measured."""
    groups = grouped(readings, lambda r: r.name)
    measured_s: dict[str, float] = {}
    for (system, _), group in groups.items():
        measured_s[system] = max(measured_s.get(system, 0.0), sum(r.interval_s for r in group))
    return [_mean(group, measured_s[system]) for (system, _), group in groups.items()]


def _mean(group: Sequence[Reading], measured_s: float) -> Reading:
    if len(group) == 1 and group[0].interval_s == measured_s:
        return group[0]
    ios = sum(r.rate * r.interval_s for r in group)
    exposures = sum(r.measured_exposures * r.interval_s for r in group) / sum(r.interval_s for r in group)
    means: NewRow = {name: weighted((getattr(r, name), r.rate * r.interval_s) for r in group) for name in PER_IO}
    return replace(
        group[0],
        **means,
        rate=ios / measured_s,
        exposures=whole_exposures(exposures, ios / measured_s * means["service_ms"] / 1e3),
        measured_exposures=exposures,
        interval_s=measured_s,
        is_held=any(r.is_held for r in group),
        is_overfull=any(r.is_overfull for r in group),
        throttled_rate=max(r.throttled_rate for r in group),
        has_known_exposures=all(r.has_known_exposures for r in group),
    )


def weighted(values: Iterable[tuple[float | None, float]]) -> float | None:
    """Mean of the known values weighted by their I/Os; None if none is known."""
    known = [(value, ios) for value, ios in values if value is not None]
    return sum(value * ios for value, ios in known) / sum(ios for _, ios in known) if known else None


def read_ratios(seen: Sequence[Reading], assumed: float | None) -> list[float]:
    """Read ratios of the readings, `assumed` where the lake has none; RequestError if neither is known."""
    known = [r.read_ratio for r in seen if r.read_ratio is not None]
    if assumed is None and not known:
        raise RequestError(
            f"no cache record of {seen[0].volume} in the lake: its read share is unknown",
            remedy="give --read-ratio",
        )
    if assumed is None:
        assumed = sum(known) / len(known)
    return [assumed if r.read_ratio is None else min(r.read_ratio, 1.0) for r in seen]


def when(reading: Reading, utc: bool = False) -> str:
    """The interval's start in UTC, or in the system's local time with its offset if known."""
    return on_clock(reading.began, reading.utc_offset_s, reading.system, utc)


def on_clock(at: dt.datetime, offset_s: int | None, system: str, utc: bool = False) -> str:
    """An instant in UTC, or in a system's local time with its offset if known."""
    if offset_s is None:
        return f"{shown(at)} by the clock of {system}"
    return moment(at, offset_s, utc)


def starts_at(seen: Sequence[Reading], at: Instant) -> bool:
    """True if the interval that these readings share starts at that time."""
    ahead = dt.timedelta() if at.is_utc else dt.timedelta(seconds=seen[0].utc_offset_s or 0)
    return seen[0].start + ahead == at.at


def no_interval(at: Instant) -> RequestError:
    """The error for a time at which no interval starts."""
    remedy = "iosq sql lists them: SELECT DISTINCT local_start FROM volume_interval"
    zone = "UTC" if at.is_utc else "local time"
    return RequestError(f"no interval starts at {shown(at.at)} {zone}", place="--at", remedy=remedy)


def _reading(row: NewRow) -> Reading:
    pool, exposures = row["pool"], row["exposures"]
    own = 1 if exposures is None else exposures
    given = 1 + pool if row["is_hyperpav"] and pool is not None else own
    whole = whole_exposures(given, row["rate"] * row["service_ms"] / 1e3)
    known = {"measured_exposures": given, "exposures": whole, "has_known_exposures": exposures is not None}
    return Reading(**row | known)
