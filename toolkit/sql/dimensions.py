"""Dimensions (facts about the whole lake) by day: the slice of their rows about a day, and its digest.

A row of a dimension is about the day of its interval, or about the days between `since` and `until`, on which its
subject was seen (`first_seen`, `last_seen`); with none of these columns, about every day.
"""

from collections.abc import Iterable, Sequence

import duckdb

from iosq.toolkit.sql.catalog import View
from iosq.toolkit.sql.connect import spill_apart
from iosq.toolkit.sql.limits import IN_FORCE
from iosq.toolkit.sql.raw import Span, quoted, read_files
from iosq.toolkit.sql.window import DAY_US, REACH_US

_REACHES = (("interval_start", "interval_start"), ("since", "until"), ("first_seen", "last_seen"))
_SEEN = ("first_seen", "last_seen")  # they change with each day, and no row is made of them


def rows_about(view: View, files: Sequence[str], within: Span) -> str:
    """The rows of a stored view about a span of time, and those without a time."""
    about = _overlaps(view, *(f"make_timestamp({us})" for us in within))
    return f"(SELECT * FROM {read_files(files)} WHERE {about})"


def _overlaps(view: View, begin: str, end: str) -> str:
    known = {c.name for c in view.columns}
    found = [
        f"coalesce({first} <= {end} AND {last} >= {begin}, TRUE)" for first, last in _REACHES if {first, last} <= known
    ]
    return " AND ".join(found) or "TRUE"


def digests(views: Iterable[tuple[View, Sequence[str]]], days: Sequence[int]) -> dict[int, str]:
    """For each day, a text that changes with the rows that dimensions have about it and the hours around it.

    `days` are counted from 1970. `views`: the dimensions, and the files of each.
    """
    found: dict[int, str] = dict.fromkeys(days, "")
    with duckdb.connect(":memory:") as con:
        IN_FORCE.apply(con)
        spill_apart(con)
        con.execute("CREATE TABLE d AS SELECT unnest($days) AS day", {"days": days})
        for view, files in views:
            for day, digest in con.execute(_digest(view, files)).fetchall() if files else ():
                found[day] += f"{view.name} {digest} "
    return found


def _digest(view: View, files: Sequence[str]) -> str:
    columns = ", ".join(quoted(c.name) for c in view.own_columns if c.name not in _SEEN)
    begin = f"make_timestamp(d.day * {DAY_US} - {REACH_US})"
    end = f"make_timestamp((d.day + 1) * {DAY_US} + {REACH_US})"
    # a row is about many days: it is hashed before it meets them
    return f"""
        WITH t AS (SELECT *, hash(row({columns})) AS digest FROM {read_files(files)})
        SELECT d.day, sum(t.digest)
        FROM d JOIN t ON {_overlaps(view, begin, end)}
        GROUP BY d.day"""
