"""Charts and tables of rows that lack some numbers, as damaged records leave them: what is there is still shown."""

from collections.abc import Iterator

import duckdb
import pytest
from report_page import Page

from iosq.toolkit.report.chart import Chart, charts, rows_of
from iosq.toolkit.report.quality import absent
from iosq.toolkit.report.table import Table, fill, tables
from iosq.toolkit.sql.catalog import View, views
from iosq.toolkit.sql.connect import SHIMS
from tests.length import tried

ABOUT = ("lake_files", "lake_issues")
WHO = ("system", "subsystem", "box")


@pytest.fixture(scope="module", params=tried(range(2), range(4)))
def lacking(request: pytest.FixtureRequest, page: Page) -> Iterator[duckdb.DuckDBPyConnection]:
    """The sample lake; a number is lost in all rows of some systems or boxes, or in all, or a length is 0."""
    con, seed = duckdb.connect(), request.param
    for shim in SHIMS:
        con.execute(shim)
    for name, sql in [*((v.name, _lossy(v, seed)) for v in views()), *((n, f"FROM {n}") for n in ABOUT)]:
        con.register("arriving", page.con.execute(sql).to_arrow_table())
        con.execute(f"CREATE TABLE {name} AS FROM arriving")
    yield con
    con.close()


def _lossy(view: View, seed: int) -> str:
    known = {c.name for c in view.columns}
    who = "0" if seed % 2 else next((name for name in WHO if name in known), "rowid")
    lost = [
        f"CASE WHEN hash({who}, {n}, {seed}) % 3 > 0 THEN {name}"
        f"{' WHEN hash(rowid) % 2 = 0 THEN 0' if name == 'interval_s' else ''} END AS {name}"
        for n, name in enumerate(c.name for c in view.columns if c.type in ("DOUBLE", "BIGINT"))
    ]
    replaced = f"REPLACE ({', '.join(lost)})" if lost else ""
    return f"SELECT * EXCLUDE (rowid) {replaced} FROM (SELECT *, row_number() OVER () AS rowid FROM {view.name})"


@pytest.mark.parametrize("chart", [c for c in charts() if not c.from_findings], ids=lambda c: c.name)
def test_a_chart_is_drawn_of_what_is_there(lacking: duckdb.DuckDBPyConnection, chart: Chart) -> None:
    if rows := rows_of(lacking, chart):
        assert chart.draw(rows).to_dict()
        assert chart.title(rows)
        assert chart.summary(rows)


PARTS = ("wait_ms", "pend_ms", "disc_ms", "conn_ms")


@pytest.fixture(scope="module", params=PARTS)
def partless(request: pytest.FixtureRequest, page: Page) -> Iterator[tuple[str, duckdb.DuckDBPyConnection]]:
    """The sample lake without one part of the response; service and response stand, as a listing prints them."""
    con = duckdb.connect()
    for shim in SHIMS:
        con.execute(shim)
    rows = page.con.execute(f"SELECT * REPLACE (CAST(NULL AS DOUBLE) AS {request.param}) FROM volume_interval")
    con.register("arriving", rows.to_arrow_table())
    con.execute("CREATE TABLE volume_interval AS FROM arriving")
    (summed,) = (v for v in views() if v.name == "_volume_day")
    con.execute(f"CREATE TABLE {summed.name} AS {summed.sources[0].sql}")
    yield request.param, con
    con.close()


@pytest.mark.parametrize("name", ["response_by_volume", "response_over_time", "rate_response"])
def test_a_part_that_is_unknown_is_a_rest_and_no_zero(
    name: str, partless: tuple[str, duckdb.DuckDBPyConnection], page: Page
) -> None:
    column, con = partless
    chart = next(c for c in charts() if c.name == name)
    part = {"wait_ms": "iosq"}.get(column, column.removesuffix("_ms"))
    rows, before = rows_of(con, chart), rows_of(page.con, chart)
    assert rows and all(r[part] is None for r in rows)
    key = lambda r: str(r.get("t") or r["label"])  # noqa: E731
    known = {key(r): r for r in before}
    for row in (r for r in rows if key(r) in known):
        assert row["unknown"] == pytest.approx(known[key(row)][part], abs=1e-6)
    shown = {"iosq": "IOSQ"}.get(part, part)
    assert f"{shown} 0 %" not in chart.title(rows) and f"% of its response time is {shown}" not in chart.title(rows)
    assert '"unknown"' in chart.draw(rows).to_json()


@pytest.mark.parametrize("table", [t for t in tables() if not t.from_findings], ids=lambda t: t.name)
def test_a_table_is_filled_with_what_is_there(lacking: duckdb.DuckDBPyConnection, table: Table) -> None:
    assert fill(lacking, table).headings is not None


@pytest.mark.parametrize("section", [*charts(), *tables()], ids=lambda s: s.name)
def test_what_a_part_lacks_the_lake_may_have(section: Chart | Table) -> None:
    of_part = absent(section, zvm=False, part=True)
    assert absent(section, zvm=False, part=False) == section.missing
    assert "The lake has no" not in of_part
    assert ("under the system that gathered them" in of_part) == ("cache statistics" in section.missing)
