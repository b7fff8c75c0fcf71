"""Computing all views of a lake once: those about a day for each day that has changed, then those about the whole.

Then what advice and the report ask of the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from iosq.parsers.registry import tables
from iosq.toolkit.advise.engine import Settings
from iosq.toolkit.advise.untold import untold
from iosq.toolkit.advise.verdicts import verdicts
from iosq.toolkit.lake.answers import Taken
from iosq.toolkit.lake.lake import Lake as Store
from iosq.toolkit.lake.lake import set_key
from iosq.toolkit.lake.prepared import DAY, Kept, Piece, forget, making, prepared
from iosq.toolkit.report import page, quality
from iosq.toolkit.show import stages
from iosq.toolkit.sql.catalog import View, views
from iosq.toolkit.sql.connect import connect, fed
from iosq.toolkit.sql.definitions import definitions
from iosq.toolkit.sql.guard import stream
from iosq.toolkit.sql.kept import use
from iosq.toolkit.sql.materialise import materialised
from iosq.toolkit.sql.raw import quoted
from iosq.toolkit.sql.window import DAY_US, Window, are_short, of_a_day, reached

if TYPE_CHECKING:
    import duckdb

    from iosq.window import Parts

# of Parquet: days computed at once, with the day before and after. A million device-intervals, 2 GB of memory
AT_ONCE_BYTES = 100_000_000
_LENGTHS = "smf74_5_cache_control"

Day = int | None
"""Days since 1970 (UTC); None: what has no time."""


@dataclass(frozen=True)
class _Lake:
    """What is prepared: one state of a lake."""

    store: Store
    listed: Parts
    text: str

    @cached_property
    def shown(self) -> list[View]:
        """All views without sources that give no rows."""
        known = tables().keys()
        return [fed(view, known, known - self.listed.keys()) for view in views()]

    @cached_property
    def daily(self) -> list[str]:
        """The views that are kept by day; none where days can't be told apart."""
        found = of_a_day(self.shown, self.listed.keys())
        lengths = self.store.whole({_LENGTHS: self.listed.get(_LENGTHS, ())})[_LENGTHS]
        return [v.name for v in found] if are_short(lengths) else []

    @cached_property
    def read(self) -> list[View]:
        """The views to make for these."""
        return reached(self.shown, self.daily)

    @cached_property
    def files(self) -> Parts:
        """The files of raw tables below these views."""
        named = frozenset().union(*(v.reads for v in self.read))
        return {name: found for name, found in self.listed.items() if name in named}

    @cached_property
    def days(self) -> list[Day]:
        """The days that may have rows of these views; those without time last."""
        spans = {(f.first_us, f.last_us) for found in self.files.values() for f in found}
        held = {(first // DAY_US, last // DAY_US) for first, last in spans if first is not None and last is not None}
        if any(first != last for first, last in held):
            return []  # a file of damaged records with any date
        around = sorted({day + beside for day, _ in held for beside in (-1, 0, 1)})
        return [*around, None] if (None, None) in spans else [*around]

    def about(self, first: Day, last: Day) -> Parts:
        """The files within reach of some days."""
        if first is None or last is None:
            return {name: [f for f in found if f.first_us is None] for name, found in self.files.items()}
        window = Window(first * DAY_US, (last + 1) * DAY_US - 1)
        return {name: [f for f in found if window.touches(f.first_us, f.last_us)] for name, found in self.files.items()}

    def key(self, day: Day) -> str:
        """What the set of a day is made of."""
        return DAY + set_key(self.about(day, day), f"{day} {self.text}")

    def connection(
        self, files: Parts, only: Sequence[View], kept: Mapping[str, Sequence[str]]
    ) -> duckdb.DuckDBPyConnection:
        """A connection with some files and prepared views; all others are made of them elsewhere."""
        known = tables()
        return connect(
            known.values(), {**self.store.whole(files), **kept}, self.store.about() if kept else {},
            root=self.store.path, only=only, idle=known.keys() - self.listed.keys(), commented=False, copied=True,
        )  # fmt: skip


def prepare(path: Path, thresholds: Settings) -> Kept:
    """Keep what all views answer, and what rules with these thresholds ask; see `iosq.lake.Lake.prepare`."""
    store = Store(path.absolute())
    lake = _Lake(store, store.listed(), definitions())
    days = lake.days if lake.daily else []
    sets = {day: lake.key(day) for day in days}
    kept = {day: prepared(store.path, of) for day, of in sets.items()}
    new = [day for day, found in kept.items() if not found]
    for some in _at_once(lake, new):
        _make_days(lake, some, sets)
    pieces = [p for of in sets.values() for found in prepared(store.path, of).values() for p in found]
    of = set_key(lake.listed, lake.text)
    if new or not prepared(store.path, of):
        _make_whole(lake, of, pieces)
    held = prepared(store.path, of)
    every = [piece for found in held.values() for piece in found]
    answers = _keep_answers(lake, of, every, thresholds)
    forget(store.path, of)
    return Kept(len(held), sum(p.bytes for p in every), len(new), len(days) - len(new), answers)


def _at_once(lake: _Lake, days: Iterable[Day]) -> Iterator[list[Day]]:
    """Days that follow one another, as many as may be computed together."""
    some: list[Day] = []
    for day in days:
        follows = some and day is not None and some[-1] is not None and day == some[-1] + 1
        if some and not (follows and _bytes(lake.about(some[0], day)) <= AT_ONCE_BYTES):
            yield some
            some = []
        some.append(day)
    if some:
        yield some


def _bytes(files: Parts) -> int:
    return sum(f.bytes for found in files.values() for f in found)


def _make_days(lake: _Lake, days: Sequence[Day], sets: Mapping[Day, str]) -> None:
    con = lake.connection(lake.about(days[0], days[-1]), (), {})
    with con, materialised(con, lake.daily) as made:
        for day in stages.each("days", days):
            with making(lake.store.path, sets[day]) as now:
                for name in lake.daily:
                    with stream(made, f"SELECT * FROM {quoted(name)} WHERE {_of(day)}") as rows:
                        now.keep(name, rows, day)


def _of(day: Day) -> str:
    if day is None:
        return "interval_start IS NULL"
    begin, end = (f"make_timestamp({at * DAY_US})" for at in (day, day + 1))
    return f"interval_start >= {begin} AND interval_start < {end}"


def _keep_answers(lake: _Lake, of: str, pieces: Sequence[Piece], thresholds: Settings) -> int:
    """Ask what advice and the report ask, as far as it isn't kept: how many answers there are then."""
    answers = Taken(lake.store.path, of)
    con = _connection(lake, pieces)
    use(con, answers)
    with con, materialised(con, page.texts()) as made:
        if quality.is_there(made):
            quality.heading(made)
            verdicts(made, page.ask(made, thresholds))
            untold(made, "all")
    return answers.write()


def _make_whole(lake: _Lake, of: str, pieces: Sequence[Piece]) -> None:
    con, names = _connection(lake, pieces), [v.name for v in views()]
    with con, making(lake.store.path, of, pieces) as now, materialised(con, names, keep=now.keep):
        pass


def _connection(lake: _Lake, pieces: Sequence[Piece]) -> duckdb.DuckDBPyConnection:
    """One to the whole lake, with what is kept of its views."""
    kept = {view: lake.store.places(p for p in pieces if p.view == view) for view in {p.view for p in pieces}}
    return lake.connection(lake.listed, [v for v in views() if v.name in kept], kept)
