"""Parts of a statement that are worked out before it: the same answer, each part once. Nothing here needs Spark."""

from __future__ import annotations

import re

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.toolkit.spark.steps import in_steps, parts
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.questions import shipped


def kept(sql: str) -> tuple[str, list[str]]:
    """The statement in steps, and what was asked to be kept as kept_0, kept_1, …"""
    asked: list[str] = []

    def keep(body: str) -> str:
        asked.append(body)
        return f"kept_{len(asked) - 1}"

    return in_steps(sql, keep), asked


def test_a_part_named_twice_is_kept_and_one_named_once_is_not() -> None:
    text, asked = kept("WITH a AS (SELECT 1 AS x), b AS (SELECT * FROM a) SELECT * FROM b JOIN b AS c ON c.x = b.x")
    assert asked == ["WITH a AS (SELECT 1 AS x) SELECT * FROM (SELECT * FROM a)"]
    assert text == ("WITH a AS (SELECT 1 AS x), b AS (SELECT * FROM kept_0) SELECT * FROM b JOIN b AS c ON c.x = b.x")


def test_a_later_part_reads_what_was_kept_before() -> None:
    sql = (
        "WITH a AS (SELECT 1 AS x), b AS (SELECT * FROM a UNION SELECT * FROM a) SELECT * FROM b UNION SELECT * FROM b"
    )
    assert kept(sql)[1][1].startswith("WITH a AS (SELECT * FROM kept_0) SELECT * FROM (SELECT * FROM a UNION")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 'WITH a AS (SELECT 1) FROM a FROM a'",
        "-- WITH a AS (SELECT 1) FROM a FROM a\nSELECT 1",
        'SELECT "WITH", x AS (1) FROM t',
        "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FROM a JOIN a",
        "WITH a AS (SELECT ')' AS x, /* ( */ 1 AS y) SELECT * FROM a",
        "WITH a AS (SELECT 1 FROM b JOIN b",
    ],
)
def test_what_names_no_part_twice_stays(sql: str) -> None:
    assert kept(sql) == (sql, [])


def test_each_source_of_a_union_has_parts_of_its_own() -> None:
    own = "SELECT * FROM (WITH a AS (SELECT {} AS x) SELECT l.x FROM a AS l JOIN a AS r ON l.x = r.x) AS s"
    text, asked = kept(f"{own.format(1)} UNION ALL {own.format(2)}")
    assert asked == ["SELECT 1 AS x", "SELECT 2 AS x"]
    assert re.findall(r"kept_\d", text) == ["kept_0", "kept_1"]


def chain(reads: list[list[int]]) -> str:
    """Part n adds up the parts it reads, which come before it; the answer is all parts."""
    bodies = ["SELECT x FROM given"]
    for number, read in enumerate(reads, 1):
        sources = " UNION ALL ".join(f"SELECT x + {number} AS x FROM part{r % number}" for r in read)
        bodies.append(f"SELECT sum(x) AS x FROM ({sources}) AS s")
    own = ", ".join(f"part{n} AS ({body})" for n, body in enumerate(bodies))
    return f"WITH {own} SELECT x FROM part{len(reads)} UNION ALL SELECT count(*) FROM part0"


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=3), min_size=1, max_size=6))
def test_a_statement_in_steps_has_the_same_answer(reads: list[list[int]]) -> None:
    con = duckdb.connect()
    con.execute("CREATE TABLE given AS SELECT unnest([1, 2, 3]) AS x")
    text, asked = kept(chain(reads))
    for number, body in enumerate(asked):
        con.execute(f"CREATE TABLE kept_{number} AS {body}")
    assert con.execute(text).fetchall() == con.execute(chain(reads)).fetchall()
    assert len(asked) == sum(chain(reads).count(f"FROM part{n}") > 1 for n in range(len(reads) + 1))


def test_every_part_that_ships_is_found() -> None:
    texts = [source.sql for view in views() for source in view.sources] + [q.sql for q in shipped()]
    plain = [sql for sql in texts if sql.startswith("WITH") and len(re.findall(r"\bWITH\b", sql)) == 1]
    for sql in plain:
        assert [p.name for p in parts(sql)] == re.findall(r"^(?:WITH )?(\w+) AS \(", sql, re.MULTILINE)
    assert len(plain) > 40
