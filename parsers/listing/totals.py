"""Checks printed totals (`sums.csv`): the rows they sum up must add up to them, within printed precision.

If rows add up to less, some are missing: a page was lost, or the report covers selected devices. If they add up to
more, they contradict their total. Both are reported once per law and input, with the first line and the number of
totals. Rounding and 1 % are tolerated as within a row, see `laws`. Only rates and counts are summed, never times, which
are means.
"""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache, reduce
from operator import and_

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from iosq.parsers.api import Issue
from iosq.parsers.listing.columns import SHARE, in_order, numbers, runs_of, steps_of
from iosq.toolkit.rows import NewRow, Row, csv_rows

PLACE = ("system", "interval_start", "interval_s")


@dataclass(frozen=True)
class Sum:
    """Lines of a table that sum up rows of the same interval.

    Attributes:
        whole: table of the totals; `lines` selects its total rows, `by` are their key columns.
        parts: table of the rows; `rows` selects them, `part_by` are their columns that match `by`.
        member: columns that identify a row of a total, so that a copied page adds nothing.
        columns: summed columns.
        names: for messages: subject of the total, name of one row, name of several rows.
        counts: for messages: which of the two views use.
        text: column with text that a row may have instead of numbers, '' if none.
        loss: True if missing rows are a loss, False if the report may have been requested without them.
    """

    whole: str
    lines: pc.Expression
    by: tuple[str, ...]
    parts: str
    rows: pc.Expression
    part_by: tuple[str, ...]
    member: tuple[str, ...]
    columns: tuple[str, ...]
    names: tuple[str, ...]
    counts: str
    text: str
    loss: bool


@cache
def sums() -> tuple[Sum, ...]:
    """The rows of `sums.csv`."""
    return tuple(_sum(row) for row in csv_rows("iosq.parsers.listing", "sums.csv"))


def _sum(row: dict[str, str]) -> Sum:
    made: NewRow = {**row, "names": tuple(row["names"].split("/")), "loss": row["loss"] == "yes"}
    made |= {name: tuple(row[name].split()) for name in ("by", "part_by", "member", "columns")}
    return Sum(**made | {name: _where(row[name]) for name in ("lines", "rows")})


def _where(text: str) -> pc.Expression:
    """Conjunction of conditions: `a=x`, `a!=x`, `device` (not NULL), `no device` (NULL), joined by ` & `."""
    return reduce(and_, map(_condition, text.split(" & ")))


def _condition(text: str) -> pc.Expression:
    name, is_equal, value = text.partition("=")
    if not is_equal:
        column = pc.field(name.removeprefix("no "))
        return ~column.is_valid() if name.startswith("no ") else column.is_valid()
    return pc.field(name[:-1]) != value if name.endswith("!") else pc.field(name) == value


class Totals:
    """Adds up rows as they arrive; `issues` compares the sums with the printed totals at the end."""

    def __init__(self) -> None:
        self._checks = [_Check(law) for law in sums()]

    def rows(self, table: str, rows: pa.Table) -> None:
        for check in self._checks:
            if table == check.law.parts:
                check.parts(rows)
            if table == check.law.whole:
                check.wholes(rows)

    def issues(self) -> list[Issue]:
        return [issue for check in self._checks for issue in check.issues()]


_PLACED = pc.field("system").is_valid() & pc.field("interval_start").is_valid()


