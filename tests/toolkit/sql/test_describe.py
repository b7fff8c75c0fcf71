"""describe: by view, table, column or vendor field, with or without prefix; the lake's own dictionary."""

import re
from pathlib import Path

import pytest
from sql_lake import FILES, Lake, all_tables

from iosq.toolkit.errors import RequestError
from iosq.toolkit.show.glossary import terms
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.describe import describe
from iosq.toolkit.sql.docs import REST, view_groups
from iosq.toolkit.sql.guard import query

TABLES = tuple(all_tables().values())


@pytest.mark.parametrize("name", ["SMF74SSC", "smf74ssc", "SSC", "ssc"])
def test_vendor_field_by_any_spelling(name: str) -> None:
    found = describe(name, TABLES)
    assert "SMF74SSC" in found.name
    entry = next(e for e in found.entries if e.column == "SMF74SSC")
    assert (entry.table, entry.unit, entry.type) == ("smf74_1_device_data", "count", "BIGINT")
    assert "Start subchannel" in entry.meaning
    assert "device_interval" in found.used_by


def test_cache_field_without_prefix() -> None:
    assert describe("DFWB", TABLES).name == "R745DFWB"
    assert describe("HNAI", TABLES).used_by == ("lcu_extra",)


def test_view() -> None:
    found = describe("Device_Interval", TABLES)
    assert (found.kind, found.name) == ("view", "device_interval")
    assert "volume_interval" in found.used_by
    wait = next(e for e in found.entries if e.column == "wait_ms")
    assert (wait.unit, wait.confidence) == ("milliseconds", "low")
    assert "SMF74QUE / SMF74SAM" in wait.formula
    assert any("HyperPAV" in n or "offline" in n for n in found.notes)


def test_table_lists_bits() -> None:
    found = describe("smf74_1_device_data", TABLES)
    assert found.kind == "table"
    bit = next(e for e in found.entries if e.column == "SMF74CNF_STA")
    assert (bit.type, bit.confidence) == ("BOOLEAN", "high")


def test_view_column_and_qualified_column() -> None:
    everywhere = describe("wait_ms", TABLES)
    assert {e.table for e in everywhere.entries} >= {"device_interval", "volume_interval", "pav_candidate"}
    one = describe("lcu_interval.wait_ms", TABLES)
    assert [e.table for e in one.entries] == ["lcu_interval"]


@pytest.mark.parametrize(
    ("name", "hint"), [("SMF74SSD", "SMF74SS"), ("wait_msec", "wait_ms"), ("zzzzzzz", "lake_dict")]
)
def test_unknown_names(name: str, hint: str) -> None:
    with pytest.raises(RequestError, match=hint):
        describe(name, TABLES)


@pytest.mark.parametrize("name", ["volume_interval", "cpu_interval", "data_quality"])
def test_the_sql_of_a_view_names_every_view_that_it_is_made_of(name: str) -> None:
    reads = {view.name: view.reads & {v.name for v in views()} for view in views()}
    wanted, found = set(), set(reads[name])
    while found - wanted:
        wanted |= found
        found = {below for above in wanted for below in reads[above]} | wanted
    made_of = re.search(r"-- made of (.*); ", describe(name, TABLES).sql)
    assert set(made_of[1].split(", ") if made_of else ()) == wanted


def test_dictionary_has_every_column_there_is(tmp_path: Path) -> None:
    con = Lake().open(tmp_path)
    missing = query(
        con,
        "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal AND table_name NOT LIKE 'lake_%' "
        'EXCEPT SELECT "table", "column" FROM lake_dictionary',
    )
    assert missing.to_pylist() == []
    kinds = 'SELECT data_type FROM duckdb_columns() c JOIN lake_dictionary d ON d."table" = c.table_name '
    wrong = query(con, kinds + "AND d.\"column\" = c.column_name WHERE d.layer <> 'lake' AND d.type <> c.data_type")
    assert wrong.num_rows == 0


def test_lake_gives_about_itself(tmp_path: Path) -> None:
    con = Lake().open(tmp_path)
    assert query(con, "SELECT * FROM lake_files").to_pylist() == FILES.to_pylist()
    assert query(con, "SELECT * FROM lake_issues").num_rows == 0
    listed = query(con, "SELECT name, columns FROM lake_views").to_pylist()
    assert {r["name"]: r["columns"] for r in listed} == {v.name: len(v.columns) for v in views()}


def test_the_lakes_own_tables_are_described_as_they_are(tmp_path: Path) -> None:
    from iosq.toolkit.lake.lake import Lake as LakeOnDisk
    from iosq.toolkit.sql.connect import connect
    from iosq.toolkit.sql.dictionary import lake_tables

    lake = LakeOnDisk(tmp_path / "lake")
    lake.create()
    con = connect((), {}, lake.about(), root=lake.path, only=())
    for name, (title, columns) in lake_tables().items():
        made = con.execute(f"DESCRIBE {name}").fetchall()
        assert [(c.column, c.type) for c in columns] == [(row[0], row[1]) for row in made]
        assert all(c.meaning for c in columns)
        assert describe(name.upper(), ()).title == title


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("disconnect", ["disc (disconnect time)", "disconnect_interval", "disc_ms [milliseconds] in "]),
        ("IOSQ", ["IOSQ (IOS queue time", "Column: wait_ms"]),
        ("HPAV wait", ["alias shortage"]),
    ],
)
def test_a_word_that_is_no_name_is_searched_for(word: str, parts: list[str]) -> None:
    found = describe(word, TABLES)
    assert found.kind == "search"
    assert all(part in found.text for part in parts), found.text


def test_a_search_begins_at_a_word_and_ignores_case() -> None:
    assert describe("PEND", TABLES).text == describe("pend", TABLES).text
    assert "depends" not in describe("pend", TABLES).text


def test_every_column_of_the_glossary_exists() -> None:
    names = {name for view in views() for name in (view.name, *(c.name for c in view.columns))}
    assert {t.columns for t in terms()} - {""} <= names


def test_every_promised_view_is_in_a_group_by_subject() -> None:
    made = view_groups()
    assert set(made) > {REST} and next(iter(made)) == "Start here"
    assert sorted(name for group in made.values() for name in group) == sorted(v.name for v in views() if not v.is_part)
    assert not {v.name for v in views() if v.layer == "promised"} & set(made[REST])
