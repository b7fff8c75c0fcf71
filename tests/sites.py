"""Sites made for tests: rows of days before and after planted changes, with the truth known.

Arrivals are Poisson, and an interval measures the mean of what M/M/c queues give, off by chance. A `hidden` limit makes
service longer after a change, and nothing before the change shows it.
"""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import duckdb
import numpy as np

from iosq.models.queueing.stations import mmc
from iosq.toolkit.predict import site
from iosq.toolkit.predict.site import Trial

sys.path.append(str(Path(__file__).parent / "toolkit" / "advise"))
from advise_rows import Row, box, database, pool, volume

INTERVALS = 8  # of a day, a quarter of an hour each
DAY = 96  # quarter hours
CHANCE = 0.02  # of an interval's times
BOXES = [box("2010", "00000AB121"), box("3010", "00000CD472")]
Rows = Mapping[str, Sequence[Row]]


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
    interval: int, name: str, rate: float, service: float, exposures: int, rng: np.random.Generator, chance: float,
    **more: object,
) -> Row:  # fmt: skip
    wait = float(mmc(rate, service, exposures).wait_ms) * rng.lognormal(0, 3 * chance)
    pend, disc, conn = (float(part) for part in service * rng.lognormal(0, chance) * np.array([0.1, 0.6, 0.3]))
    own: Row = {"exposures": float(exposures), "read_ratio": 0.7, **more}
    return volume(interval, name, rate=rate, wait=wait, pend=pend, disc=disc, conn=conn, **own)


def grown(seed: int, *, hidden: float = 0.0, days: int = 8, volumes: int = 8) -> dict[str, list[Row]]:
    """A box whose load grows by 8 % a day; service grows with the square root of the I/Os in it.

    Args:
        seed: of the site.
        hidden: part of the service time that is added in the last two days.
        days: how many.
        volumes: how many.
    """
    rng = np.random.default_rng([seed, 41])
    base = rng.uniform(100, 200, volumes)
    rows = []
    for day in range(days):
        for interval in range(INTERVALS):
            load = 1.08**day * (0.4 + 0.6 * np.sin(np.pi * (interval + 0.5) / INTERVALS))
            service = 1.0 * load * (1 + hidden * (day >= days - 2))  # rate as the square root of the I/Os inside
            rows += [
                _measured(day * DAY + interval, f"VOL{n:03}", float(base[n] * load), service, 8, rng, CHANCE)
                for n in range(volumes)
            ]
    return {"volume_interval": rows}


def resized(seed: int, *, volumes: int = 6) -> dict[str, list[Row]]:
    """A HyperPAV pool of four aliases that ran out; sixteen on the second day, nothing waits."""
    rng = np.random.default_rng([seed, 42])
    rows: dict[str, list[Row]] = {"volume_interval": [], "lcu_interval": []}
    for day, (size, wait, disc) in enumerate(((4, 2.0, 2.0), (16, 0.0, 2.1))):
        for interval in range(day * DAY, day * DAY + INTERVALS):
            rows["volume_interval"] += [
                volume(interval, f"V{n:03}", rate=500.0 * rng.uniform(0.98, 1.02), wait=wait, pend=0.2, disc=disc,
                       conn=0.4, lcu="0011", is_hyperpav=True, read_ratio=0.7)
                for n in range(volumes)
            ]  # fmt: skip
            own: Row = {
                "hyperpav_aliases": size,
                "alias_high_water": 4,
                "wait_ms": wait,
                "response_ms": wait + disc + 0.6,
            }
            own |= {"queue_length": volumes * 0.5 * wait, "io_rate": volumes * 500.0}
            rows["lcu_interval"].append(pool(interval, denied=9000.0 * (wait > 0), lcu="0011", **own))
    return rows


def moved(seed: int, *, known: bool = True) -> dict[str, list[Row]]:
    """Volumes that move to a faster box on the second day.

    Args:
        seed: of the site.
        known: whether that box had other volumes on the first day.
    """
    rng = np.random.default_rng([seed, 43])
    rows: list[Row] = []
    for day, subsystem in enumerate(("2010", "3010")):
        for interval in range(INTERVALS):
            load, at = 0.3 + 0.7 * interval / INTERVALS, day * DAY + interval
            service = 4.0 if subsystem == "2010" else 1.0
            rows += [
                _measured(at, f"MOV{n:03}", 300 * load, service, 4, rng, CHANCE, lcu="0011", subsystem=subsystem)
                for n in range(4)
            ]
            rows += [
                _measured(at, f"OWN{n:03}", 600 * load, 1.0, 4, rng, CHANCE, lcu="0012", subsystem="3010")
                for n in range(4 if known or day else 0)
            ]
    return {"volume_interval": rows, "cache_subsystem_interval": BOXES}
