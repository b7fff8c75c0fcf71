"""Sites made for tests: rows of days before and after planted changes, with the truth known.

Nothing here is a model of the toolkit. A box is an open network of two stations, processors and disks, whose mean
times are exact (Erlang's C). A volume waits for its exposures as in M/M/c, exact too. A pool of aliases is simulated,
event by event. An interval measures these means, off by chance. A `hidden` limit makes service longer after a change,
and nothing before the change shows it.
"""

import datetime as dt
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
from numpy.typing import NDArray

from iosq.toolkit.predict import site
from iosq.toolkit.predict.site import Trial

sys.path.append(str(Path(__file__).parent / "toolkit" / "advise"))
from advise_rows import Row, box, database, pool, volume

INTERVALS = 8  # of a day, a quarter of an hour each
DAY = 96  # quarter hours
CHANCE = 0.02  # of an interval's times, of each volume
COMMON = 0.015  # the same of all volumes of a box together, at most
SHAPE = 0.2 + 0.8 * np.sin(np.pi * (np.arange(INTERVALS) + 0.5) / INTERVALS)
BOXES = [box("2010", "00000AB121"), box("3010", "00000CD472")]
LEVEL = 0.1  # by which volumes of a box differ
EVENTS, EARLY = 8_000, 1_000  # of a pool in an interval, and those before it is looked at
Rows = Mapping[str, Sequence[Row]]
Floats = NDArray[np.float64]


def trials(rows: Rows) -> list[Trial]:
    """The trials of a lake of these rows."""
    with ExitStack() as held:
        made: dict[dt.datetime | None, duckdb.DuckDBPyConnection] = {}

        def lake(until: dt.datetime | None) -> duckdb.DuckDBPyConnection:
            if until not in made:
                made[until] = held.enter_context(closing(database_of(rows, until)))
            return made[until]

        @contextmanager
        def before(when: dt.datetime) -> Iterator[duckdb.DuckDBPyConnection]:
            yield lake(when)

        return site.trials(lake(None), before)


def database_of(rows: Rows, until: dt.datetime | None = None) -> duckdb.DuckDBPyConnection:
    """A lake of these rows, up to a time."""
    kept = {
        name: [row for row in of if until is None or row["interval_start"] < until or name.startswith("cache")]
        for name, of in rows.items()
    }
    return database(asks=site.statement(), **kept)


@dataclass(frozen=True)
class Station:
    """Servers with one queue: each takes this long, and this share of the I/Os visits them."""

    servers: int
    ms: float
    share: float = 1.0

    def response_ms(self, rate: float) -> float:
        """Mean time of an I/O of the box."""
        return self.share * (self.ms + waiting_ms(self.share * rate, self.ms, self.servers))


def waiting_ms(rate: float, service_ms: float, servers: int) -> float:
    """Mean wait in M/M/c, by the recursion of A. K. Erlang's formula."""
    load, blocked = rate * service_ms / 1e3, 1.0
    for busy in range(1, servers + 1):
        blocked = load * blocked / (busy + load * blocked)
    delayed = blocked / (1 - load / servers * (1 - blocked))
    return delayed * service_ms / (servers - load) if load < servers else np.inf


def box_of(rng: np.random.Generator, most: float) -> list[Station]:
    """A box that is fairly busy at this rate: processors for all I/Os, disks for misses."""
    cores, disks, miss = int(rng.integers(1, 5)), int(rng.integers(4, 13)), rng.uniform(0.1, 0.4)
    cpu, disk = rng.uniform(0.5, 0.75), rng.uniform(0.4, 0.7)
    return [Station(cores, 1e3 * cpu * cores / most), Station(disks, 1e3 * disk * disks / most / miss, miss)]


def with_aliases(seed: int, *, hidden: float = 0.0, volumes: int = 12, chance: float = CHANCE) -> dict[str, list[Row]]:
    """Volumes that wait at their peaks, each with aliases added for the second day.

    Args:
        seed: of the site.
        hidden: part of its service time that each alias adds.
        volumes: how many.
        chance: of an interval's times.
    """
    rng = np.random.default_rng([seed, 40])
    return {"volume_interval": [r for n in range(volumes) for r in _hot(f"VOL{n:03}", rng, hidden, chance)]}


def _hot(name: str, rng: np.random.Generator, hidden: float, chance: float) -> Iterator[Row]:
    service, busy = rng.uniform(0.5, 3.0), rng.uniform(0.6, 0.85)
    before, added = int(rng.integers(1, 4)), int(rng.integers(1, 4))
    shape = 1 - 0.3 * np.linspace(0, 1, INTERVALS) ** 2
    for day, aliases in enumerate((0, added)):
        longer, exposures = service * (1 + hidden * aliases), before + aliases
        for interval in range(INTERVALS):
            rate = 1e3 * before * busy * shape[interval] / service * rng.uniform(0.98, 1.02)
            yield _measured(day * DAY + interval, name, float(rate), longer, exposures, rng, chance)


