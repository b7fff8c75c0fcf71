"""The facts of a lake, and the key of each: its records and definitions.

A key identifies one result, since the same records and definitions give the same rows. Another state of the lake has
other keys, so a fact can be missing but never out of date.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from iosq.parsers.registry import tables
from iosq.toolkit.lake.bounds import user_cache
from iosq.toolkit.lake.facts import DAY, JOINED, Piece, key, read_sets
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.lake.manifest import Listed
from iosq.toolkit.sql.catalog import View, views, with_ancestors
from iosq.toolkit.sql.connect import without_empty_sources
from iosq.toolkit.sql.definitions import definitions
from iosq.toolkit.sql.window import DAY_US, daily_views, joined_views

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
        return views - _empty(frozenset(self.about(day, day)))

    @cached_property
    def days(self) -> list[Day]:
        """The days that may have rows; None last."""
        held = {day for day in self._buckets if day is not None}
        around = sorted({day + step for day in held for step in (-1, 0, 1)})
        return [*around, None] if None in self._buckets else [*around]

    def about(self, first: Day, last: Day) -> dict[str, list[Listed]]:
        """The files of records that facts of some days are computed from."""
        days: list[Day] = [None] if first is None or last is None else [None, *range(first - 1, last + 2)]
        found: dict[str, list[Listed]] = {}
        for day in days:
            for table, file in self._buckets.get(day, ()):
                found.setdefault(table, []).append(file)
        return {table: sorted(files) for table, files in sorted(found.items())}

    @cached_property
    def root(self) -> Path:
        """Folder of new facts: the lake, or the user's cache if the lake is read-only."""
        if self.apart:
            return self.apart
        if os.access(self.lake.path, os.W_OK) and not self.is_full:
            return self.lake.path
        name = hashlib.sha256(os.fsencode(self.lake.path.resolve())).hexdigest()[:16]
        return user_cache(name)

    def stored(self, keys: Iterable[str]) -> dict[str, dict[str, Piece]]:
        """The pieces of sets by view, without the sets that are not stored."""
        wanted = set(keys)
        found = {} if self.apart else read_sets(self.lake.path, wanted)
        return found | (read_sets(self.root, wanted - found.keys()) if self.root != self.lake.path else {})

    def key_of_day(self, day: Day) -> str:
        """The key of the daily facts of a day."""
        return DAY + _key(self.about(day, day), str(day))

    def keys_of_days(self) -> dict[Day, str]:
        """The keys of daily facts, for the days that may have any."""
        return {day: self.key_of_day(day) for day in self.days if self.of_day(self.daily, day)}

    def keys_of_joined(self) -> dict[Day, str]:
        """The keys of joined facts, for the days that may have any; none where no digests are stored."""
        key = self.key_of_digests
        digests = {piece.day: piece.hash for piece in self.stored([key]).get(key, {}).values()}
        return {day: JOINED + _key(self.about(day, day), f"{day} {digest}") for day, digest in digests.items()}

    @property
    def key_of_digests(self) -> str:
        """The key of the digests of what dimensions say about each day."""
        return f"digests-{_key(self.listed, 'digests')}"

    def key_of(self, name: str) -> str:
        """The key of a fact about the whole lake."""
        read = with_ancestors(list(self.views.values()), [name])
        raw = frozenset().union(*(v.reads for v in read)) & self.listed.keys()
        return f"{name}-{_key({table: self.listed[table] for table in raw}, name)}"

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
        with_rows = [v for v in self.views.values() if v.sources]
        return joined_views(with_rows, self._near, self.listed.keys()) if self.daily else {}

    @cached_property
    def _buckets(self) -> dict[Day, list[tuple[str, Listed]]]:
        """Files of records below daily views by their day; empty where a file spans days (damaged records)."""
        found: dict[Day, list[tuple[str, Listed]]] = {}
        read = with_ancestors(list(self.views.values()), [v.name for v in self._near])
        raw = frozenset().union(*(v.reads for v in read))
        for table, file in ((t, f) for t, files in self.listed.items() if t in raw for f in files):
            first, last = (None if us is None else us // DAY_US for us in (file.first_us, file.last_us))
            if first != last:
                return {}
            found.setdefault(first, []).append((table, file))
        return found


@cache
def _empty(raw: frozenset[str]) -> frozenset[str]:
    """The views that have no rows where only some raw tables have any."""
    known = tables().keys()
    return frozenset(v.name for v in without_empty_sources(views(), known, known - raw) if not v.sources)


def _key(files: Parts, what: str) -> str:
    return key({t: sum(f.content for f in found) for t, found in files.items()}, f"{what} {definitions()}")
