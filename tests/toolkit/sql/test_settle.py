"""Views that are tables for a while: the same rows, planned once, and nothing left of it."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from sql_lake import Lake, all_rows, cache_device

from iosq.narrowing import narrowing
from iosq.toolkit.errors import RequestError
from iosq.toolkit.sql import refusal, settle
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.guard import query
from iosq.toolkit.sql.settle import SETTLED, settled

TABLES = f"SELECT table_name FROM duckdb_tables() WHERE schema_name = '{SETTLED}'"
READ = "SELECT * FROM cache_box_alignment ORDER BY ALL"
TWICE = ["rank_interval", "extent_pool_interval", "cache_box_alignment"]


@pytest.fixture
def con(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> duckdb.DuckDBPyConnection:
    monkeypatch.setattr(settle, "_WORTH", 1000)
    lake = Lake()
    lake.cache([cache_device("1000")])
    lake.device("1000")
    return lake.open(tmp_path, asks="extent_pool_interval")


def planned(con: duckdb.DuckDBPyConnection) -> int:
    return len(str(con.execute("EXPLAIN SELECT * FROM cache_box_alignment").fetchall()))


def test_what_is_read_by_many_is_a_table_for_a_while(con: duckdb.DuckDBPyConnection) -> None:
    rows, size = all_rows(con, READ), planned(con)
    before = con.sql(TABLES).fetchall()
    with settled(con, TWICE):
        assert len(con.sql(TABLES).fetchall()) > len(before)
        assert all_rows(con, READ) == rows
        assert planned(con) < 0.8 * size
    assert con.sql(TABLES).fetchall() == before
    assert (all_rows(con, READ), planned(con)) == (rows, size)


def test_a_large_lake_stays_as_it_is(con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settle, "SMALL_BYTES", 10)
    before = con.sql(TABLES).fetchall()
    with settled(con, TWICE):
        assert con.sql(TABLES).fetchall() == before


def test_a_name_that_is_nowhere_is_looked_for_in_tables(
    con: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every view that might hold it would be planned with all below it: ten seconds to refuse a name."""
    rows, before, kept = all_rows(con, READ), con.sql(TABLES).fetchall(), list[int]()

    def asked(where: duckdb.DuckDBPyConnection, sql: str) -> pa.Table:
        kept.append(len(where.sql(TABLES).fetchall()))
        return query(where, sql)

    monkeypatch.setattr(refusal, "query", asked)
    seen = [v for v in views() if v.name in TWICE]
    with pytest.raises(RequestError, match="no system NOSUCH in the lake"):
        refusal.insist(con, seen, narrowing(system="NOSUCH"), whole="")
    assert len(kept) == len(TWICE) and kept[-1] > len(before)
    assert (con.sql(TABLES).fetchall(), all_rows(con, READ)) == (before, rows)
