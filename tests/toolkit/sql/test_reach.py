"""A filter on system or time reaches the files: what lies outside of it is not read."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from sql_lake import START, Lake, cache_device

LATER = START + dt.timedelta(days=1)
DEVICES, BLOCK = 3000, 2048  # the engine reads a block before it sees that nothing wants any
TIME, SYSTEM = FILTERS = (f"interval_start >= TIMESTAMP '{LATER}'", "system = 'SYSB'")


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    lake = Lake()
    for system, start in (("SYSA", START), ("SYSB", LATER)):
        common = {"system": system, "interval_start": start}
        lake.add("smf74_1_record", record_id=(record := lake.record()), **common)
        lake.control(record=record, **common)
        for number in range(DEVICES):
            lake.device(f"{0x2208 + number:04X}", record=record, SMF74SER=f"PA{number:04}", **common)
        lake.cache([cache_device("2208", DRCR=10, DCRH=5)], common=common)
    made = lake.open(tmp_path_factory.mktemp("lake"))
    yield made
    made.close()


def scans(con: duckdb.DuckDBPyConnection, sql: str, column: str) -> list[str]:
    """The filters of each scan of Parquet files that reads a column."""
    return [str(node["extra_info"].get("Filters", "")) for node in _scanning(con, sql, column)]


def unfiltered_rows(con: duckdb.DuckDBPyConnection, sql: str, column: str, filtered: str) -> list[int]:
    """How many rows each scan of a column gives that has no filter on another."""
    nodes = _scanning(con, sql, column, "ANALYZE, ")
    return [_given(n) for n in nodes if filtered not in str(n["extra_info"].get("Filters", ""))]


def _scanning(con: duckdb.DuckDBPyConnection, sql: str, column: str, how: str = "") -> list[dict[str, Any]]:
    ((_, plan),) = con.execute(f"EXPLAIN ({how}FORMAT json) {sql}").fetchall()
    top = json.loads(plan)
    nodes = top if isinstance(top, list) else top.get("operator", [top])
    return [node for node in _nodes(nodes) if _reads(node, column)]


def _given(node: dict[str, Any]) -> int:
    """Rows that a scan gave, as version 2 of the engine calls them, or as 1 does."""
    return node["intermediate_rows"] if "intermediate_rows" in node else node["operator_cardinality"]


def _nodes(plan: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for node in plan:
        yield node
        yield from _nodes(node.get("children", []))


def _reads(node: dict[str, Any], column: str) -> bool:
    scans = "PARQUET" in node.get("name", node.get("operator_name", ""))
    return scans and column in str(node["extra_info"].get("Projections", ""))


READING = (
    ("SELECT io_rate FROM device_interval", "SMF74NUM"),  # looking for devices told twice included
    ("SELECT io_rate FROM volume_interval", "SMF74SSC"),
    ("SELECT io_rate FROM lcu_interval", "SMF74SSC"),
    ("SELECT read_rate FROM cache_interval", "R745DRCR"),
)
# cache statistics may begin elsewhere than their record: for a time asked about, files of its days are chosen before
ASKING = [
    (*reading, condition) for reading in READING for condition in FILTERS if (reading, condition) != (READING[-1], TIME)
]


@pytest.mark.parametrize(("sql", "column", "condition"), ASKING)
def test_what_lies_outside_is_not_read(con: duckdb.DuckDBPyConnection, sql: str, column: str, condition: str) -> None:
    """Which intervals there are is asked of all, by a few columns; what was measured in them is not."""
    asked, filtered = f"{sql} WHERE {condition}", condition.split()[0]
    assert scans(con, asked, column)
    # intervals of other lengths are looked for only where there are some
    assert all(rows <= BLOCK for rows in unfiltered_rows(con, asked, column, filtered))
