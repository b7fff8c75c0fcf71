"""View files: what a wrong header or a wrong SELECT is reported, with the file's name; order; raw views."""

from pathlib import Path

import duckdb
import pytest
from sql_lake import Lake, all_rows, all_tables, one

from iosq.toolkit.errors import LakeError
from iosq.toolkit.sql.catalog import load, needed, views
from iosq.toolkit.sql.connect import connect, create_views
from iosq.toolkit.sql.guard import query
from tests.settle import settled

HEAD = "-- title: Title\n-- grain: one row\n"
COLUMN = "-- column a INTEGER []: meaning = formula\n"


def folder(tmp_path: Path, **files: str) -> Path:
    for name, text in files.items():
        path = tmp_path / name.replace("__", "/")
        path.parent.mkdir(exist_ok=True)
        path.with_suffix(".sql").write_text(text)
    return tmp_path


def make(tmp_path: Path, **files: str) -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    create_views(con, load(folder(tmp_path, **files)))
    return con


@pytest.mark.parametrize(
    ("sql", "complaint"),
    [
        ("SELECT CAST(1 AS BIGINT) AS a", "one.sql: the header promises a INTEGER, the SQL gives a BIGINT"),
        ("SELECT 1 AS b", "one.sql: the view can't be made: .*a"),
        ("SELECT nothing AS a", "one.sql: the view can't be made: .*nothing"),
    ],
)
def test_a_view_that_breaks_its_header_is_named(tmp_path: Path, sql: str, complaint: str) -> None:
    with pytest.raises(LakeError, match=complaint):
        make(tmp_path, one=HEAD + COLUMN + sql)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (HEAD + "-- colum a INTEGER []: x\nSELECT 1 AS a", "one.sql: header line 3"),
        (HEAD + "-- columns: a\nSELECT 1 AS a", "one.sql: header line 3: columns.csv does not list 'a'"),
        (HEAD + "-- column a NUMBER []: x\nSELECT 1 AS a", "one.sql: column a has type 'NUMBER'"),
        ("-- layer: derived\nSELECT 1 AS a", "one.sql: the header lacks title, grain"),
    ],
)
def test_a_wrong_header_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(LakeError, match=complaint):
        load(folder(tmp_path, one=text))


def test_views_come_after_what_they_read(tmp_path: Path) -> None:
    first = HEAD + COLUMN + "SELECT a FROM z_last"
    last = HEAD + COLUMN + "SELECT 1 AS a"
    con = make(tmp_path, a_first=first, z_last=last)
    assert one(con, "SELECT * FROM a_first") == {"a": 1}


def test_only_the_views_a_statement_needs(tmp_path: Path) -> None:
    few = needed("SELECT 1 FROM lcu_interval JOIN nothing")
    promised = ["channel_interval", "device_interval", "lcu_interval", "lcu_path_interval"]
    assert sorted(v.name for v in few if v.layer == "promised") == promised
    con = connect(all_tables().values(), {}, {}, root=tmp_path, only=few)
    assert query(con, "SELECT * FROM lcu_interval").num_rows == 0
    assert needed("SHOW TABLES") == views()
    assert needed("SELECT * FROM lake_files WHERE file_id IN (SELECT file_id FROM lake_issues)") == ()
    assert needed("SELECT * FROM lake_files f, some_table") == needed("SELECT * FROM lake_views") == views()


def test_sources_without_rows_do_not_change_answers(tmp_path: Path) -> None:
    lake = Lake()
    lake.control()
    lake.device("2208")
    (lean_root := tmp_path / "lean").mkdir()
    (whole_root := tmp_path / "whole").mkdir()
    lean, whole = lake.open(lean_root), lake.open(whole_root, lean=False)
    merged = [v.name for v in views() if v.merged]  # the others read these
    with settled(lean, merged), settled(whole, merged):
        for name in merged:
            assert query(lean, f"SELECT * FROM {name}").equals(query(whole, f"SELECT * FROM {name}")), name
    plan = "EXPLAIN SELECT * FROM device_interval"
    assert len(str(query(lean, plan).to_pylist())) < len(str(query(whole, plan).to_pylist()))