def _measured(
    interval: int, name: str, rate: float, service: float, exposures: int, rng: np.random.Generator,
    chance: float = CHANCE, conn: float | None = None, **more: object,
) -> Row:  # fmt: skip
    wait = waiting_ms(rate, service, exposures) * rng.lognormal(0, 3 * chance)
    own: Row = {"exposures": float(exposures), **more}
    return volume(interval, name, rate=rate, wait=wait, **_parts(service, rng, chance, conn), read_ratio=0.7, **own)


def _parts(
    service: float, rng: np.random.Generator, chance: float = CHANCE, conn: float | None = None
) -> dict[str, float]:
    """The parts of a service time, off by chance; the connect time is a share of it if it is not given."""
    conn = 0.3 * service if conn is None else conn
    times = rng.lognormal(0, chance) * np.array([(service - conn) / 7, (service - conn) * 6 / 7, conn])
    return dict(zip(("pend", "disc", "conn"), times.tolist(), strict=True))


def grown(
    seed: int, *, hidden: float = 0.0, days: int = 8, volumes: int = 8, boxes: int = 1, growth: float = 1.08
) -> dict[str, list[Row]]:
    """Boxes whose load grows day by day.

    Args:
        seed: of the site.
        hidden: part of the service time that is added in the last two days.
        days: how many.
        volumes: of a box.
        boxes: how many.
        growth: load of a day over that of the day before.
    """
    rng = np.random.default_rng([seed, 41])
    rows: list[Row] = []
    for n in range(boxes):
        base = rng.uniform(100, 200, volumes)
        own = rng.uniform(0.1, 0.6, volumes)
        stations, common = box_of(rng, base.sum() * growth**days), rng.uniform(0, COMMON)
        for day in range(days):
            for interval, share in enumerate(SHAPE * growth**day * rng.uniform(0.98, 1.02)):
                inside = sum(station.response_ms(base.sum() * share) for station in stations)
                longer = (1 + hidden * (day >= days - 2)) * rng.lognormal(0, common)
                rows += [
                    _measured(day * DAY + interval, f"V{n}{v:03}", float(base[v] * share), (own[v] + inside) * longer,
                              8, rng, lcu=f"00{n:02}", subsystem=f"{n + 2:X}010")
                    for v in range(volumes)
                ]  # fmt: skip
    return {"volume_interval": rows, "cache_subsystem_interval": _boxes(boxes)}


def _boxes(count: int) -> list[Row]:
    return [box(f"{n + 2:X}010", f"00000AB{n:03}") for n in range(count)]


def resized(seed: int, *, hidden: float = 0.0, pools: int = 1, volumes: int = 6) -> dict[str, list[Row]]:
    """HyperPAV pools that run out at their peaks, larger on the second day.

    Args:
        seed: of the site.
        hidden: part of the service time that is added after the change.
        pools: how many.
        volumes: of a pool.
    """
    rng = np.random.default_rng([seed, 42])
    size, service = rng.integers(2, 7, pools), rng.uniform(0.5, 3.0, pools)
    aliases = np.stack([size, size + rng.integers(2, 9, pools)], axis=1)
    usual = rng.uniform(0.6, 0.85, pools) * (size + 0.6 * volumes) / volumes  # I/Os of a volume in the box
    weights = rng.uniform(0.8, 1.2, (pools, 1, 1, volumes))
    shape = (1 - 0.3 * np.linspace(0, 1, INTERVALS) ** 2) * rng.uniform(0.98, 1.02, (pools, 2, INTERVALS))
    rate = (usual * 1e3 / service)[:, None, None, None] * shape[..., None] * weights
    common = rng.lognormal(0, rng.uniform(0, COMMON, (pools, 1, 1)), rate.shape[:3])
    longer = service[:, None, None] * (1 + hidden * np.arange(2)[:, None]) * common
    waits, refused = _pool_waits(rate, longer, aliases[..., None], rng)
    rows: dict[str, list[Row]] = {"volume_interval": [], "lcu_interval": []}
    for n, day, i in np.ndindex(rate.shape[:3]):
        at, lcu = day * DAY + i, f"00{n:02}"
        rows["volume_interval"] += [
            volume(at, f"V{n}{v:03}", rate=float(rate[n, day, i, v]), wait=float(waits[n, day, i, v]), lcu=lcu,
                   is_hyperpav=True, read_ratio=0.7, **_parts(float(longer[n, day, i]), rng))
            for v in range(volumes)
        ]  # fmt: skip
        own = rate[n, day, i], waits[n, day, i], float(refused[n, day, i])
        rows["lcu_interval"].append(_lcu(at, lcu, int(aliases[n, day]), *own))
    return rows


