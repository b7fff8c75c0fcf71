"""Parts of a statement that are computed before it: the same answer, each part once."""

import re
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.parsers.registry import tables
from iosq.toolkit.spark.steps import in_steps, keep, parts, planned
from iosq.toolkit.spark.views import prepare, raw
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


EVERYTHING = """
    SELECT id, CAST(id AS STRING) AS name, id / 7e0 AS rate, id > 1 AS is_large, CAST(NULL AS DOUBLE) AS nothing,
        CAST(id * 1.5 AS DECIMAL(9, 2)) AS share, DATE '2026-03-02' AS day, ARRAY(CAST(id AS STRING), NULL) AS names,
        TIMESTAMP '2026-03-29 02:30:00.000001' AS at, STRUCT(id AS a, 'x' AS b) AS pair
    FROM range(3)"""


@pytest.fixture
def own(spark: Any) -> Any:
    made = spark.newSession()
    prepare(made)
    return made


@pytest.mark.slow
@pytest.mark.parametrize("few_bytes", [1 << 20, 0])
def test_kept_rows_are_the_same_and_stay(own: Any, few_bytes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iosq.toolkit.spark.steps.FEW_BYTES", few_bytes)
    expected = own.sql(EVERYTHING)
    keep(own, expected, "everything")
    found = own.table("everything")
    assert found.schema.simpleString() == expected.schema.simpleString()
    assert found.toArrow().to_pylist() == expected.toArrow().to_pylist()
    keep(own, own.sql("SELECT rand() AS x FROM range(5)"), "chance")
    one, other = (sorted(row.x for row in own.table("chance").collect()) for _ in range(2))
    assert one == other


@pytest.mark.slow
def test_parts_take_parameters_and_leave_no_name(own: Any) -> None:
    sql = "WITH a AS (SELECT id FROM range(9) WHERE id < :most) SELECT * FROM a JOIN a AS b ON b.id = a.id + :step"
    found = planned(own, sql, {"most": 4, "step": 2})
    assert sorted(map(tuple, found.collect())) == [(0, 2), (1, 3)]
    assert not [t.name for t in own.catalog.listTables() if t.name.startswith("part_")]


@pytest.mark.slow
def test_the_planner_sees_that_a_table_has_no_rows(own: Any) -> None:
    table = tables()["smf74_1_device_data"]
    raw(own, table, ())
    assert own.table(table.name).columns[: len(table.columns)] == [c.name for c in table.columns]
    asked = own.sql(f"SELECT count(*) AS n FROM {table.name} JOIN range(3) ON id = record_id GROUP BY record_id")
    assert str(asked._jdf.queryExecution().optimizedPlan()).startswith("LocalRelation <empty>")
