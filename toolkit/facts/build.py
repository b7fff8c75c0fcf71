"""Computes missing facts: daily ones for each changed day, then those about the whole lake."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from iosq.parsers.registry import tables
from iosq.toolkit.errors import LakeError
from iosq.toolkit.facts.plan import Day, Parts, Plan
from iosq.toolkit.lake.disk import REMEDY
from iosq.toolkit.lake.facts import Piece, forget, making
from iosq.toolkit.lake.lake import places
from iosq.toolkit.show import stages
from iosq.toolkit.sql.connect import connect
from iosq.toolkit.sql.materialise import materialised
from iosq.toolkit.sql.raw import Span, restricted
from iosq.toolkit.sql.window import DAY_US, lookback_us

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from iosq.toolkit.sql.catalog import View

# of Parquet: days computed together, with the day before and after; about a day of 2,500 volumes
AT_ONCE_BYTES = 24_000_000
# columns with interval lengths, in seconds, by raw table; otherwise the one common to all records
_LENGTHS = {"smf74_5_cache_control": "R745CINT", "smf74_8_control": "R748CINT"}

Pieces = Mapping[str, Sequence[Piece]]
Spread = Callable[[Plan, Sequence[Sequence[Day]]], None]


def facts(plan: Plan, wanted: Collection[str]) -> dict[str, list[Piece]]:
    """The pieces of some stored views, computed first where they are missing.

    Where the lake's disk is full, they are stored in the user's cache.

    Args:
        plan: the state of the lake.
        wanted: names of views; those that are not stored are left out.

    Raises:
        LakeError: the lake can't be read, or what is missing can't be stored.
    """
    try:
        return _facts(plan, wanted)
    except LakeError as error:
        if plan.root != plan.lake.path or error.remedy != REMEDY:
            raise
    return _facts(replace(plan, is_full=True), wanted)


def _facts(plan: Plan, wanted: Collection[str]) -> dict[str, list[Piece]]:
    found: dict[str, list[Piece]] = {name: [] for name in plan.empty & set(wanted)}
    found |= _whole(plan, plan.whole & set(wanted))
    missing = plan.whole & set(wanted) - found.keys()
    if missing or plan.daily & set(wanted):
        daily = ensure_days(plan)
        if missing:
            _make_whole(plan, missing, daily)
            found |= _whole(plan, missing)
        found |= {name: pieces for name, pieces in daily.items() if name in wanted}
    return found


def _whole(plan: Plan, names: Collection[str]) -> dict[str, list[Piece]]:
    """The stored facts about the whole lake."""
    keys = {name: plan.key_of(name) for name in names}
    stored = plan.stored(keys.values())
    return {name: [stored[key][name]] for name, key in keys.items() if name in stored.get(key, ())}


def ensure_days(plan: Plan, spread: Spread | None = None) -> dict[str, list[Piece]]:
    """The pieces of all daily facts, computed first for the days that lack them; errors as `facts`.

    Args:
        plan: the state of the lake.
        spread: has `make_days` called for each list of days; by default one after the other, in this process.
    """
    found, new = _days(plan)
    if not new:
        return found
    (spread or _in_turn)(plan, list(_at_once(plan, new)))
    drop_former(plan)
    return _days(plan)[0]


def _days(plan: Plan) -> tuple[dict[str, list[Piece]], list[Day]]:
    """The pieces of the daily facts that are stored, and the days that lack some."""
    found: dict[str, list[Piece]] = {name: [] for name in plan.daily}
    keys = {day: plan.key_of_day(day) for day in plan.days if plan.daily_of(day)}
    stored = plan.stored(keys.values())
    new = [day for day, key in keys.items() if not plan.daily_of(day) <= stored.get(key, {}).keys()]
    for name in plan.daily:
        found[name] = [stored[key][name] for key in keys.values() if name in stored.get(key, ())]
    return found, new


def _in_turn(plan: Plan, days: Sequence[Sequence[Day]]) -> None:
    done, total = 0, sum(map(len, days))
    for some in days:
        with stages.within(stages.Part("days", done, len(some), total, counted="views")):
            make_days(plan, some)
        done += len(some)


def drop_former(plan: Plan, spared_s: float = 3600) -> None:
    """Remove the facts of former states, but those so young that a reader may have the lake open."""
    days = {plan.key_of_day(day) for day in plan.days}
    forget(plan.root, days | {plan.key_of(name) for name in plan.whole}, spared_s)


def _at_once(plan: Plan, days: Iterable[Day]) -> Iterator[list[Day]]:
    """Consecutive days, up to the number that may be computed together."""
    some: list[Day] = []
    for day in days:
        follows = some and day is not None and some[-1] is not None and day == some[-1] + 1
        if some and not (follows and _bytes(plan.about(some[0], day)) <= AT_ONCE_BYTES):
            yield some
            some = []
        some.append(day)
    if some:
        yield some


def _bytes(files: Parts) -> int:
    return sum(f.bytes for found in files.values() for f in found)


def make_days(plan: Plan, days: Sequence[Day]) -> None:
    """Compute and store the daily facts of days that follow one another."""
    wanted = frozenset[str]().union(*(plan.daily_of(day) for day in days))
    files = _only(plan.about(days[0], days[-1]), _read_by(plan.above(wanted, ())))
    con = _connection(plan, files, wanted, {})
    if within := _within(plan, files, days):
        for name, paths in plan.lake.there(files).items():
            con.execute(restricted(tables()[name], paths, within))
    sets = {day: plan.key_of_day(day) for day in days}

    def keep(view: str, rows: pa.RecordBatchReader) -> list[Path]:
        return now.keep_days(view, {day: of for day, of in sets.items() if view in plan.daily_of(day)}, rows)

    with con, making(plan.root, sets.values()) as now, materialised(con, wanted, keep=keep, kept=wanted):
        pass


def _within(plan: Plan, files: Parts, days: Sequence[Day]) -> Span | None:
    """The time of the records that daily facts of some days are made of."""
    if days[0] is None or days[-1] is None:
        return None
    lengths = {name: _LENGTHS.get(name, "interval_s") for name in files if name in _LENGTHS or name.endswith("_record")}
    margin = lookback_us((lengths[name], found) for name, found in plan.lake.whole(_only(files, lengths)).items())
    return days[0] * DAY_US - margin, (days[-1] + 1) * DAY_US + margin


def _only(files: Parts, names: Collection[str]) -> Parts:
    return {name: found for name, found in files.items() if name in names}


def _make_whole(plan: Plan, missing: Collection[str], daily: Pieces) -> None:
    """Compute facts about the whole lake, and keep all of them that are computed on the way."""
    stored = dict(daily)
    for view in plan.above(missing, daily):
        if view.name in plan.whole and view.name not in missing:
            stored |= _whole(plan, [view.name])
    made = [v.name for v in plan.above(missing, stored) if v.name not in stored]
    con = _connection(plan, plan.listed, missing, stored)
    keys = {name: plan.key_of(name) for name in made if name in plan.whole}

    def keep(view: str, rows: pa.RecordBatchReader) -> list[Path]:
        return now.keep(view, keys[view], rows)

    with con, making(plan.root, keys.values()) as now, materialised(con, made, keep=keep, kept=keys):
        pass


def _connection(plan: Plan, files: Parts, wanted: Collection[str], stored: Pieces) -> duckdb.DuckDBPyConnection:
    """A connection to compute views in: records and facts that are there."""
    known, made = tables(), plan.above(wanted, stored)
    read = _only(files, _read_by(v for v in made if v.name not in stored))
    ready = _ready(made, stored)
    kept = {v.name: places(stored[v.name]) for v in ready if v.name in stored}
    return connect(
        known.values(), {**plan.lake.whole(read), **kept}, plan.lake.about() if kept else {}, root=plan.lake.path,
        only=ready, idle=known.keys() - files.keys(), commented=False, steady=True,
    )  # fmt: skip


def _read_by(made: Iterable[View]) -> frozenset[str]:
    return frozenset[str]().union(*(v.reads for v in made))


def _ready(made: Sequence[View], stored: Collection[str]) -> list[View]:
    """Stored views, and those computed from them at read time."""
    names = set(stored)
    for view in reversed(made):
        if view.name in names:
            names |= view.computed.reads
    return [v for v in made if v.name in names and (v.name in stored or not v.part(is_stored=True).sources)]
