"""Answers as table, CSV, JSON, Parquet and spreadsheet: values, NULL, NaN, instants, limits, no half files."""

import csv
import io
import json
from pathlib import Path

import duckdb
import openpyxl
import pyarrow.parquet as pq
import pytest
from sql_lake import Lake

from iosq.toolkit.errors import RequestError
from iosq.toolkit.sql.export import FORMATS, export

SQL = (
    "SELECT * FROM (VALUES (1, 'a,\"b\"', 0.5, TIMESTAMP '2026-03-02 09:00:00.25', TRUE), "
    "(2, NULL, 'nan'::DOUBLE, NULL, NULL), (3, '=1+1', 'infinity'::DOUBLE, NULL, FALSE)) AS t(n, text, x, moment, yes) "
    "ORDER BY n"
)


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    return Lake().open(tmp_path_factory.mktemp("lake"))


def written(con: duckdb.DuckDBPyConnection, form: str, sql: str = SQL) -> bytes:
    target = io.BytesIO()
    export(con, sql, form=form, target=target)
    return target.getvalue()


def test_json(con: duckdb.DuckDBPyConnection) -> None:
    rows = json.loads(written(con, "json"), parse_constant=pytest.fail)
    assert rows == [
        {"n": 1, "text": 'a,"b"', "x": 0.5, "moment": "2026-03-02T09:00:00.250000", "yes": True},
        {"n": 2, "text": None, "x": None, "moment": None, "yes": None},
        {"n": 3, "text": "=1+1", "x": None, "moment": None, "yes": False},
    ]


def test_json_of_no_rows_is_an_empty_array(con: duckdb.DuckDBPyConnection) -> None:
    assert json.loads(written(con, "json", "SELECT * FROM device_interval")) == []


def test_json_of_nested_and_odd_types(con: duckdb.DuckDBPyConnection) -> None:
    sql = "SELECT [1, 2] AS l, {'a': DATE '2026-03-02'} AS s, 1.50::DECIMAL(9,2) AS d, 'x'::BLOB AS b"
    (row,) = json.loads(written(con, "json", sql))
    assert (row["l"], row["s"], row["d"]) == ([1, 2], {"a": "2026-03-02"}, 1.5)


def test_sums_of_whole_numbers_are_numbers(con: duckdb.DuckDBPyConnection) -> None:
    sql = "SELECT sum(n) AS whole, sum(n * 0.5) AS half FROM (VALUES (1::BIGINT), (2)) AS t(n)"
    assert json.loads(written(con, "json", sql)) == [{"whole": 3, "half": 1.5}]
    sheet = openpyxl.load_workbook(io.BytesIO(written(con, "xlsx", sql))).active
    assert [cell.value for cell in sheet[2]] == [3, 1.5]


def test_nested_values_are_json_in_csv(con: duckdb.DuckDBPyConnection) -> None:
    rows = list(csv.reader(io.StringIO(written(con, "csv", "SELECT {'a': 'x'} AS s, [TRUE] AS l").decode())))
    assert rows[1] == ['{"a": "x"}', "[true]"]


def test_what_a_form_cannot_hold(con: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(RequestError, match="CAST"):
        written(con, "parquet", "SELECT INTERVAL 1 DAY AS i")
    sheet = openpyxl.load_workbook(io.BytesIO(written(con, "xlsx", "SELECT DATE '1850-01-01' AS d"))).active
    assert sheet["A2"].value == "1850-01-01"


def test_csv(con: duckdb.DuckDBPyConnection) -> None:
    rows = list(csv.reader(io.StringIO(written(con, "csv").decode())))
    assert rows[0] == ["n", "text", "x", "moment", "yes"]
    assert rows[1] == ["1", 'a,"b"', "0.5", "2026-03-02T09:00:00.250000", "true"]
    assert rows[2] == ["2", "", "", "", ""]


def test_parquet_keeps_types(con: duckdb.DuckDBPyConnection) -> None:
    table = pq.read_table(io.BytesIO(written(con, "parquet")))
    assert [str(f.type) for f in table.schema] == ["int32", "string", "double", "timestamp[us]", "bool"]
    assert table.column("text").to_pylist() == ['a,"b"', None, "=1+1"]


def test_parquet_of_no_rows(con: duckdb.DuckDBPyConnection) -> None:
    table = pq.read_table(io.BytesIO(written(con, "parquet", "SELECT * FROM device_interval")))
    assert (table.num_rows, table.num_columns > 20) == (0, True)


def test_sheet(con: duckdb.DuckDBPyConnection) -> None:
    sheet = openpyxl.load_workbook(io.BytesIO(written(con, "xlsx"))).active
    rows = [[c.value for c in row] for row in sheet.iter_rows()]
    assert rows[0] == ["n", "text", "x", "moment", "yes"]
    assert rows[1][:3] == [1, 'a,"b"', 0.5]
    assert rows[1][3].isoformat(timespec="milliseconds") == "2026-03-02T09:00:00.250"
    assert rows[2] == [2, None, None, None, None]
    assert sheet["B4"].data_type == "s", "text that looks like a formula stays text"


def test_sheet_limit(con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib

    monkeypatch.setattr(importlib.import_module("iosq.toolkit.show.book"), "ROWS", 3)
    export(con, "SELECT * FROM range(3)", form="xlsx", target=tmp_path / "three.xlsx")
    with pytest.raises(RequestError, match="rows do not fit"):
        export(con, "SELECT * FROM range(4)", form="xlsx", target=tmp_path / "four.xlsx")
    assert [p.name for p in tmp_path.iterdir()] == ["three.xlsx"]


def test_table_shows_every_column_when_piped(con: duckdb.DuckDBPyConnection) -> None:
    text = written(con, "table", "SELECT * FROM lake_dictionary WHERE \"table\" = 'device_interval' LIMIT 3").decode()
    lines = text.splitlines()
    assert len(lines) == 4
    assert lines[0].split()[:3] == ["table", "layer", "column"]
    assert "confidence" in lines[0]
    assert "\x1b" not in text


@pytest.mark.parametrize("form", FORMATS)
def test_file_and_stream_agree(con: duckdb.DuckDBPyConnection, tmp_path: Path, form: str) -> None:
    path = tmp_path / "out"
    export(con, "SELECT 1 AS a", form=form, target=path)
    assert path.read_bytes()[:20] == written(con, form, "SELECT 1 AS a")[:20]
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_refused_query_makes_no_file(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    with pytest.raises(RequestError):
        export(con, "DROP VIEW device_interval", form="csv", target=tmp_path / "x.csv")
    assert list(tmp_path.iterdir()) == []


def test_failure_half_way_keeps_the_old_file(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("old")
    failing = "SELECT CASE WHEN i = 250000 THEN error('stop') ELSE i::VARCHAR END AS v FROM range(300000) AS t(i)"
    with pytest.raises(RequestError, match="stop"):
        export(con, failing, form="csv", target=path)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["x.csv"]


def test_bad_place_and_bad_format_are_reported(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="can't be written"):
        export(con, "SELECT 1", form="csv", target=tmp_path / "none" / "x.csv")
    with pytest.raises(RequestError, match="choose from table, csv"):
        export(con, "SELECT 1", form="html")
