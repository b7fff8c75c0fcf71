"""Computes missing facts: daily and joined ones for each changed day, and those about the whole lake."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import xxhash

from iosq.parsers.registry import tables
from iosq.toolkit.errors import LakeError
from iosq.toolkit.facts.plan import Day, Parts, Pieces, Plan, checked
from iosq.toolkit.lake.disk import REMEDY
from iosq.toolkit.lake.facts import JOINED, Piece, Sets, forget, making
from iosq.toolkit.lake.lake import places
from iosq.toolkit.lake.packed import pack
from iosq.toolkit.late import pa
from iosq.toolkit.show import stages
from iosq.toolkit.sql.catalog import View, names
from iosq.toolkit.sql.connect import check, create, given_by, is_empty, select
from iosq.toolkit.sql.dimensions import digests, rows_about
from iosq.toolkit.sql.materialise import Keep, compute, workspace
from iosq.toolkit.sql.raw import Span, quoted, raw_view, read_files
from iosq.toolkit.sql.window import DAY_US, lookback_us

# of Parquet: days computed together; about a day of 2,500 volumes
AT_ONCE_BYTES = 24_000_000
# days packed together, some days after the last one
PACKED_DAYS, PACKED_AFTER = (64, 8), 2
# of Parquet: what is larger takes longer to read than to open
PACKED_BYTES = 64_000_000
# columns with interval lengths, in seconds, by raw table; otherwise the one common to all records
_LENGTHS = {"smf74_5_cache_control": "R745CINT", "smf74_8_control": "R748CINT"}

Spread = Callable[[Plan, Sequence[Sequence[Day]]], None]


def facts(plan: Plan, wanted: Collection[str]) -> dict[str, list[Piece]]:
    """The pieces of some stored views, computed first where they are missing; names of others are left out.

    Where the lake's disk is full, they are stored in the user's cache. LakeError if the lake can't be read, or what is
    missing can't be stored.
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
    by_day = (plan.daily | plan.joined) & set(wanted)
    if missing or by_day:
        read = None if missing else by_day
        known = ensure_days(plan, read=read)
        if plan.joined & by_day or plan.joined & {v.name for v in plan.above(missing, known)}:
            known |= _ensure_joined(plan, read)
        found |= _ensure_whole(plan, missing, known)
        found |= {name: pieces for name, pieces in known.items() if name in wanted}
    return found


def _whole(plan: Plan, names: Collection[str]) -> dict[str, list[Piece]]:
    keys = {name: plan.key_of(name) for name in names}
    stored = plan.stored(keys.values())
    return {name: [stored[key][name]] for name, key in keys.items() if name in stored.get(key, ())}


def _ensure_whole(plan: Plan, wanted: Collection[str], known: Pieces) -> dict[str, list[Piece]]:
    """Facts about the whole lake, computed first from `known` facts where they are missing."""
    found = _whole(plan, wanted)
    if missing := set(wanted) - found.keys():
        _make_whole(plan, missing, known)
        found |= _whole(plan, missing)
    return found


def ensure_days(
    plan: Plan, spread: Spread | None = None, read: Collection[str] | None = None
) -> dict[str, list[Piece]]:
    """The pieces of all daily facts, computed first for the days that lack them; errors as `facts`.

    `spread`: has `make_days` called for each list of days; by default one after the other, in this process. `read`: the
    views whose files are looked at; None for all.
    """
    make = spread or _in_turn
    return _ensure(plan, plan.daily, plan.keys_of_days, read, lambda days: make(plan, days))


def _ensure_joined(plan: Plan, read: Collection[str] | None) -> dict[str, list[Piece]]:
    """The pieces of all joined facts, computed first for the days that lack them; `read` as of `ensure_days`."""
    if not plan.keys_of_joined():
        _store_digests(plan, _ensure_whole(plan, plan.dimensions, ensure_days(plan)))
    keys = plan.keys_of_joined()

    def make(days: Sequence[Sequence[Day]]) -> None:
        known = ensure_days(plan)
        known |= _ensure_whole(plan, plan.dimensions, known)
        _in_turn(plan, days, lambda some: _make_joined(plan, some, keys, known))

    return _ensure(plan, plan.joined, keys, read, make)


