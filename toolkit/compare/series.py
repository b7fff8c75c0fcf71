"""Read measurements by subject, local day and time of day."""

import datetime as dt
from bisect import bisect_left
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, NamedTuple, cast

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.filter import Filter
from iosq.toolkit.sql.guard import query

Kind = Literal["box", "lcu", "volume"]
MEASURES = ("io_rate", "wait_ms", "service_ms", "response_ms", "queue_length")
# means per I/O: intervals are weighted by I/Os, as in the report
PER_IO = ("wait_ms", "service_ms", "response_ms")
IOS = "ios"
SECONDS = "interval_s"
MINUTES_PER_DAY = 1440

_SQL = """
SELECT {system} AS system, {subject} AS subject, {measures}, interval_s, interval_start, utc_offset_s
FROM {view}
WHERE {subject} IS NOT NULL AND interval_start IS NOT NULL AND interval_s > 0
"""
_VIEWS: dict[Kind, tuple[str, str]] = {
    "box": ("box_interval", "''"),
    "lcu": ("lcu_interval", "coalesce(system, '')"),
    "volume": ("volume_interval", "coalesce(system, '')"),
}


class Subject(NamedTuple):
    """The subject of a change; `system` is empty for a box, which serves all systems."""

    kind: Kind
    system: str
    name: str


class Span(NamedTuple):
    """Starts of the first and the last interval, UTC, and the offset of local time in seconds (None: it varies).

    `printed`: the offset is unknown, and both are local times as listings print them.
    """

    first: dt.datetime
    last: dt.datetime
    utc_offset_s: int | None
    printed: bool = False


class Calendar(NamedTuple):
    """Times with measurements of a subject: days since 1970-01-01 and minutes of the day, both local and ascending."""

    days: tuple[int, ...]
    slots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """All subjects of one kind over one span, each with its own calendar, so that a damaged row affects no other.

    Subjects are sorted. The arrays have one entry per row, grouped by subject: day, minute of the day, and the values
    of each measure (NaN if missing). `starts` has the first row of each subject, and the end of the last.
    """

    subjects: tuple[Subject, ...]
    calendars: tuple[Calendar, ...]
    starts: NDArray[np.int64]
    day: NDArray[np.int64]
    slot: NDArray[np.int64]
    values: dict[str, NDArray[np.float64]]
    span: Span | None = None

    @property
    def usual(self) -> Calendar:
        """The calendar with most rows."""
        rows: dict[Calendar, int] = {}
        for calendar, count in zip(self.calendars, np.diff(self.starts).tolist(), strict=True):
            rows[calendar] = rows.get(calendar, 0) + count
        return max(rows, key=lambda calendar: (rows[calendar], calendar)) if rows else Calendar((), ())

    def calendar_of(self) -> dict[Subject, Calendar]:
        return dict(zip(self.subjects, self.calendars, strict=True))

    def rows_of(self, subject: Subject) -> slice:
        place = bisect_left(self.subjects, subject)
        return slice(self.starts[place], self.starts[place + 1])

    def grid(self, measure: str, subjects: list[Subject], calendar: Calendar) -> NDArray[np.float64]:
        """One measure as (subject, day, slot) of a calendar, NaN where nothing was measured."""
        days, slots = (np.array(part, np.int64) for part in calendar)
        found = np.full((len(subjects), len(days), len(slots)), np.nan)
        for row, subject in enumerate(subjects):
            own = self.rows_of(subject)
            there = np.isin(self.slot[own], slots)
            day, slot = np.searchsorted(days, self.day[own][there]), np.searchsorted(slots, self.slot[own][there])
            found[row, day, slot] = self.values[measure][own][there]
        return found


def statement() -> str:
    """The names of the views that series read, for a connection with only those."""
    return " ".join(view for view, _ in _VIEWS.values())


def narrowed(where: Filter) -> tuple[list[Kind], dict[Kind, list[str]]]:
    """The kinds of subjects that a filter can narrow, and the others with the options that prevent it."""
    shown = {v.name: v for v in views()}
    missed = {kind: where.misses(shown[view]) for kind, (view, _) in _VIEWS.items()}
    return [kind for kind, options in missed.items() if not options], {k: o for k, o in missed.items() if o}


def series(con: duckdb.DuckDBPyConnection, kind: Kind) -> Series:
    """All measurements of one kind of subject on a connection."""
    view, system = _VIEWS[kind]
    rows = query(con, _SQL.format(view=view, system=system, subject=kind, measures=", ".join(MEASURES)))
    subjects, subject = _subjects(kind, rows)
    minute = _minutes(rows)
    values = {m: _floats(rows[m]) for m in (*MEASURES, SECONDS)}
    values[IOS] = values["io_rate"] * values[SECONDS]
    order = np.argsort(subject, kind="stable")
    day, slot = divmod(minute[order], MINUTES_PER_DAY)
    found = laid_out(subjects, subject[order], day, slot, {name: of[order] for name, of in values.items()})
    return replace(found, span=_span(found, rows.take(order)))


def laid_out(
    subjects: tuple[Subject, ...],
    subject: NDArray[np.int64],
    day: NDArray[np.int64],
    slot: NDArray[np.int64],
    values: dict[str, NDArray[np.float64]],
    span: Span | None = None,
) -> Series:
    """A series from rows sorted by subject; `subject` has the index of each row's subject."""
    starts = np.searchsorted(subject, np.arange(len(subjects) + 1))
    own = [slice(first, end) for first, end in pairwise(starts.tolist())]
    times = tuple(Calendar(tuple(np.unique(day[p]).tolist()), tuple(np.unique(slot[p]).tolist())) for p in own)
    return Series(subjects, times, starts, day, slot, values, span)


def _span(found: Series, rows: pa.Table) -> Span | None:
    """The span of the subjects with the usual calendar."""
    if not found.subjects:
        return None
    usual, counts = found.usual, np.diff(found.starts)
    usual_rows = rows.filter(np.repeat([calendar == usual for calendar in found.calendars], counts))
    ends, offsets = pc.min_max(usual_rows["interval_start"]).as_py(), pc.unique(usual_rows["utc_offset_s"]).to_pylist()
    return Span(ends["min"], ends["max"], offsets[0] if len(offsets) == 1 else None, offsets == [None])


def _minutes(rows: pa.Table) -> NDArray[np.int64]:
    """Local minutes since 1970-01-01, because load follows local time."""
    starts = rows["interval_start"].to_numpy().astype("datetime64[s]").astype(np.int64)
    ahead = np.nan_to_num(_floats(rows["utc_offset_s"]))
    return cast("NDArray[np.int64]", np.floor((starts + ahead + 30) / 60).astype(np.int64))


def _subjects(kind: Kind, rows: pa.Table) -> tuple[tuple[Subject, ...], NDArray[np.int64]]:
    """The distinct subjects in order, and the index of each row's subject."""
    systems, names = (rows[c].combine_chunks().dictionary_encode() for c in ("system", "subject"))
    width = max(len(names.dictionary), 1)
    codes = systems.indices.to_numpy().astype(np.int64) * width + names.indices.to_numpy()
    found, place = np.unique(codes, return_inverse=True)
    pairs = (divmod(code, width) for code in found.tolist())
    made = [Subject(kind, systems.dictionary[s].as_py(), names.dictionary[n].as_py()) for s, n in pairs]
    order = sorted(range(len(made)), key=made.__getitem__)
    return tuple(made[i] for i in order), np.argsort(order)[place] if order else place


def _floats(column: pa.ChunkedArray) -> NDArray[np.float64]:
    return cast("NDArray[np.float64]", column.to_numpy().astype(np.float64))
