"""What dimensions, which are facts about the whole lake, say about a day: a slice of their rows, and its digest.

A row of a dimension is about the day of its interval, or about the days between `since` and `until`, on which its
subject was seen (`first_seen`, `last_seen`); with none of these columns, about every day.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import duckdb

from iosq.toolkit.sql.catalog import View
from iosq.toolkit.sql.connect import given_by, select, spill_apart
from iosq.toolkit.sql.limits import IN_FORCE
from iosq.toolkit.sql.raw import Span, quoted, read_files
from iosq.toolkit.sql.window import DAY_US

_REACHES = (("interval_start", "interval_start"), ("since", "until"), ("first_seen", "last_seen"))
_SEEN = ("first_seen", "last_seen")  # they change with each day, and no row is made of them


def narrow(con: duckdb.DuckDBPyConnection, view: View, files: Sequence[str], within: Span) -> None:
    """Leave, of a stored view, the rows about a span of time, and those without a time."""
    if files:
        about = f"FROM {read_files(files)} WHERE {_overlaps(view, *(f'make_timestamp({us})' for us in within))}"
        made = select(con, given_by(view, f"(SELECT * {about})"))
        con.execute(f"CREATE OR REPLACE VIEW {quoted(view.name)} AS {made}")


def _overlaps(view: View, begin: str, end: str) -> str:
    known = {c.name for c in view.columns}
    found = [
        f"coalesce({first} <= {end} AND {last} >= {begin}, TRUE)" for first, last in _REACHES if {first, last} <= known
    ]
    return " AND ".join(found) or "TRUE"


def digests(view: View, files: Sequence[str], days: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The days that rows of a dimension are about, and a digest of these rows."""
    if not files:
        return
    columns = ", ".join(quoted(c.name) for c in view.own_columns if c.name not in _SEEN)
    begin, end = (f"make_timestamp((d.day + {days}) * {DAY_US})" for days in (-1, 2))
    sql = f"""
        SELECT d.day, sum(hash(row({columns})))
        FROM (SELECT unnest($days) AS day) d JOIN {read_files(files)} t ON {_overlaps(view, begin, end)}
        GROUP BY d.day"""
    with duckdb.connect(":memory:") as con:
        IN_FORCE.apply(con)
        spill_apart(con)
        yield from con.execute(sql, {"days": days}).fetchall()