def _lcu(interval: int, lcu: str, aliases: int, rate: Floats, waits: Floats, refused: float) -> Row:
    queue = float(rate @ waits / 1e3)
    own: Row = {"hyperpav_aliases": aliases, "alias_high_water": aliases, "wait_ms": queue / rate.sum() * 1e3}
    own |= {"queue_length": queue, "io_rate": float(rate.sum())}
    return pool(interval, denied=1e4 * refused, lcu=lcu, **own)


def _pool_waits(rate: Floats, service_ms: Floats, aliases: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Mean wait of each volume, shape of `rate`, and refusals per I/O of each interval, by events.

    Service is exponential. A base that falls free takes the next I/O of its volume, an alias any I/O that waits.
    """
    shape, volumes = rate.shape, rate.shape[-1]
    rate = rate.reshape(-1, volumes)
    each = np.arange(len(rate))
    speed, most = (np.broadcast_to(of, shape[:-1]).reshape(-1, 1) for of in (1e3 / service_ms, aliases))
    inside, waiting, seconds, queued = (np.zeros(rate.shape) for _ in range(4))
    refused = np.zeros(len(rate))
    for event in range(EARLY + EVENTS):
        speeds = np.concatenate([rate, inside * speed], axis=1).cumsum(axis=1)
        total = speeds[:, -1:]
        if event >= EARLY:
            seconds += 1 / total
            queued += waiting / total
        chosen = (speeds > rng.random((len(rate), 1)) * total).argmax(axis=1)
        which, ends = chosen % volumes, chosen >= volumes
        inside[each, which] -= ends
        waiting[each, which] += ~ends
        free = most[:, 0] > np.maximum(inside - 1, 0).sum(axis=1)
        own = inside[each, which] == 0
        refused += ~(ends | own | free) * (event >= EARLY)
        taken = np.where(own & (waiting[each, which] > 0), which, (waiting * rng.random(rate.shape)).argmax(axis=1))
        starts = (free | (inside[each, taken] == 0)) & (waiting[each, taken] > 0)
        inside[each, taken] += starts
        waiting[each, taken] -= starts
    waits = queued / seconds / rate * 1e3
    return waits.reshape(shape), (refused / (rate * seconds).sum(axis=1)).reshape(shape[:-1])


def moved(
    seed: int, *, known: bool = True, hidden: float = 0.0, moves: int = 1, size: float = 0.2
) -> dict[str, list[Row]]:
    """Volumes of one box that move to faster boxes on the second day.

    Args:
        seed: of the site.
        known: whether these boxes had other volumes on the first day.
        hidden: part of their service time that is added in the new box.
        moves: boxes that volumes move to.
        size: their load over that of the volumes that were there.
    """
    rng = np.random.default_rng([seed, 43])
    rows: list[Row] = []
    for n in range(1, moves + 1):
        rates, slow, conn = rng.uniform(100, 300, 12), rng.uniform(1.5, 3), rng.uniform(0.1, 0.5, 12)
        level = rng.lognormal(0, LEVEL, 12)
        rates[:4] *= size * rates[4:].sum() / rates[:4].sum()
        stations, common = box_of(rng, rates[4:].sum() * (1 + size)), rng.uniform(0, COMMON)
        for interval in (day * DAY + i for day in range(2) for i in range(INTERVALS)):
            is_moved = interval >= DAY
            ups = rng.uniform(0.95, 1.05, 2) * (SHAPE[interval % DAY], np.roll(SHAPE, 3)[interval % DAY])
            now = rates * np.repeat(ups, (4, 8))
            inside = sum(s.response_ms(float(now[0 if is_moved else 4 :].sum())) for s in stations)
            inside *= rng.lognormal(0, common)
            for v in range(12 if known or is_moved else 4):
                here = v >= 4 or is_moved
                ms = inside * level[v] * (1.0 if v >= 4 else 1 + hidden if is_moved else slow)
                rows.append(
                    _measured(interval, f"V{n}{v:03}", float(now[v]), ms + conn[v], 8, rng, conn=float(conn[v]),
                              lcu=f"00{n}{v >= 4:d}", subsystem=f"{2 + n * here:X}010")
                )  # fmt: skip
    return {"volume_interval": rows, "cache_subsystem_interval": _boxes(moves + 1)}
