"""Every column an analyst looks for, beyond the basic ones: promised, explained, tested, shown, and in the sample.

One row of `measured_columns.csv` is one column: `field` is the record's field it is made of (empty where it is made of
other columns), `known_answer` the test with a record made by hand, `table` the report's table (empty where the row of
the volume shows it).
"""

import csv
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest
from report_page import Page

from iosq.parsers.registry import tables as raw_tables
from iosq.toolkit.report.table import tables
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.dictionary import view_entries
from iosq.toolkit.sql.possible import range_of

HERE = Path(__file__)
Row = dict[str, str]
with HERE.with_name("measured_columns.csv").open(encoding="utf-8", newline="") as _file:
    ROWS: list[Row] = list(csv.DictReader(_file))
VIEWS = {v.name: v for v in views()}
FIELDS = {c.name for t in raw_tables().values() for c in t.columns}
BY_COLUMN = pytest.mark.parametrize("row", ROWS, ids=lambda r: f"{r['view']}.{r['column']}")


def test_no_part_of_the_list_was_lost() -> None:
    parts = {"zHyperLink", "state", "queuing", "ranks", "extent pools", "links", "director ports", "data sets",
             "remote copy", "channels", "processors", "service classes"}  # fmt: skip
    assert {r["what"] for r in ROWS} == parts
    assert len({(r["view"], r["column"]) for r in ROWS}) == len(ROWS) > 110


@BY_COLUMN
def test_it_is_promised_and_explained(row: Row) -> None:
    view = VIEWS[row["view"]]
    entry = next(e for e in view_entries(view) if e.column == row["column"])
    assert view.layer == "promised"
    assert entry.meaning
    assert entry.formula
    # sums and means over systems or addresses name the column they are made of, which has its own confidence
    assert entry.confidence or row["view"] in ("volume_interval", "shared_volume_interval", "lcu_interval")
    if row["field"]:
        assert row["field"] in FIELDS
        assert row["field"] in entry.formula or not view.merged


@BY_COLUMN
def test_its_value_is_known_of_a_record_made_by_hand(row: Row) -> None:
    text = (HERE.parents[1] / "sql" / row["known_answer"]).read_text("utf-8")
    # records are made with short names, as DVS1 for R745DVS1
    assert (row["field"].removeprefix("R745") or row["column"]) in text
    assert row["view"] in text


@BY_COLUMN
def test_the_report_shows_it(row: Row) -> None:
    shown = {t.name: t.sql for t in tables()}
    near = {r["table"] for r in ROWS if r["column"] == row["column"] and r["table"]}
    assert near, "no table shows this column of any view"
    if row["table"]:
        assert row["view"] in shown[row["table"]]
        assert row["column"] in shown[row["table"]]


@cache
def _extents(con: duckdb.DuckDBPyConnection, view: str) -> dict[str, tuple[Any, Any]]:
    """The least and the greatest value of each of these columns of a view."""
    names = [r["column"] for r in ROWS if r["view"] == view]
    both = ", ".join(f"min({name}), max({name})" for name in names)
    values = con.execute(f"SELECT {both} FROM {view}").fetchall()[0]
    return dict(zip(names, zip(values[::2], values[1::2], strict=True), strict=True))


@BY_COLUMN
def test_the_sample_has_plausible_values(page: Page, row: Row) -> None:
    name, view = row["column"], row["view"]
    least, most = _extents(page.con, view)[name]
    assert least is not None
    allowed = range_of(next(c for c in VIEWS[view].columns if c.name == name))
    if not allowed:
        return
    assert float(allowed.least) <= least <= most <= float(allowed.most)
    assert most > 0, "no sample row says anything else than 0"


def test_service_classes_of_the_sample_do_the_ios_of_its_devices(page: Page) -> None:
    done = "SELECT system, interval_start, sum({0}) FROM {1} GROUP BY system, interval_start ORDER BY ALL"
    classes = page.con.execute(done.format("disk_io_rate", "service_class_interval")).fetchall()
    devices = page.con.execute(done.format("io_rate", "lcu_interval")).fetchall()
    assert len(classes) > 20
    assert classes == [(system, start, pytest.approx(rate)) for system, start, rate in devices]
    missed = "SELECT DISTINCT service_class FROM service_class_interval WHERE performance_index > 2"
    assert page.con.execute(missed).fetchall() == [("STCHI",)], "that of the planted hot volume"
