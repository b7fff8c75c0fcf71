"""A row of a dimension counts on the days that it is about, and on no others."""

import datetime as dt
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from iosq.toolkit.sql.catalog import View, ViewColumn
from iosq.toolkit.sql.dimensions import digests, rows_about
from iosq.toolkit.sql.window import DAY_US

FIRST = 20_000
DAYS = [FIRST + n for n in range(9)]
ALWAYS = (dt.datetime(1900, 1, 1), dt.datetime(9999, 1, 1))


def at(day: int) -> dt.datetime:
    """Late in a day, within reach of the next one only."""
    return dt.datetime(1970, 1, 1) + dt.timedelta(days=FIRST + day, hours=22)


def view(*times: str) -> View:
    columns = (ViewColumn("box", "VARCHAR", "", ""), *(ViewColumn(name, "TIMESTAMP", "", "") for name in times))
    return View("dimension", "derived", "", "one row per box", columns, (), (), "dimension.sql")


def stored(folder: Path, of: View, *rows: tuple[Any, ...]) -> list[str]:
    names = [c.name for c in of.columns]
    pq.write_table(pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows]), folder / "rows.parquet")
    return [str(folder / "rows.parquet")]


ONE_MORE = {
    "of an interval": (("interval_start",), (at(4),), {4, 5}),
    "of a stay": (("since", "until"), (at(2), at(4)), {2, 3, 4, 5}),
    "of what was seen": (("since", "until", "first_seen", "last_seen"), (*ALWAYS, at(6), at(7)), {6, 7, 8}),
    "without a time": ((), (), set(range(9))),
}


@pytest.mark.parametrize("row", ONE_MORE)
def test_a_further_row_changes_the_days_that_it_is_about(tmp_path: Path, row: str) -> None:
    """And those within reach, as intervals cross midnight."""
    names, times, expected = ONE_MORE[row]
    of = view(*names)
    always = tuple(None for _ in names)
    before = digests([(of, stored(tmp_path, of, ("A", *always)))], DAYS)
    after = digests([(of, stored(tmp_path, of, ("A", *always), ("B", *times)))], DAYS)
    assert {day - FIRST for day in DAYS if before[day] != after[day]} == expected


def test_a_later_sight_of_what_is_known_changes_the_days_between_only(tmp_path: Path) -> None:
    of = view("since", "until", "first_seen", "last_seen")
    before = digests([(of, stored(tmp_path, of, ("A", *ALWAYS, at(1), at(3))))], DAYS)
    after = digests([(of, stored(tmp_path, of, ("A", *ALWAYS, at(1), at(4))))], DAYS)
    assert {day - FIRST for day in DAYS if before.get(day) != after.get(day)} == {5}


def test_rows_about_other_times_are_left_out(tmp_path: Path) -> None:
    of = view("since", "until", "first_seen", "last_seen")
    rows = [(box, *ALWAYS, at(seen), at(seen)) for box, seen in (("A", 1), ("B", 4), ("C", 7))]
    with duckdb.connect() as con:
        about = rows_about(of, stored(tmp_path, of, *rows), ((FIRST + 4) * DAY_US, (FIRST + 5) * DAY_US))
        assert con.execute(f"SELECT box FROM {about}").fetchall() == [("B",)]
