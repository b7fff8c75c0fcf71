"""Consistency checks of printed rows (`laws.csv`): parts add up, a count is rate times interval, no duplicate device.

A row that violates a law is kept; each law is reported once per input, with the first line and the number of rows. A
number's precision is inferred from its column, so that rounding never raises an issue; nor does a difference of 1 %.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from iosq.parsers.api import Batch, Issue, Severity
from iosq.parsers.listing.columns import (
    SHARE,
    Columns,
    Numbers,
    codes,
    in_order,
    numbers,
    runs_of,
    slack_of,
    steps_of,
)
from iosq.parsers.listing.totals import Totals
from iosq.toolkit.rows import csv_rows

PLACE = ("line", "utc_offset_s")  # columns without a measurement
FINEST = 0.1  # printed step of rates next to counts, for a column of zeros only, which does not show it
WRAPS_MS = 4000.0  # half of the pending counter's range, as for records (code pend_overflow)
WRAPS = "mean pending time above 4 s: the pending counter wraps at about 8.3 s, so the true time may be far longer"

Mask = NDArray[np.bool_]
Found = tuple[Mask, Callable[[int], str]]
"""Mask of the rows that violate a law, and a function that describes the row at an index."""


@dataclass(frozen=True, slots=True)
class Law:
    """A relation of the number `left` to those in `right`, in the rows of a table where `rate` is above 0.

    `kind` is the relation. `sum`: `left` is the sum of `right`. `within`: `left` is at most `right`. `count`: `left` is
    the rate `right` times the interval. `queue`: `left` is `rate` times response without service (Little's law).
    `wraps`: `left` is not large. `once`: each value of `who` has one row per interval. `counts` states which number
    views use, `step` is the printed precision of all numbers, None if their columns show it.
    """

    table: str
    who: str
    kind: str
    left: str
    right: tuple[str, ...]
    rate: str
    step: float | None
    counts: str

    @property
    def names(self) -> tuple[str, ...]:
        return (self.left, *self.right)


@cache
def laws() -> dict[str, tuple[Law, ...]]:
    """The laws by table."""
    found: dict[str, tuple[Law, ...]] = {}
    for row in csv_rows("iosq.parsers.listing", "laws.csv"):
        step = float(row["step"]) if row["step"] else None
        rest = row["who"], row["kind"], row["left"], tuple(row["right"].split()), row["rate"], step, row["counts"]
        for table in row["tables"].split():
            found[table] = (*found.get(table, ()), Law(table, *rest))
    return found


def lawful(items: Iterable[Batch | Issue]) -> Iterator[Batch | Issue]:
    """Pass on the output of a listing reader without negative values, followed by issues about contradictions."""
    checks, totals = Checks(), Totals()
    for table, group in groupby(items, lambda item: item.table if isinstance(item, Batch) else None):
        members = list(group)
        if table is not None:
            batches = [checks.above_zero(item) for item in members if isinstance(item, Batch)]
            rows = pa.Table.from_batches([b.rows for b in batches]).combine_chunks()
            checks.rows(table, rows)
            totals.rows(table, rows)
            yield from batches
        else:
            yield from members
    yield from checks.found.values()
    yield from totals.issues()


def _differs(difference: Numbers, larger: Numbers, slack: Callable[[], Numbers]) -> Mask:
    """Mask of differences above 1 % plus `slack` for the printed precision, which is costly and computed if needed."""
    wrong: Mask = difference > SHARE * larger
    if wrong.any():
        wrong &= difference > slack() + SHARE * larger
    return wrong


def _sum(law: Law, values: Columns) -> Found:
    whole = values[law.left]
    parts: Numbers = np.sum([values[name] for name in law.right], axis=0)
    wrong = _differs(np.abs(whole - parts), np.maximum(whole, parts), lambda: slack_of(values, law.names, law.step))
    return wrong, lambda at: f"{law.left} is {whole[at]:g}, {' + '.join(law.right)} are {parts[at]:g}: {law.counts}"


def _within(law: Law, values: Columns) -> Found:
    part, whole = (values[name] for name in law.names)
    wrong = _differs(part - whole, part, lambda: slack_of(values, law.names, law.step))
    contains = f"{law.right[0]} {{:g}}, which contains it: {law.counts}"
    return wrong, lambda at: f"{law.left} {part[at]:g} is above {contains.format(whole[at])}"


def _count(law: Law, values: Columns) -> Found:
    count, rate = (values[name] for name in law.names)
    seconds = values["interval_s"]
    wrong = _differs(
        np.abs(count - rate * seconds),
        np.maximum(count, rate * seconds),
        lambda: np.fmax(steps_of(rate), FINEST) * seconds + np.nan_to_num(steps_of(count)),
    )
    text = f"{law.left} is {{:g}}, {law.right[0]} {{:g}} in {{:g}} s: {law.counts}"
    return wrong, lambda at: text.format(count[at], rate[at], seconds[at])


def _queue(law: Law, values: Columns) -> Found:
    """A z/VM listing divides a base's wait by its own rate or by the rate of base and aliases; either is accepted."""
    queue, rate, step = values[law.left], values[law.rate], law.step or 0.0
    wait = np.maximum(values[law.right[0]] - values[law.right[1]], 0) / 1000
    wrong: Mask = np.abs(rate * wait - queue) > step
    if wrong.any():
        whole = _volume_rate(values.rows, rate)
        slack = step + 2 * step * whole / 1000 + SHARE * queue
        wrong = (np.abs(rate * wait - queue) > slack) & (np.abs(whole * wait - queue) > slack)
    product = f"{law.rate} x ({law.right[0]} - {law.right[1]})"
    return wrong, lambda at: f"{law.left} is {queue[at]:g}, {product} {rate[at] * wait[at]:.2g}: {law.counts}"


def _volume_rate(rows: pa.Table, rate: Numbers) -> Numbers:
    """The total rate of base and aliases in each row's interval."""
    addresses, types = rows.column("addr").to_pylist(), rows.column("type").to_pylist()
    volumes = [t[2:].strip() if t and t.startswith("->") else a for a, t in zip(addresses, types, strict=True)]
    groups: NDArray[Any] = codes(pa.array(volumes, pa.string()))
    for name in ("system", "interval_start"):
        groups = np.unique(np.stack([groups, codes(rows.column(name))]), axis=1, return_inverse=True)[1].ravel()
    sums: Numbers = np.bincount(groups, weights=np.nan_to_num(rate))[groups]
    return sums


_KINDS: dict[str, Callable[[Law, Columns], Found]] = {
    "sum": _sum, "within": _within, "count": _count, "queue": _queue,
    "wraps": lambda law, values: (values[law.left] > WRAPS_MS, lambda _: WRAPS),
}  # fmt: skip


class Checks:
    """Checks rows as they arrive; `found` has one issue per law and table, with the number of rows or cells."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, ...], Issue] = {}
        self._last: dict[str, pa.Table] = {}  # rows of the page that may continue

    def above_zero(self, batch: Batch) -> Batch:
        """Replace negative values of a batch by NULL."""
        rows = batch.rows
        for place, column in enumerate(rows.schema):
            if column.name in PLACE or not (pa.types.is_floating(column.type) or pa.types.is_integer(column.type)):
                continue
            least = pc.min(rows.column(place)).as_py()
            if least is not None and not least >= 0:
                values = numbers(rows, column.name)
                below = values < 0
                text = f"{batch.table}: {column.name} is {values[np.argmax(below)]:g}, below 0: left out"
                self._report(("negative", batch.table, column.name), "data_loss", text, rows, below)
                kept = pa.array(np.where(below, None, rows.column(place).to_pylist()), column.type)
                rows = rows.set_column(place, column, kept)
        return replace(batch, rows=rows)

    def rows(self, table: str, rows: pa.Table) -> None:
        values = Columns(rows)
        for law in laws().get(table, ()) if rows.num_rows else ():
            if law.kind == "once":
                self._twice(law, rows)
            elif {*law.names} <= {*rows.schema.names}:
                wrong, text = _KINDS[law.kind](law, values)
                self._report_law(law, rows, wrong & (values[law.rate] > 0) if law.rate else wrong, text)

    def _report_law(self, law: Law, rows: pa.Table, wrong: Mask, text: Callable[[int], str]) -> None:
        if wrong.any():
            at = int(np.argmax(wrong))
            code, about = "pend_overflow", law.table
            if law.kind != "wraps":
                who = "device" if law.who == "addr" else law.who
                code, about = "contradiction", f"{law.table}: {who} {rows.column(law.who)[at]}"
            self._report((code, law.table, *law.names), "notice", f"{about}: {text(at)}", rows, wrong)

    def _twice(self, law: Law, rows: pa.Table) -> None:
        """Report devices with two different rows in one interval; a copied page does not count."""
        table = law.table
        last = self._last.get(table)
        both = in_order(rows if last is None else pa.concat_tables([last, rows]))
        runs = runs_of(both)
        self._last[table] = both.filter(pa.array(runs == runs[-1])) if len(runs) else both
        device = codes(both.column(law.who))
        pair = runs * (int(device.max()) + 2) + device
        _, first, group, count = np.unique(pair, return_index=True, return_inverse=True, return_counts=True)
        repeated = (count[group] > 1) & (first[group] != np.arange(len(pair))) & (device >= 0)
        repeated &= both.column("interval_start").is_valid().to_numpy(zero_copy_only=False)
        new = set(rows.column("line").to_pylist()) if repeated.any() else set()
        for at in np.flatnonzero(repeated):
            one, other = (both.slice(int(i), 1).to_pylist()[0] for i in (first[group[at]], at))
            if other["line"] in new and {**one, "line": 0} != {**other, "line": 0}:
                text = f"{table}: device {one[law.who]} stands twice in one interval: line {one['line']} counts"
                this_row = np.arange(len(pair)) == at
                self._report(("twice", table), "data_loss", text, both, this_row)

    def _report(self, key: tuple[str, ...], severity: Severity, text: str, rows: Any, where: Mask) -> None:
        place, count = rows.column("line")[int(np.argmax(where))].as_py() or 0, int(where.sum())
        known = self.found.get(key)
        fresh = Issue(key[0], severity, text, place)
        first = fresh if known is None or place < known.offset else known
        self.found[key] = replace(first, count=count + (known.count if known else 0))
