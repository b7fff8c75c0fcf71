"""Impossible values: values outside the range of their unit, from damaged records, are left out of views.

The view `impossible_value` lists them: nothing is left out silently.
"""

from collections.abc import Collection, Mapping
from functools import cache
from typing import NamedTuple

from iosq.toolkit.rows import csv_rows
from iosq.toolkit.sql.catalog import ORIGIN, Source, View, ViewColumn
from iosq.toolkit.sql.raw import literal, quoted

_NUMBERS = frozenset({"DOUBLE", "BIGINT", "INTEGER"})
# added to the rows of a view while they are computed: an impossible value was left out of this one
DAMAGED = ViewColumn("_is_damaged", "BOOLEAN", "", "")
# the place of a row, in columns of their own; the rest of its key is a text
_WHERE = {"platform": "STRING", "system": "STRING", "interval_start": "TIMESTAMP", "utc_offset_s": "INTEGER", **ORIGIN}


class Range(NamedTuple):
    """The lowest and the highest valid value, in SQL, and the reason for the limits.

    within: a column of the same source with the whole that contains this part, if there is one.
    times: one of milliseconds per I/O, times which a rate gave this: it is believed no longer than they are.
    slack: SQL that makes of the whole the most that is believed, where both are rounded.
    """

    least: str
    most: str
    reason: str
    within: str | None = None
    times: str | None = None
    slack: str | None = None

    def end(self, name: str, given: Collection[str]) -> str:
        """The highest of a row: that of all, the row's own whole if it has one, or that of the longest time."""
        if self.times and self.times in given:
            whole = f"{quoted(name)} * {ranges()['milliseconds'].most} / nullif({quoted(self.times)}, 0)"
        elif self.within and self.within in given:
            whole = f"{quoted(self.within)}{self.slack or ''}"
        else:
            return self.most
        return f"least(coalesce({whole}, {self.most}), {self.most})"


@cache
def ranges() -> Mapping[str, Range]:
    """Valid ranges by unit, and by name for columns with a range of their own."""
    names = ("least", "most", "reason", "within", "times", "slack")
    return {row["of"]: Range(*(row[name] for name in names)) for row in csv_rows("iosq.toolkit.sql", "possible.csv")}


def range_of(column: ViewColumn) -> Range | None:
    """The range of a column; None if it is not a number."""
    if column.type not in _NUMBERS:
        return None
    return ranges().get(column.name) or ranges().get(column.unit)


def believed(column: ViewColumn, given: Collection[str] | None) -> str:
    """SQL of a source's column, cast to what the view promises; NULL where the value is impossible.

    `given`: the columns that the source gives; None: its rows were checked before.
    """
    name, allowed = quoted(column.name), range_of(column)
    cast = f"CAST({name} AS {column.sql_type})"
    if not allowed or given is None:
        return cast
    return f"CASE WHEN {name} BETWEEN {allowed.least} AND {allowed.end(column.name, given)} THEN {cast} END"


def is_damaged(view: View, given: Collection[str]) -> str:
    """SQL of whether `view` leaves out a value of a source's row; `given`: the columns that the source gives."""
    return " OR ".join(f"NOT ({quoted(c.name)} BETWEEN {a.least} AND {end})" for c, a, end in _checked(view, given))


def _checked(view: View, given: Collection[str]) -> list[tuple[ViewColumn, Range, str]]:
    return [(c, a, a.end(c.name, given)) for c in view.own_columns if c.name in given and (a := range_of(c))]


def impossible(view: View, source: Source, given: Collection[str]) -> str:
    """The SELECT of one source of the view `impossible_value`: a row for each value that `view` leaves out of it.

    `given`: the columns that the source gives.
    """
    checked = _checked(view, given)
    limits = ", ".join(
        f"({literal(c.name)}, {literal(c.unit)}, CAST({a.least} AS DOUBLE), CAST({a.most} AS DOUBLE))"
        for c, a, _ in checked
    )
    found = " ".join(f"WHEN {literal(c.name)} THEN CAST({quoted(c.name)} AS DOUBLE)" for c, *_ in checked)
    of_whole = " ".join(f"WHEN {literal(c.name)} THEN CAST({end} AS DOUBLE)" for c, a, end in checked if end != a.most)
    most = f"CASE column_name {of_whole} ELSE most END AS most" if of_whole else "most"
    return f"""SELECT place.*
FROM (
    SELECT {_place(view, source, given)}, column_name, CASE column_name {found} END AS found, unit, least, {most}
    FROM (SELECT * FROM ({source.sql}) AS source WHERE {is_damaged(view, given)}) AS damaged
    CROSS JOIN (VALUES {limits}) AS limits(column_name, unit, least, most)
) AS place
WHERE NOT (found BETWEEN least AND most)"""


def _place(view: View, source: Source, given: Collection[str]) -> str:
    """The place of a row: its subject, and its record or line, where the source has them."""
    keys = [f"CAST({quoted(k)} AS STRING)" for k in view.keys if k in given and k not in _WHERE]
    named = {
        "view_name": literal(view.name),
        "source": literal(source.name),
        "subject": f"concat_ws(' ', {', '.join(keys)})" if keys else "CAST(NULL AS STRING)",
    }
    own = {n: f"CAST({n if n in given else source.otherwise(n)} AS {kind})" for n, kind in _WHERE.items()}
    return ", ".join(f"{sql} AS {name}" for name, sql in (named | own).items())
