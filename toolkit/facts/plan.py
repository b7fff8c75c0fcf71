"""The facts of a lake, and the key of each: its records and definitions.

A key identifies one result, since the same records and definitions give the same rows. Another state of the lake has
other keys, so a fact can be missing but never out of date.
"""

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path

import xxhash

from iosq.parsers.registry import tables
from iosq.toolkit.lake.bounds import user_cache
from iosq.toolkit.lake.facts import DAY, JOINED, ByView, Piece, key, read_sets
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.lake.manifest import Listed, Span, contents
from iosq.toolkit.lake.packed import unpack
from iosq.toolkit.sql.catalog import IMPOSSIBLE_NEAR, View, views, with_ancestors
from iosq.toolkit.sql.connect import SHIMS, without_empty_sources
from iosq.toolkit.sql.possible import ranges
from iosq.toolkit.sql.window import DAY_US, Window, daily_views, joined_views

Day = int | None
"""Days since 1970 (UTC); None: rows without a time."""
Parts = Mapping[str, Sequence[Listed]]
Pieces = Mapping[str, Sequence[Piece]]


@dataclass(frozen=True)
class Plan:
    """The facts of one state of a lake.

    `is_full`: its disk is full. `apart`: a separate folder in which all facts are computed anew.
    """

    lake: Lake
    listed: Parts
    is_full: bool = False
    apart: Path | None = None

    @cached_property
    def views(self) -> dict[str, View]:
        """All views by name, each after the views it reads, without sources that give no rows."""
        known = tables().keys()
        return {v.name: v for v in without_empty_sources(views(), known, known - self.listed.keys())}

    @cached_property
    def empty(self) -> frozenset[str]:
        """The views that have no rows: there is nothing to store."""
        return frozenset(v.name for v in self.views.values() if not v.sources)

    @cached_property
    def daily(self) -> frozenset[str]:
        """The views whose rows of a day depend on the records within a day of it only: stored by day."""
        return frozenset(v.name for v in self._near if v.is_stored) if self._buckets else frozenset()

    @cached_property
    def joined(self) -> frozenset[str]:
        """The views whose rows of a day depend on daily facts and dimensions: stored by day, too."""
        return frozenset(name for name in self._joined if self.views[name].is_stored)

    @cached_property
    def dimensions(self) -> frozenset[str]:
        """The views about the whole lake that joined ones are made of."""
        return frozenset[str]().union(*self._joined.values())

    @cached_property
    def whole(self) -> frozenset[str]:
        """All other stored views: they depend on the whole lake."""
        return frozenset(v.name for v in self.views.values() if v.is_stored) - self.daily - self.joined - self.empty

    def of_day(self, views: frozenset[str], day: Day) -> frozenset[str]:
        """Those of some daily or joined views that may have rows of a day."""
        return views - _empty(frozenset(self._content_about(day)))

    @cached_property
    def days(self) -> list[Day]:
        """The days that may have rows; None last."""
        held = {day for day in self._buckets if day is not None}
        around = sorted({day + step for day in held for step in (-1, 0, 1)})
        return [*around, None] if None in self._buckets else [*around]

    def about(self, first: Day, last: Day) -> dict[str, list[Listed]]:
        found: dict[str, list[Listed]] = {}
        for day in _around(first, last):
            for table, files in self._buckets.get(day, {}).items():
                found.setdefault(table, []).extend(files)
        return {table: sorted(files) for table, files in sorted(found.items())}

    @property
    def root(self) -> Path:
        """Folder of new facts: the lake, or the user's cache if the lake is read-only."""
        if self.apart:
            return self.apart
        if os.access(self.lake.path, os.W_OK) and not self.is_full:
            return self.lake.path
        name = hashlib.sha256(os.fsencode(self.lake.path.resolve())).hexdigest()[:16]
        return user_cache(name)

    def stored(self, keys: Iterable[str], read: Collection[str] | None = None) -> dict[str, ByView]:
        """The pieces of sets by view, without the sets that are not stored; `read` as of `read_sets`."""
        wanted = set(keys)
        found: dict[str, ByView] = {} if self.apart else read_sets(self.lake.path, wanted, read)
        return found | (read_sets(self.root, wanted - found.keys(), read) if self.root != self.lake.path else {})

    def unpack(self, current: Collection[str]) -> None:
        """Store sets on their own that are packed with former ones."""
        for lake in {self.root} if self.apart else {self.root, self.lake.path}:
            unpack(lake, self.root, current)

    def key_of_day(self, day: Day) -> str:
        return DAY + _key(self._content_about(day), str(day))

    @cached_property
    def keys_of_days(self) -> Mapping[Day, str]:
        """The keys of daily facts, for the days that may have any."""
        return {day: self.key_of_day(day) for day in self.days if self.of_day(self.daily, day)}

    def keys_of_joined(self) -> dict[Day, str]:
        """The keys of joined facts, for the days that may have any; none where no digests are stored."""
        key = self.key_of_digests
        digests = {piece.day: piece.hash for piece in self.stored([key]).get(key, {}).values()}
        return {day: JOINED + _key(self._content_about(day), f"{day} {digest}") for day, digest in digests.items()}

    @property
    def key_of_digests(self) -> str:
        """The key of the digests of what dimensions say about each day."""
        return f"digests-{_key(self._content, 'digests')}"

    def key_of(self, name: str) -> str:
        read = with_ancestors(list(self.views.values()), [name])
        raw = frozenset().union(*(v.reads for v in read)) & self.listed.keys()
        return f"{name}-{_key({table: self._content[table] for table in raw}, name)}"

    def above(self, wanted: Iterable[str], stored: Collection[str]) -> list[View]:
        """The views to compute for some views, each after the views it reads; stored ones are excluded."""
        names = set(wanted)
        for view in reversed(self.views.values()):
            if view.name in names:
                names |= (view.computed if view.name in stored else view).reads
        return [v for v in self.views.values() if v.name in names]

    @cached_property
    def _near(self) -> list[View]:
        return daily_views([v for v in self.views.values() if v.sources], self.listed.keys())

    @cached_property
    def _joined(self) -> dict[str, frozenset[str]]:
        return self._joinable if self.daily else {}

    @cached_property
    def _joinable(self) -> dict[str, frozenset[str]]:
        with_rows = [v for v in self.views.values() if v.sources]
        return joined_views(with_rows, self._near, self.listed.keys())

    @cached_property
    def _content(self) -> dict[str, int]:
        """Identifies the rows of each table."""
        return {table: sum(content for content, _ in held) for table, held in self._held.items()}

    @cached_property
    def _held(self) -> dict[str, list[tuple[int, Span]]]:
        """Identifies the rows of each input in each table and day, and their time."""
        return {table: contents(files) for table, files in self.listed.items()}

    @cached_property
    def _contents_of_days(self) -> dict[Day, dict[str, list[tuple[int, Span]]]]:
        found: dict[Day, dict[str, list[tuple[int, Span]]]] = {}
        for table, content, span in ((t, *held) for t, some in self._held.items() for held in some if t in self._read):
            found.setdefault(_day(span.first_us), {}).setdefault(table, []).append((content, span))
        return found

    @cached_property
    def _content_about(self) -> Callable[[Day], dict[str, int]]:
        """Identifies the rows of each table that facts of a day are computed from."""
        return cache(self._content_near)

    def _content_near(self, day: Day) -> dict[str, int]:
        found: Counter[str] = Counter()
        whole_day = Window() if day is None else Window(day * DAY_US, (day + 1) * DAY_US)
        for near in _around(day, day):
            for table, held in self._contents_of_days.get(near, {}).items():
                found[table] += sum(content for content, span in held if near is None or whole_day.reaches(*span))
        return +found

    @cached_property
    def _read(self) -> frozenset[str]:
        """The raw tables below facts of days."""
        read = with_ancestors(list(self.views.values()), [v.name for v in self._near])
        return frozenset().union(*(v.reads for v in (*read, *map(self.views.__getitem__, self._joinable))))

    @cached_property
    def _buckets(self) -> dict[Day, dict[str, list[Listed]]]:
        """Files of records below views by day, by their day; empty where a file spans days (damaged records)."""
        found: dict[Day, dict[str, list[Listed]]] = {}
        for table, file in ((t, f) for t, files in self.listed.items() if t in self._read for f in files):
            first, last = map(_day, file.span)
            if first != last:
                return {}
            found.setdefault(first, {}).setdefault(table, []).append(file)
        return found


