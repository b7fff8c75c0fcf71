"""Values that no machine measures never leave a view, whatever a damaged record or listing says."""

from __future__ import annotations

import csv
from pathlib import Path

import duckdb
import pytest

from iosq.toolkit.sql.catalog import ViewColumn, views
from iosq.toolkit.sql.possible import believed, most

RATE = ViewColumn("io_rate", "DOUBLE", "per second", "")
SHARE = ViewColumn("read_ratio", "DOUBLE", "ratio 0..1", "")
OFFSET = ViewColumn("utc_offset_s", "INTEGER", "s", "")


def shown(column: ViewColumn, value: str) -> object:
    return duckdb.sql(f"SELECT {believed(column)} FROM (SELECT {value} AS {column.name})").fetchall()[0][0]


@pytest.mark.parametrize(
    ("column", "value", "expected"),
    [
        (RATE, "12.5e0", 12.5), (RATE, "0e0", 0), (RATE, "-1e-70", None), (RATE, "1e60", None),
        (RATE, "'NaN'::DOUBLE", None), (RATE, "'inf'::DOUBLE", None), (RATE, "NULL::DOUBLE", None),
        (SHARE, "-3.5e-70", None), (SHARE, "1.0e0", 1.0), (SHARE, "1.005e0", 1.005), (SHARE, "1.4e0", None),
        (OFFSET, "-18000", -18000),
    ],
)  # fmt: skip
def test_a_value_is_shown_if_its_unit_allows_it(column: ViewColumn, value: str, expected: object) -> None:
    assert shown(column, value) == expected


def test_every_fraction_that_a_merged_view_shows_has_a_range() -> None:
    units = {c.unit for v in views() if v.merged for c in v.columns if c.type == "DOUBLE"}
    assert units <= most().keys()
    assert all(float(high) > 0 for high in most().values())


def test_every_range_has_a_reason() -> None:
    file = Path(__file__).parents[3] / "toolkit" / "sql" / "possible.csv"
    with file.open(encoding="utf-8", newline="") as rows:
        assert all(row["reason"] for row in csv.DictReader(rows))
