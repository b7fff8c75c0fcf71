"""PAV what-if from a lake: a volume, an LCU's pool, or LCUs that lend; all volumes of the box solved together.

Each interval of the day is its own question; the one whose load needs most decides, and is the one shown.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from iosq.models.pav.answers import RateSource, WhatIf
from iosq.models.pav.open_answers import what_if_open, what_if_pool
from iosq.models.pav.open_load import OpenVolumes
from iosq.models.pav.pools import borrowing
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import lake, pav_rows, sources
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.lake import Reading

if TYPE_CHECKING:
    import duckdb

WORST = 6  # intervals with the longest queues that are solved; what clears them clears the rest
SEED = 1
Intervals = dict[dt.datetime, list[Reading]]
Solve = Callable[[Sequence[Reading], RateSource | None], WhatIf]


@dataclass(frozen=True)
class Assumed:
    """What a lake cannot say: data touched per volume, read share without cache records, aliases in the pool."""

    footprint_gb: float = 1.0
    read_ratio: float | None = None
    pool: int | None = None


def volume_answer(
    con: duckdb.DuckDBPyConnection,
    volume: str,
    system: str | None,
    most: int | None,
    machine: str | None,
    assumed: Assumed,
) -> Answer:
    """Alias counts for one volume; for a HyperPAV volume the pool of its LCU, which is what it waits for.

    Raises:
        RequestError: no such volume, unknown read share, no steady state.
    """
    place = lake.find_volume(con, volume, system)
    if place.is_hyperpav:
        note = (
            f"{place.volume} is a HyperPAV base: it waits for the pool of LCU {place.lcu}, so the pool is what counts"
        )
        return pool_answer(con, [place.lcu], place.system, most, machine, assumed, notes=(note,))
    counts = range((pav_rows.USUAL_ALIASES if most is None else most) + 1)
    everything = lake.readings(con, place.platform)
    mine = [r for r in everything if (r.system, r.volume) == (place.system, place.volume)]
    if not mine:
        raise RequestError(f"{place.volume} did no I/O in the lake's intervals", place="VOLUME")
    intervals = lake.by_interval(r for r in everything if r.box == mine[0].box)

    def solve(group: Sequence[Reading], source: RateSource | None) -> WhatIf:
        at = next(i for i, r in enumerate(group) if (r.system, r.volume) == (place.system, place.volume))
        return what_if_open(source, _volumes(group, assumed), counts, np.random.default_rng(SEED), subject=at)

    def demand(group: Sequence[Reading]) -> float:
        return sum(r.queue for r in group if (r.system, r.volume) == (place.system, place.volume))

    worst = _worst({t: g for t, g in intervals.items() if t in {r.start for r in mine}}, demand)
    peak, found, left_out = _peak(worst, solve, _source(intervals, worst, machine, assumed), counts)
    measured = next(r for r in peak if (r.system, r.volume) == (place.system, place.volume))
    question = pav_rows.Question(
        f"{place.volume} on {place.system}",
        current=measured.exposures - 1,
        notes=(*_notes(peak, measured, machine), *left_out),
        trimmed=most is None,
    )
    return pav_rows.answer(question, found, _facts(measured))


def pool_answer(
    con: duckdb.DuckDBPyConnection,
    lcus: Sequence[str],
    system: str | None,
    most: int | None,
    machine: str | None,
    assumed: Assumed,
    notes: tuple[str, ...] = (),
) -> Answer:
    """Pool size for an LCU (HyperPAV) or for several that lend to each other (SuperPAV), as one system sees them.

    Raises:
        RequestError: no such LCU, several systems and none named, unknown read share, no steady state.
    """
    platform = lake.find_lcus(con, lcus).platform
    counts = range((pav_rows.USUAL_POOL if most is None else most) + 1)
    wanted = {lcu.upper() for lcu in lcus}
    mine = [r for r in lake.readings(con, platform) if r.lcu in wanted]
    name = _system(mine, system, lcus)
    intervals = lake.by_interval(r for r in mine if r.system == name)
    own = [_pool([r for group in intervals.values() for r in group if r.lcu == lcu], assumed) for lcu in sorted(wanted)]
    current = assumed.pool if assumed.pool is not None else sum(own)

    def solve(group: Sequence[Reading], source: RateSource | None) -> WhatIf:
        _refuse_dedicated(group)
        volumes = _volumes(group, assumed, pool=current)
        return what_if_pool(source, volumes, counts, np.random.default_rng(SEED), current=current)

    worst = _worst(intervals, lambda group: sum(r.queue for r in group))
    peak, found, left_out = _peak(worst, solve, _source(intervals, worst, machine, assumed), counts)
    subject = f"LCU {'+'.join(sorted(wanted))} on {name}"
    texts = (*_lending(peak, sorted(wanted), own, assumed), *notes, *_notes(peak, peak[0], machine), *left_out)
    question = pav_rows.Question(subject, "pool_aliases", current, 1, texts, most is None)
    return pav_rows.answer(question, found, _facts(peak[0]) | {"pools": dict(zip(sorted(wanted), own, strict=True))})


def _system(found: Sequence[Reading], system: str | None, lcus: Sequence[str]) -> str:
    """The one system meant; an alias pool serves each system on its own."""
    systems = sorted({r.system for r in found})
    if system in systems:
        return str(system)
    if system is None and len(systems) == 1:
        return systems[0]
    where = f"LCU {', '.join(lcus)}"
    known = ", ".join(systems) or "none"
    raise RequestError(f"{where} is used by {known}", place="--system", remedy="name one of them")


def _pool(found: Sequence[Reading], assumed: Assumed) -> int:
    """Aliases in the LCU's pool as configured; without HyperPAV the sum of the dedicated ones."""
    pools = [r.pool for r in found if r.pool is not None]
    if pools:
        return max(pools)
    if assumed.pool is None and any(r.is_hyperpav for r in found):
        raise RequestError(f"the pool of LCU {found[0].lcu} is not in the lake", remedy="give it with --pool")
    return sum({r.volume: r.exposures - 1 for r in found}.values())