def _ensure(
    plan: Plan,
    views: frozenset[str],
    keys: Mapping[Day, str],
    read: Collection[str] | None,
    make: Callable[[Sequence[Sequence[Day]]], None],
) -> dict[str, list[Piece]]:
    """The pieces of daily or joined facts; those of days that lack some are made first, then small days are packed."""
    found, new = _by_day(plan, views, keys, read)
    if not new:
        return found
    plan.unpack(keys.values())
    if new := _by_day(plan, views, keys)[1]:
        make(list(_at_once(plan, new)))
    _pack(plan, keys)
    drop_former(plan)
    return _by_day(plan, views, keys)[0]


def _pack(plan: Plan, keys: Mapping[Day, str]) -> None:
    """Pack the facts of small days, except the latest ones: these may still change."""
    if plan.apart:
        return
    days = sorted(day for day in keys if day is not None)
    for size in PACKED_DAYS:
        stored = plan.stored(keys.values())
        for block, some in groupby(days, key=lambda day: day // size):
            sets = {name: stored[name] for name in map(keys.__getitem__, some) if name in stored}
            if (block + 1) * size + PACKED_AFTER <= days[-1] and _is_worth(plan, sets, stored):
                pack(plan.root, sets)


def _is_worth(plan: Plan, sets: Sets, stored: Sets) -> bool:
    """True if sets are small and in several folders: all where new ones go, and none with sets of other days."""
    pieces = _pieces(sets.values())
    folders = {p.place for p in pieces}
    if len(folders) < 2 or {p.root for p in pieces} != {str(plan.root)}:
        return False
    if sum({p.path: p.bytes for p in pieces}.values()) > PACKED_BYTES:
        return False
    return folders.isdisjoint(p.place for p in _pieces(of for name, of in stored.items() if name not in sets))


def _pieces(sets: Iterable[Mapping[str, Piece]]) -> list[Piece]:
    return [piece for of in sets for piece in of.values()]


def _store_digests(plan: Plan, facts: Pieces) -> None:
    """Store, of each day that may have joined facts, the digest of what dimensions say about it and its neighbours."""
    days, key = [day for day in plan.days if plan.of_day(plan.joined, day)], plan.key_of_digests
    dimensions = [(plan.views[name], places(facts[name])) for name in sorted(plan.dimensions)]
    found = digests(dimensions, [day for day in days if day is not None])
    about = {day: "" if day is None else found[day] for day in days}
    with making(plan.root, [key]) as now:
        now.keep_digests(key, {day: xxhash.xxh3_128_hexdigest(text.encode()) for day, text in about.items()})


def _by_day(
    plan: Plan, views: frozenset[str], keys: Mapping[Day, str], read: Collection[str] | None = None
) -> tuple[dict[str, list[Piece]], list[Day]]:
    """The pieces of some daily or joined facts that are stored, and the days that lack some."""
    stored = plan.stored(keys.values(), read)
    new = [day for day, key in keys.items() if not plan.of_day(views, day) <= stored.get(key, {}).keys()]
    return {name: [stored[key][name] for key in keys.values() if name in stored.get(key, ())] for name in views}, new


def _in_turn(plan: Plan, days: Sequence[Sequence[Day]], make: Callable[[Sequence[Day]], None] | None = None) -> None:
    done, total = 0, sum(map(len, days))
    for some in days:
        with stages.within("days", done, len(some), total, counted="views"):
            make(some) if make else make_days(plan, some)
        done += len(some)


def drop_former(plan: Plan, spared_s: float = 3600) -> None:
    """Remove the facts of former states, but those so young that a reader may have the lake open."""
    joined = plan.keys_of_joined()
    current = {plan.key_of_digests, *plan.keys_of_days.values(), *joined.values(), *map(plan.key_of, plan.whole)}
    plan.unpack(current)
    # which joined facts are current shows when dimensions are there
    forget(plan.root, current, spared_s, spared="" if joined or not spared_s else JOINED)


def _at_once(plan: Plan, days: Iterable[Day]) -> Iterator[list[Day]]:
    """Consecutive days, up to the bytes that may be computed together; a larger day goes with those without any."""
    some: dict[Day, int] = {}
    for day in days:
        size, last = _bytes(plan, day), next(reversed(some), None)
        follows = day is not None and last is not None and day == last + 1
        if some and not (follows and sum(some.values()) + size <= max(AT_ONCE_BYTES, size, *some.values())):
            yield [*some]
            some = {}
        some[day] = size
    if some:
        yield [*some]


def _bytes(plan: Plan, day: Day) -> int:
    """Size of the records of a day, without its neighbours: of these little is read."""
    held = (f for found in plan.about(day, day).values() for f in found)
    return sum(f.bytes for f in held if f.span.first_us is not None and f.span.first_us // DAY_US == day)


def make_days(plan: Plan, days: Sequence[Day]) -> None:
    """Compute and store the daily facts of days that follow one another."""
    _make_by_day(plan, plan.daily, {day: plan.key_of_day(day) for day in days}, {})


def _make_joined(plan: Plan, days: Sequence[Day], keys: Mapping[Day, str], known: Pieces) -> None:
    """The same of joined facts, from daily ones and dimensions."""
    near = {None, *(day + step for day in days if day is not None for step in (-1, 0, 1))}
    stored = {name: [p for p in pieces if p.day in near or name in plan.dimensions] for name, pieces in known.items()}
    _make_by_day(plan, plan.joined, {day: keys[day] for day in days}, stored)


def _make_by_day(plan: Plan, views: frozenset[str], sets: Mapping[Day, str], stored: Pieces) -> None:
    """Compute daily or joined facts of days that follow one another, and store the rows of each day."""
    wanted = {day: plan.of_day(views, day) for day in sets}
    made, days = frozenset[str]().union(*wanted.values()), list(sets)

    def keep(view: str, rows: "pa.RecordBatchReader") -> list[Path]:
        return now.keep_days(view, {day: of for day, of in sets.items() if view in wanted[day]}, rows)

    files = plan.about(days[0], days[-1])
    with making(plan.root, sets.values()) as now:
        _compute(plan, made, files, stored, keep, _within(plan, files, days))


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
    keys = {v.name: plan.key_of(v.name) for v in plan.above(missing, stored) if v.name in plan.whole - stored.keys()}

    def keep(view: str, rows: "pa.RecordBatchReader") -> list[Path]:
        return now.keep(view, keys[view], rows)

    with making(plan.root, keys.values()) as now:
        _compute(plan, keys, plan.listed, stored, keep)


def _compute(
    plan: Plan, kept: Collection[str], files: Parts, stored: Pieces, keep: Keep, within: Span | None = None
) -> None:
    """Compute views from records and from facts that are there, of some time only.

    `kept`: the views whose rows `keep` writes, see `compute`. `within`: the time of the rows that are read; None: all.
    """
    made, known = {v.name: v for v in checked(plan.above(kept, stored), stored)}, tables()
    raw = frozenset[str]().union(*(v.reads for v in made.values() if v.name not in stored)) & known.keys()
    records = plan.lake.whole(_only(files, raw))
    facts = {name: places(stored[name]) for name in made.keys() & stored.keys()}
    idle = {*(known.keys() - files.keys()), *(v.name for v in made.values() if is_empty(v, facts))}
    ready = _ready(made.values(), facts)
    with workspace(file for found in (*records.values(), *facts.values()) for file in found) as con:
        for name in raw:
            create(con, raw_view(known[name], records.get(name, ()), within), next(iter(records.get(name, ())), name))
        for view in ready:
            rows = _rows(view, facts.get(view.name, ()), within)
            create(con, f"CREATE VIEW {quoted(view.name)} AS {select(con, given_by(view, rows))}", view.file)
        check(con, ready)
        compute(con, made, [v.name for v in ready], idle, kept, keep)


def _rows(view: View, files: Sequence[str], within: Span | None) -> str:
    if not files:
        return ""
    return rows_about(view, files, within) if within else read_files(files)


def _ready(made: Iterable[View], stored: Collection[str]) -> list[View]:
    """Stored views, and those computed from them alone whenever they are read."""
    found: dict[str, View] = {}
    for view in made:
        if view.name in stored or (not view.part(is_stored=True).sources and view.reads & names() <= found.keys()):
            found[view.name] = view
    return list(found.values())