class _Check:
    """One law: its totals, and sums over completed runs (consecutive rows of one system and interval)."""

    def __init__(self, law: Sum) -> None:
        self.law = law
        self._keys = [f"key{at}" for at in range(len(law.by))]
        self._open: pa.Table | None = None  # the run that may continue
        self._sums: list[pa.Table] = []
        self._totals: list[pa.Table] = []

    def wholes(self, rows: pa.Table) -> None:
        found = rows.filter(self.law.lines & _PLACED)
        if found.num_rows:
            self._totals.append(self._narrow(found, self.law.by, np.nan))

    def parts(self, rows: pa.Table) -> None:
        """Add up the rows of completed runs."""
        found = rows.filter(self.law.rows & _PLACED)
        if not found.num_rows:
            return
        fresh = self._narrow(found, self.law.part_by, 0.0).append_column("unknown", self._unknown(found))
        for at, name in enumerate(self.law.member):
            fresh = fresh.append_column(f"member{at}", found.column(name))
        both = in_order(fresh if self._open is None else pa.concat_tables([self._open, fresh]).combine_chunks())
        runs = runs_of(both)
        last = pa.array(runs == runs[-1])
        self._open = both.filter(last)
        self._close(both.append_column("run", pa.array(runs)).filter(pc.invert(last)))

    def _narrow(self, rows: pa.Table, by: tuple[str, ...], absent: float) -> pa.Table:
        """Columns needed for a sum: interval, line, keys, values (`absent` if missing), and their printed precision."""
        columns = {name: rows.column(name) for name in (*PLACE, "line")}
        columns["interval_s"] = pc.fill_null(columns["interval_s"], -1.0)
        columns |= {key: pc.fill_null(rows.column(name), "") for key, name in zip(self._keys, by, strict=True)}
        for name in self.law.columns:
            values = numbers(rows, name)
            steps = steps_of(values)
            coarsest = np.max(steps, initial=0.0, where=~np.isnan(steps))
            columns[f"{name}.value"] = pa.array(np.where(np.isnan(values), absent, values))
            columns[f"{name}.step"] = pa.array(np.where(np.isnan(steps), coarsest, steps))
        return pa.table(columns)

    def _unknown(self, rows: pa.Table) -> pa.Array:
        """1 for rows with neither a number nor text instead of it: their contribution is unknown."""
        unknown = pc.is_null(rows.column(self.law.columns[0]))
        if self.law.text:
            unknown = pc.and_(unknown, pc.is_null(rows.column(self.law.text)))
        return pc.cast(unknown, pa.int64())

    def _close(self, rows: pa.Table) -> None:
        """Sum up runs; duplicate rows count once."""
        if not rows.num_rows:
            return
        numeric = [f"{name}.{what}" for name in self.law.columns for what in ("value", "step")] + ["unknown"]
        members = [name for name in rows.column_names if name.startswith("member")]
        by = ["run", *PLACE, *self._keys]
        single = rows.group_by([*by, *members], use_threads=False).aggregate([(name, "first") for name in numeric])
        summed = single.group_by(by, use_threads=False).aggregate(
            [(f"{name}_first", "sum") for name in numeric] + [("unknown_first", "count")]
        )
        names = [n.replace("_first_sum", "").replace("unknown_first_count", "rows") for n in summed.column_names]
        self._sums.append(summed.rename_columns(names).drop_columns("run"))

    def issues(self) -> list[Issue]:
        if self._open is None or not self._totals:
            return []
        self._close(self._open.append_column("run", pa.array(np.zeros(self._open.num_rows, np.int64))))
        return _compared(self.law, self._joined())

    def _joined(self) -> pa.Table:
        """Totals joined with the sums of their rows; without intervals that have no rows at all."""
        by = [*PLACE, *self._keys]
        columns = [f"{name}.{what}" for name in self.law.columns for what in ("value", "step")]
        totals = pa.concat_tables(self._totals).group_by(by, use_threads=False)
        printed = totals.aggregate([(n, "first") for n in columns] + [("line", "min")])
        sums = pa.concat_tables(self._sums)
        # several runs of one interval are copies or continuations: either the largest or all together must match
        merged = sums.group_by(by, use_threads=False).aggregate(
            [(n, how) for n in columns for how in ("max", "sum")] + [("unknown", "max"), ("rows", "max")]
        )
        seen = sums.group_by(list(PLACE)).aggregate([])
        return printed.join(seen, list(PLACE), join_type="inner").join(merged, by).sort_by("line_min")


def _compared(law: Sum, both: pa.Table) -> list[Issue]:
    """One issue for totals above the sum of their rows and one for those below; each at its first total."""
    found: dict[str, Issue] = {}
    total, rows = ({n: both[f"{n}.value_{how}"].to_pylist() for n in law.columns} for how in ("first", "max"))
    unknown = both["unknown_max"].to_pylist()
    counts: Counter[str] = Counter()
    for at, column in sorted(_mismatches(law, both).items()):
        short = total[column][at] > (rows[column][at] or 0.0)
        if short and unknown[at]:
            continue
        code = "rows_missing" if short else "contradiction"
        counts[code] += 1
        if code not in found:
            found[code] = _issue(law, both.slice(at, 1).to_pylist()[0], column, code)
    return [replace(issue, count=counts[code]) for code, issue in found.items()]


def _issue(law: Sum, row: Row, column: str, code: str) -> Issue:
    name = " ".join([law.names[0], *filter(None, (row[f"key{place}"] for place in range(len(law.by))))])
    rows, value = row["rows_max"] or 0, row[f"{column}.value_max"] or 0.0
    which = f"its {rows} {law.names[1 if rows == 1 else 2]} {'has' if rows == 1 else 'have'} {value:g}"
    which = which if rows else f"none of its {law.names[2]} is printed"
    says = "rows are missing, or the total is wrong: " if code == "rows_missing" else ""
    text = f"{law.whole}: {name}: {column} is {row[f'{column}.value_first']:g}, {which}: {says}{law.counts}"
    return Issue(code, "data_loss" if says and law.loss else "notice", text, row["line_min"] or 0)


def _mismatches(law: Sum, both: pa.Table) -> dict[int, str]:
    """Index and column of totals that differ from the sum of their rows, whether in the largest run or in all runs."""
    found: dict[int, str] = {}
    for name in law.columns:
        total = numbers(both, f"{name}.value_first")
        slack = numbers(both, f"{name}.step_first") + np.nan_to_num(numbers(both, f"{name}.step_sum"))
        far = ~np.isnan(total)
        for how in ("max", "sum"):
            rows = np.nan_to_num(numbers(both, f"{name}.value_{how}"))
            far &= np.abs(total - rows) > slack + SHARE * np.maximum(total, rows)
        found = {int(at): name for at in np.flatnonzero(far)} | found
    return found
