"""Rows that a session works out once are the rows themselves, near or far."""

from __future__ import annotations

from typing import Any

import pytest

from iosq.parsers.registry import tables
from iosq.toolkit.spark.kept import Keeper, read_often
from iosq.toolkit.spark.views import prepare, raw
from iosq.toolkit.sql.catalog import View, needed, views

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


def read(asked: str) -> list[str]:
    return read_often(asked, needed(asked))


def test_views_that_would_be_planned_again_and_again_are_kept_and_no_others() -> None:
    assert read("SELECT * FROM device_interval") == []
    assert {"volume_interval", "volume_on_box_clock"} <= set(read("SELECT * FROM box_interval"))
    asked = "SELECT * FROM volume_headroom"
    names = [view.name for view in needed(asked)]
    assert sorted(read(asked), key=names.index) == read(asked)
    assert {"volume_interval", "volume_home"} <= set(read(asked)) < set(names)
    assert "volume_headroom" in read(" UNION ".join([asked] * 3))


@pytest.mark.parametrize("view", views(), ids=lambda view: view.name)
def test_what_a_comment_names_is_not_read(view: View) -> None:
    named = f"SELECT * FROM {view.name}"
    assert set(read(f"{named} UNION {named}")) <= {v.name for v in needed(named)}


@pytest.mark.slow
@pytest.mark.parametrize("small", [True, False])
def test_kept_rows_are_the_same_and_stay(own: Any, small: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    keeper = Keeper(own, small, kept=True)
    expected = own.sql(EVERYTHING)
    found = keeper.keep(expected, "everything")
    assert found.schema.simpleString() == expected.schema.simpleString()
    assert found.toArrow().to_pylist() == expected.toArrow().to_pylist()
    monkeypatch.setattr("iosq.toolkit.spark.kept.FEW_BYTES", 0)  # as if there were many
    keeper.keep(own.sql("SELECT rand() AS x FROM range(5)"), "chance")
    one, other = (sorted(row.x for row in own.table("chance").collect()) for _ in range(2))
    assert one == other


@pytest.mark.slow
def test_parts_take_parameters_and_leave_no_name(own: Any) -> None:
    sql = "WITH a AS (SELECT id FROM range(9) WHERE id < :most) SELECT * FROM a JOIN a AS b ON b.id = a.id + :step"
    found = Keeper(own, small=True, kept=True).rows(sql, {"most": 4, "step": 2})
    assert sorted(map(tuple, found.collect())) == [(0, 2), (1, 3)]
    assert not [t.name for t in own.catalog.listTables() if t.name.startswith("part_")]


@pytest.mark.slow
def test_the_planner_sees_that_a_table_has_no_rows(own: Any) -> None:
    table = tables()["smf74_1_device_data"]
    raw(own, table, {})
    assert own.table(table.name).columns[: len(table.columns)] == [c.name for c in table.columns]
    asked = own.sql(f"SELECT count(*) AS n FROM {table.name} JOIN range(3) ON id = record_id GROUP BY record_id")
    assert str(asked._jdf.queryExecution().optimizedPlan()).startswith("LocalRelation <empty>")
