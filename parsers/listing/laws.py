"""Laws of a printed row: parts add up, none exceeds its whole, no device is twice on a page, no negative value.

Counts are their rates over the interval, see `counts`.

A row that does not is kept and reported once per law and input, with the first place and the count. The precision of
a number is inferred from its column, so that rounding never raises an issue; nor does one percent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from iosq.parsers.api import Batch, Issue, Severity
from iosq.parsers.listing.columns import SHARE, Numbers, in_order, numbers, runs_of, slack_of
from iosq.parsers.listing.counts import miscounted
from iosq.parsers.listing.queues import misqueued
from iosq.parsers.listing.totals import Totals

PLACE = ("line", "utc_offset_s")  # columns without a measurement


@dataclass(frozen=True)
class Law:
    """Relations between the numbers of a row.

    Attributes:
        device: column that names the row.
        rate: column without which the others mean nothing.
        whole: column of a total.
        parts: columns it is the sum of.
        within: (part, whole, which of them counts); the first may not be above the second.
        step: what all numbers are printed to; None where their columns show it.
        wraps_ms: pending time from which the counter behind it may have wrapped.
    """

    device: str
    rate: str
    whole: str
    parts: tuple[str, ...]
    within: tuple[tuple[str, str, str], ...]
    step: float | None = None
    wraps_ms: float | None = None


_IN_PEND = "pend_ms counts, the other is kept as it is"
_RMF = Law(
    "device",
    "activity_rate",
    "resp_ms",
    ("iosq_ms", "pend_ms", "disc_ms", "conn_ms"),
    (("cmr_ms", "pend_ms", _IN_PEND), ("db_ms", "pend_ms", _IN_PEND)),
    wraps_ms=4000.0,  # half of the counter's range, as for records (code pend_overflow)
)
_SERVED = "the service counts, without wait"
# views decide with the same step and share which of two numbers counts
_FCX = Law(
    "addr",
    "rate_io",
    "time_serv",
    ("time_pend", "time_disc", "time_conn"),
    (("time_serv", "time_resp", _SERVED),),
    0.1,
)
_DETAIL = Law(
    "addr",
    "ssch_rate",
    "service_time",
    ("function_pend", "disconnected", "connected"),
    (("service_time", "response_time", "both are kept"),),
    0.1,
)
LAWS = {"rmf_dasd_device": _RMF, "rmf_m2_device": _RMF, "fcx108": _FCX, "fcx168": _FCX, "fcx110": _DETAIL}


def lawful(items: Iterable[Batch | Issue]) -> Iterator[Batch | Issue]:
    """The output of a reader of listings without values below 0, followed by issues about contradictions."""
    checks, totals = Checks(), Totals()
    for table, group in groupby(items, lambda item: item.table if isinstance(item, Batch) else None):
        together = list(group)
        if table is not None:
            batches = [checks.above_zero(item) for item in together if isinstance(item, Batch)]
            rows = pa.Table.from_batches([b.rows for b in batches]).combine_chunks()
            checks.rows(table, rows)
            totals.rows(table, rows)
            yield from batches
        else:
            yield from together
    yield from checks.found.values()
    yield from totals.issues()


class Checks:
    """Looks at rows as they come; `found` has one issue per law and table, its count that of the rows or cells."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, ...], Issue] = {}
        self._last: dict[str, pa.Table] = {}  # rows of the page that may continue

    def above_zero(self, batch: Batch) -> Batch:
        """The batch without values below 0."""
        rows = batch.rows
        for place, column in enumerate(rows.schema):
            if column.name in PLACE or not (pa.types.is_floating(column.type) or pa.types.is_integer(column.type)):
                continue
            least = pc.min(rows.column(place)).as_py()
            if least is not None and not least >= 0:
                below = numbers(rows, column.name) < 0
                self._below_zero(batch, column.name, below)
                kept = pa.array(np.where(below, None, rows.column(place).to_pylist()), column.type)
                rows = rows.set_column(place, column, kept)
        return replace(batch, rows=rows)

    def _below_zero(self, batch: Batch, column: str, below: NDArray[np.bool_]) -> None:
        value = numbers(batch.rows, column)[np.argmax(below)]
        text = f"{batch.table}: {column} is {value:g}, below 0: left out"
        self._report(("negative", batch.table, column), "data_loss", text, batch.rows, below)

    def rows(self, table: str, rows: pa.Table) -> None:
        """Check a batch of rows."""
        for found in (*miscounted(table, rows), *misqueued(table, rows)):
            self._report(("contradiction", table, *found.names), "notice", found.text, rows, found.rows)
        law = LAWS.get(table)
        if law is None or not rows.num_rows:
            return
        used = numbers(rows, law.rate) > 0
        values = {
            name: numbers(rows, name) for name in (law.whole, *law.parts, *(n for w in law.within for n in w[:2]))
        }
        self._sum(table, law, rows, values, used)
        if law.wraps_ms is not None:
            self._wraps(table, rows, used & (values["pend_ms"] > law.wraps_ms))
        for part, whole, counts in law.within:
            over = values[part] - values[whole]
            apart = used & (over > SHARE * values[part])
            apart[apart] = (over - slack_of(values, (part, whole), law.step))[apart] > SHARE * values[part][apart]
            if apart.any():
                first = int(np.argmax(apart))
                text = f"{part} {values[part][first]:g} is above {whole} {values[whole][first]:g}, which contains it"
                self._contradicts((part, whole), table, law, rows, apart, f"{text}: {counts}")
        self._twice(table, law, rows)

    def _wraps(self, table: str, rows: pa.Table, long: NDArray[np.bool_]) -> None:
        text = (
            "mean pending time above 4 s: the pending counter wraps at about 8.3 s, so the true time may be far longer"
        )
        if long.any():
            self._report(("pend_overflow", table), "notice", f"{table}: {text}", rows, long)

    def _sum(self, table: str, law: Law, rows: pa.Table, values: dict[str, Numbers], used: NDArray[np.bool_]) -> None:
        total, names = np.sum([values[name] for name in law.parts], axis=0), (law.whole, *law.parts)
        apart, share = np.abs(values[law.whole] - total), SHARE * np.maximum(values[law.whole], total)
        wrong = used & (apart > share)
        if wrong.any():
            wrong &= apart > slack_of(values, names, law.step) + share
        if wrong.any():
            first = int(np.argmax(wrong))
            text = f"{law.whole} is {values[law.whole][first]:g}, {' + '.join(law.parts)} are {total[first]:g}"
            self._contradicts(names, table, law, rows, wrong, f"{text}: the parts count")

    def _contradicts(
        self, law: tuple[str, ...], table: str, names: Law, rows: pa.Table, where: NDArray[np.bool_], text: str
    ) -> None:
        who = rows.column(names.device)[int(np.argmax(where))]
        self._report(("contradiction", table, *law), "notice", f"{table}: device {who}: {text}", rows, where)

    def _twice(self, table: str, law: Law, rows: pa.Table) -> None:
        """A device with different numbers twice in one interval; a copied page does not count."""
        held = self._last.get(table)
        both = rows if held is None else pa.concat_tables([held, rows])
        both = in_order(both)
        runs = runs_of(both)
        self._last[table] = both.filter(pa.array(runs == runs[-1])) if len(runs) else both
        codes = both.column(law.device).combine_chunks().dictionary_encode()
        device = codes.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        pair = runs * (len(codes.dictionary) + 1) + device
        _, first, turn, count = np.unique(pair, return_index=True, return_inverse=True, return_counts=True)
        again = (count[turn] > 1) & (first[turn] != np.arange(len(pair))) & (device >= 0)
        again &= both.column("interval_start").is_valid().to_numpy(zero_copy_only=False)
        new = set(rows.column("line").to_pylist()) if again.any() else set()
        for at in np.flatnonzero(again):
            one, other = (both.slice(int(i), 1).to_pylist()[0] for i in (first[turn[at]], at))
            if other["line"] in new and {**one, "line": 0} != {**other, "line": 0}:
                text = f"{table}: device {one[law.device]} stands twice in one interval: line {one['line']} counts"
                here = np.arange(len(pair)) == at
                self._report(("twice", table), "data_loss", text, both, here)

    def _report(self, key: tuple[str, ...], severity: Severity, text: str, rows: Any, where: NDArray[np.bool_]) -> None:
        place, count = rows.column("line")[int(np.argmax(where))].as_py() or 0, int(where.sum())
        known = self.found.get(key)
        fresh = Issue(key[0], severity, text, place)
        first = fresh if known is None or place < known.offset else known
        self.found[key] = replace(first, count=count + (known.count if known else 0))