def _day(us: int | None) -> Day:
    return None if us is None else us // DAY_US


def _around(first: Day, last: Day) -> list[Day]:
    """Some days, the day before and after, and the rows without a time."""
    return [None] if first is None or last is None else [None, *range(first - 1, last + 2)]


_LAST: list[Plan] = []


def plan_of(lake: Lake, listed: Parts) -> Plan:
    """The plan of a state of a lake: the last one again as long as the state is the same."""
    if not (_LAST and _LAST[0].listed == listed and _LAST[0].lake.path == lake.path):
        _LAST[:] = [Plan(lake, listed)]
    return _LAST[0]


def checked(made: Iterable[View], facts: Pieces) -> list[View]:
    """Views; those computed from daily facts need no check where these facts were checked and no value left out."""
    pieces = facts.get(IMPOSSIBLE_NEAR, ())
    is_checked = bool(pieces) and not any(p.rows for p in pieces)
    return [replace(v, is_sound=v.is_sound or (is_checked and v.is_near and not v.by_dimensions)) for v in made]


@cache
def _empty(raw: frozenset[str]) -> frozenset[str]:
    """The views that have no rows where only some raw tables have any."""
    known = tables().keys()
    return frozenset(v.name for v in without_empty_sources(views(), known, known - raw) if not v.sources)


@cache
def definitions() -> str:
    """A hash of the views, their sources, the raw tables with their flag bits, the ranges, and the release of iosq."""
    text = repr((version("iosq"), views(), ranges(), SHIMS, *tables().values()))
    return xxhash.xxh3_128_hexdigest(text.encode())


def _key(content: Mapping[str, int], what: str) -> str:
    return key(content, f"{what} {definitions()}")