def _volumes(group: Sequence[Reading], assumed: Assumed, pool: int | None = None) -> OpenVolumes:
    exposures = [r.exposures if pool is None else max(1 + pool, r.exposures) for r in group]
    names = ("rate", "wait_ms", "service_ms")
    rate, wait, service = ([getattr(r, name) for r in group] for name in names)
    return OpenVolumes.of(
        rate, wait, service, exposures, lake.read_ratios(group, assumed.read_ratio), assumed.footprint_gb
    )


def _worst(intervals: Intervals, demand: Callable[[Sequence[Reading]], float]) -> list[list[Reading]]:
    ranked = sorted(
        intervals.values(), key=lambda group: (-demand(group), -sum(r.in_service for r in group), group[0].start)
    )
    waiting = [group for group in ranked if demand(group) > 0]
    return (waiting or ranked)[:WORST]


def _peak(
    worst: Sequence[Sequence[Reading]], solve: Solve, known: tuple[RateSource | None, str], counts: range
) -> tuple[Sequence[Reading], WhatIf, tuple[str, ...]]:
    """The interval that needs most, its answer, and what to say of intervals without one.

    That is the largest count that clears, then the longest wait. An interval the box could never have carried, as a
    machine file has it, gets no answer; if none has one, the first refusal stands.
    """
    answers, refused = [], []
    for group in worst:
        try:
            answers.append((group, _unsettled(solve(group, known[0]), known[1])))
        except RequestError as error:
            refused.append((group, error))
    if not answers:
        raise refused[0][1]

    def needs(pair: tuple[Sequence[Reading], WhatIf]) -> tuple[int, float]:
        found = pair[1]
        count = counts[-1] + 1 if found.clears_wait is None else found.clears_wait
        return count, sum(p.wait_ms.value for p in found.predictions if p.stable)

    peak, found = max(answers, key=needs)
    texts = tuple(f"{lake.local(group[0])} local left out: {error.place}: {error.what}" for group, error in refused)
    return peak, found, texts


def _source(
    intervals: Intervals, worst: Sequence[Sequence[Reading]], machine: str | None, assumed: Assumed
) -> tuple[RateSource | None, str]:
    """The machine named; else the box fitted to the lake; else nobody knows it. And what would settle the rest.

    A fit settles it if the box has held what aliases would let in: what is in service and what waits.
    """
    if machine:
        return sources.named(machine), ""
    volumes = max(len(group) for group in intervals.values())
    given = sources.from_intervals(list(intervals.values()), volumes * assumed.footprint_gb, assumed.read_ratio)
    if not sources.varied(given):
        return None, ""
    fitted = sources.fitted_to("the lake's box", given, np.random.default_rng(SEED))
    needed = max(sum(r.in_service + r.queue for r in group) for group in worst)
    if sources.reaches(given, needed):
        return fitted, ""
    return fitted, f"extrapolated: measure one interval with about {needed:.0f} I/Os in the box, or name a machine file"


def _unsettled(found: WhatIf, settle: str) -> WhatIf:
    """The same answer, marked as going beyond what was measured."""
    if not settle:
        return found
    return replace(found, predictions=tuple(replace(p, identifiable=False) for p in found.predictions), settle=settle)


def _notes(peak: Sequence[Reading], measured: Reading, machine: str | None) -> tuple[str, ...]:
    texts = [
        f"the interval that needs most: {lake.local(measured)} local, {len(peak)} volumes of {_box(peak)} together"
    ]
    if machine:
        texts.append("of the machine file only the growth of service time with load is taken, not its level")
    return tuple(texts)


def _box(peak: Sequence[Reading]) -> str:
    lcus = sorted({r.lcu for r in peak if r.lcu})
    return f"{peak[0].box} (LCU {', '.join(lcus)})" if lcus else peak[0].box


def _facts(measured: Reading) -> dict[str, Any]:
    return {"interval_start": measured.start, "utc_offset_s": measured.utc_offset_s, "box": measured.box}


def _refuse_dedicated(group: Sequence[Reading]) -> None:
    if not any(r.is_hyperpav for r in group):
        lcu = f"LCU {group[0].lcu}"
        raise RequestError("its aliases are dedicated to volumes", place=lcu, remedy="ask for a volume, not for --lcu")


def _lending(peak: Sequence[Reading], lcus: Sequence[str], own: Sequence[int], assumed: Assumed) -> tuple[str, ...]:
    """SuperPAV: what each pool needs beyond its own."""
    if len(lcus) < 2:
        return ()
    present = [(lcu, pool) for lcu, pool in zip(lcus, own, strict=True) if any(r.lcu == lcu for r in peak)]
    volumes = [_volumes([r for r in peak if r.lcu == lcu], assumed, pool=pool) for lcu, pool in present]
    found = borrowing(volumes, [pool for _, pool in present])
    return tuple(
        f"LCU {lcu} owns {pool} aliases, needs {b.needed_count:.2f} on average, borrows {b.borrowed_count:.3f}"
        for (lcu, pool), b in zip(present, found, strict=True)
    )
