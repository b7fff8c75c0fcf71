"""What was measured, laid out by subject, local day and time of day."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

import numpy as np
import pyarrow.compute as pc

from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.guard import query

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa
    from numpy.typing import NDArray

    from iosq.toolkit.sql.filter import Filter

Kind = Literal["box", "lcu", "volume"]
MEASURES = ("io_rate", "wait_ms", "service_ms", "response_ms", "queue_length")
# means per I/O: an interval counts by its I/Os, as in the report
PER_IO = ("wait_ms", "service_ms", "response_ms")
IOS = "ios"
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
    """What a change is about; `system` is empty for a box, which serves all of them."""

    kind: Kind
    system: str
    name: str


class Span(NamedTuple):
    """Starts of the first and the last interval, UTC, and how many seconds local time is ahead; None: it differs."""

    first: dt.datetime
    last: dt.datetime
    utc_offset_s: int | None


@dataclass(frozen=True, slots=True)
class Series:
    """All subjects of one kind over one span.

    `days` are days since 1970-01-01 and `slots` minutes of the day, both local and ascending; the other arrays hold
    one entry per row: position of its subject, day and slot, and the values of each measure (NaN where none).
    """

    subjects: tuple[Subject, ...]
    days: NDArray[np.int64]
    slots: NDArray[np.int64]
    subject: NDArray[np.int64]
    day: NDArray[np.int64]
    slot: NDArray[np.int64]
    values: dict[str, NDArray[np.float64]]
    span: Span | None = None

    def grid(self, measure: str, subjects: list[Subject], slots: NDArray[np.int64]) -> NDArray[np.float64]:
        """One measure as (subject, day, slot), NaN where nothing was measured."""
        found = np.full((len(self.subjects), len(self.days), len(self.slots)), np.nan)
        found[self.subject, self.day, self.slot] = self.values[measure]
        place = {s: i for i, s in enumerate(self.subjects)}
        return cast("NDArray[np.float64]", found[[place[s] for s in subjects]][:, :, np.isin(self.slots, slots)])


def statement() -> str:
    """The views the series read, for a connection that makes only those."""
    return " ".join(view for view, _ in _VIEWS.values())


def narrowed(where: Filter) -> tuple[list[Kind], dict[Kind, list[str]]]:
    """The kinds of subjects that a filter narrows, and those it can't narrow with the options to blame."""
    shown = {v.name: v for v in views()}
    missed = {kind: where.misses(shown[view]) for kind, (view, _) in _VIEWS.items()}
    return [kind for kind, options in missed.items() if not options], {k: o for k, o in missed.items() if o}


def series(con: duckdb.DuckDBPyConnection, kind: Kind) -> Series:
    """Everything a connection shows of one kind of subject."""
    view, system = _VIEWS[kind]
    rows = query(con, _SQL.format(view=view, system=system, subject=kind, measures=", ".join(MEASURES)))
    subjects, subject = _subjects(kind, rows)
    minute = _minutes(rows)
    days, day = np.unique(minute // MINUTES_PER_DAY, return_inverse=True)
    slots, slot = np.unique(minute % MINUTES_PER_DAY, return_inverse=True)
    values = {m: _floats(rows[m]) for m in MEASURES}
    values[IOS] = values["io_rate"] * _floats(rows["interval_s"])
    return Series(subjects, days, slots, subject, day, slot, values, _span(rows))


def _span(rows: pa.Table) -> Span | None:
    if not rows.num_rows:
        return None
    ends, offsets = pc.min_max(rows["interval_start"]).as_py(), pc.unique(rows["utc_offset_s"]).to_pylist()
    return Span(ends["min"], ends["max"], offsets[0] if len(offsets) == 1 else None)


def _minutes(rows: pa.Table) -> NDArray[np.int64]:
    """The system's own minutes since 1970-01-01: work follows the clock on the wall."""
    starts = rows["interval_start"].to_numpy().astype("datetime64[s]").astype(np.int64)
    ahead = np.nan_to_num(_floats(rows["utc_offset_s"]))
    return cast("NDArray[np.int64]", np.floor((starts + ahead + 30) / 60).astype(np.int64))


def _subjects(kind: Kind, rows: pa.Table) -> tuple[tuple[Subject, ...], NDArray[np.int64]]:
    """The different subjects, and which of them each row is about."""
    systems, names = (rows[c].combine_chunks().dictionary_encode() for c in ("system", "subject"))
    width = max(len(names.dictionary), 1)
    codes = systems.indices.to_numpy().astype(np.int64) * width + names.indices.to_numpy()
    found, place = np.unique(codes, return_inverse=True)
    told = (divmod(code, width) for code in found.tolist())
    return tuple(Subject(kind, systems.dictionary[s].as_py(), names.dictionary[n].as_py()) for s, n in told), place


def _floats(column: pa.ChunkedArray) -> NDArray[np.float64]:
    return cast("NDArray[np.float64]", column.to_numpy().astype(np.float64))