def test_what_a_folder_says_of_its_rows_holds_for_each_source(tmp_path: Path) -> None:
    feed = "-- source: s\nSELECT 1 AS a"
    (view,) = load(folder(tmp_path, one__one=HEAD + COLUMN + "-- stored: no\n", one__s=feed))
    assert [source.is_stored for source in view.sources] == [False]


def test_circles_are_named(tmp_path: Path) -> None:
    one_, two = (HEAD + COLUMN + f"SELECT a FROM {o}" for o in ("two", "one"))
    with pytest.raises(LakeError, match="circle: one, two"):
        load(folder(tmp_path, one=one_, two=two))


def test_sources_are_brought_to_the_header(tmp_path: Path) -> None:
    head = HEAD + COLUMN + "-- column b VARCHAR []: other\n"
    con = make(
        tmp_path,
        pair__pair=head,
        pair__one="-- source: one\n-- formula a: X (high)\nSELECT CAST(1 AS BIGINT) AS a",
        pair__two="-- source: two\nSELECT 'x' AS b",
    )
    rows = all_rows(con, "SELECT * FROM pair ORDER BY a NULLS LAST")
    assert rows == [{"a": 1, "b": None}, {"a": None, "b": "x"}]


def test_a_source_that_gives_unknown_columns_is_named(tmp_path: Path) -> None:
    source = "-- source: one\nSELECT 1 AS a, 2 AS c"
    with pytest.raises(LakeError, match=r"pair/one\.sql: gives c, which pair\.sql does not list"):
        make(tmp_path, pair__pair=HEAD + COLUMN, pair__one=source)


def test_a_source_may_pass_on_columns_of_a_view_it_reads_and_keep_its_own(tmp_path: Path) -> None:
    read = "WITH device_interval AS (SELECT 1 AS a, 2 AS io_rate)"
    source = f"-- source: one\n{read} SELECT *, 3 AS _own FROM device_interval"
    con = make(tmp_path, pair__pair=HEAD + COLUMN, pair__one=source)
    assert all_rows(con, "SELECT * FROM pair") == [{"a": 1}]


def test_shipped_sources_have_formulas_of_their_views_columns() -> None:
    for view in views():
        assert all(s.name or not s.formulas for s in view.sources)
        assert set().union(*(s.formulas for s in view.sources)) <= {c.name for c in view.columns}


def test_raw_views_have_every_stored_column_and_every_bit(tmp_path: Path) -> None:
    lake = Lake()
    lake.device("2208", SMF74CNF=0x81, SMF74CNX=0x00)
    lake.cache([{"R745DEVN": "2208", "R745DFL4": 0x30}])
    con = lake.open(tmp_path)
    row = one(con, "SELECT * FROM smf74_1_device_data")
    table = all_tables()["smf74_1_device_data"]
    bits = [f"{c.name}_{b.name}" for c in table.columns for b in c.bits]
    assert list(row) == [*table.names, "file_id", *bits]
    assert {n for n in bits if row[n]} == {"SMF74CNF_QLI", "SMF74CNF_STA"}
    assert row["SMF74CLF_RNR"] is None, "a flag the section is too short for"
    assert one(con, "SELECT R745DFL4_DSCS AS s FROM smf74_5_cache_device")["s"] == 3


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(LakeError, match=r"gone\.parquet: the lake changed while it was read"):
        connect(all_tables().values(), {"smf74_1_record": ["gone.parquet"]}, {}, root=tmp_path)


# rows of these are met through another view's interval, or not filtered
WITHOUT_CLOCK = {
    "_back_end_then", "_channel_then", "_check_day", "_copied", "_delayed_write", "_listed", "_noticed", "_pool_member",
    "_subsystem_hour", "_volume_clock", "_volume_day", "_volume_hour", "_volume_in_box", "_volume_peak", "box_clock",
    "cache_alignment", "cache_box_alignment", "cache_record", "cache_user_interval", "device_alignment", "device_cache",
    "lcu_on_device_clock", "lcu_path_on_device_clock", "left_out",
    "shared_alignment", "volume_cache",
}  # fmt: skip


def test_views_by_interval_give_local_time() -> None:
    """Filters are in local time: a view that does not have it would be cut at the wrong hour."""
    names = {v.name: {c.name for c in v.columns} for v in views()}
    blind = {name for name, columns in names.items() if "interval_start" in columns and "utc_offset_s" not in columns}
    assert blind == WITHOUT_CLOCK, "give the view utc_offset_s"
