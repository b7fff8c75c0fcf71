"""A lake as Delta tables: the same rows, each once, whatever happens between two exports."""

import sys
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds
import pytest
from deltalake import DeltaTable
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lake_fakes import EVENT, ODD, FakeReader, Fakes, text

from iosq.toolkit.delta import Exported, export
from iosq.toolkit.delta.table import ANEW, Table
from iosq.toolkit.errors import LakeError, RequestError
from iosq.toolkit.lake import compact
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake, Stored

TABLES = (EVENT, ODD)
SAMPLE = Path(__file__).parents[3] / "sample-data" / "smf" / "tapelib.bdw.smf"


def filled(folder: Path, *seeds: int, lines: int = 60) -> Lake:
    """A lake with one more input for each seed."""
    lake = Lake(folder)
    for seed in seeds:
        source = folder.parent / f"{seed}.fake"
        source.write_text(text(lines, seed))
        ingest(lake, [source], recognise=Fakes())
    return lake


def exported(lake: Lake, target: Path) -> dict[str, Exported]:
    return {e.table: e for e in export(lake, target, tables=TABLES)}


def ordered(rows: pa.Table) -> list[tuple[object, ...]]:
    return sorted((tuple(row.values()) for row in rows.to_pylist()), key=repr)


def in_lake(lake: Lake) -> dict[str, list[tuple[object, ...]]]:
    """All rows of raw tables with the file id in front, read by DuckDB."""
    con = duckdb.connect()
    return {
        name: ordered(con.read_parquet([str(p) for p in files]).to_arrow_table())
        for name, files in lake.parts().items()
    }


def in_delta(target: Path, names: tuple[str, ...] = (EVENT.name, ODD.name)) -> dict[str, list[tuple[object, ...]]]:
    """All rows of Delta tables, read by DuckDB through Arrow."""
    found = {}
    for name in names:
        if DeltaTable.is_deltatable(str(target / name)):
            rows = DeltaTable(target / name).to_pyarrow_dataset()
            found[name] = ordered(duckdb.from_arrow(rows).to_arrow_table())
    return found


def versions(target: Path) -> dict[str, int]:
    return {p.name: DeltaTable(p).version() for p in sorted(target.iterdir())}


def reader(stored: Stored, columns: pa.Schema) -> pa.RecordBatchReader:
    return ds.dataset([str(p) for p in stored.files], schema=columns).scanner().to_reader()


def test_duckdb_reads_the_rows_of_the_lake_back(tmp_path: Path) -> None:
    lake = filled(tmp_path / "lake", 1, 2)
    done = exported(lake, tmp_path / "delta")
    assert in_delta(tmp_path / "delta") == in_lake(lake)
    assert done[EVENT.name].rows == len(in_lake(lake)[EVENT.name]) > 90
    for name, rows in lake.about().items():
        assert ordered(DeltaTable(tmp_path / "delta" / name).to_pyarrow_table()) == ordered(rows)


def test_a_second_export_writes_nothing_and_a_third_only_what_is_new(tmp_path: Path) -> None:
    lake, target = filled(tmp_path / "lake", 1), tmp_path / "delta"
    exported(lake, target)
    before = versions(target)
    assert not any(e.changed for e in exported(lake, target).values())
    assert versions(target) == before
    filled(tmp_path / "lake", 2)
    done = exported(lake, target)
    assert in_delta(target) == in_lake(lake)
    assert versions(target) == {name: version + 1 for name, version in before.items()}
    new = {row[0] for row in in_lake(lake)[EVENT.name]} - set(
        DeltaTable(target / EVENT.name, version=0).to_pyarrow_table()["file_id"].to_pylist()
    )
    assert (set(done[EVENT.name].parts), done[EVENT.name].gone) == (new, ())
    assert done[EVENT.name].rows == sum(row[0] in new for row in in_lake(lake)[EVENT.name])


def test_inputs_that_the_lake_has_no_more_are_taken_away(tmp_path: Path) -> None:
    target = tmp_path / "delta"
    exported(filled(tmp_path / "lake", 1, 2), target)
    other = filled(tmp_path / "other", 2, 3)
    done = exported(other, target)
    assert in_delta(target) == in_lake(other)
    assert len(done[EVENT.name].gone) == len(done[EVENT.name].parts) == 1


def test_an_input_that_was_read_again_takes_the_place_of_its_rows(tmp_path: Path) -> None:
    """A repair, or a later version, gives other rows of the same bytes."""
    target = tmp_path / "delta"
    exported(filled(tmp_path / "lake", 1, 2), target)
    again = Lake(tmp_path / "again")
    for seed in (1, 2):
        reader = Fakes() if seed == 1 else Fakes(Fewer())
        ingest(again, [tmp_path / f"{seed}.fake"], recognise=reader)
    done = exported(again, target)
    assert in_delta(target) == in_lake(again)
    assert len(done[EVENT.name].parts) == 1
    assert done[EVENT.name].parts == done[EVENT.name].gone


class Fewer(FakeReader):
    """A reader that passes over the first record of each piece."""

    def _chunk(self, lines, number, balance, context):
        yield from super()._chunk([b"# passed over\n", *lines[1:]], number, balance, context)


@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sets(st.integers(1, 3)), min_size=2, max_size=3))
def test_delta_is_the_lake_whatever_lakes_came_before(
    tmp_path_factory: pytest.TempPathFactory, history: list[set[int]]
) -> None:
    folder = tmp_path_factory.mktemp("history")
    for number, seeds in enumerate(history):
        lake = Lake(folder / f"lake{number}")
        lake.create()
        filled(lake.path, *sorted(seeds), lines=8)
        exported(lake, folder / "delta")
        held = {name: rows for name, rows in in_delta(folder / "delta").items() if rows}
        assert held == in_lake(lake)


def test_of_two_exports_at_once_one_is_refused_and_no_row_is_there_twice(tmp_path: Path) -> None:
    lake, target = filled(tmp_path / "lake", 1), tmp_path / "delta"
    exported(lake, target)
    filled(tmp_path / "lake", 2)
    (file_id, stored), *_ = lake.state().tables[EVENT.name].items()
    place, schema = str(target / EVENT.name), pa.schema(DeltaTable(target / EVENT.name).schema().to_arrow())
    slow = Table(place, EVENT.title, schema)
    exported(lake, target)
    with pytest.raises(LakeError, match="export again"):
        slow.bring(reader(stored, slow.schema), {file_id: stored.digest}, ())
    assert in_delta(target) == in_lake(lake)


def test_an_export_that_dies_half_way_is_finished_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lake, target = filled(tmp_path / "lake", 1), tmp_path / "delta"
    with monkeypatch.context() as patch:
        patch.setattr(Table, "replace", _die)
        with pytest.raises(KeyboardInterrupt):
            exported(lake, target)
    lake = filled(tmp_path / "other", 2)  # and the input that was half exported is gone
    exported(lake, target)
    assert in_delta(target) == in_lake(lake)


def _die(*_: object) -> None:
    raise KeyboardInterrupt


def test_columns_carry_their_meaning_and_unit(tmp_path: Path) -> None:
    lake = Lake(tmp_path / "lake")
    ingest(lake, [SAMPLE])
    export(lake, tmp_path / "delta")
    fields = {f.name: f.metadata for f in DeltaTable(tmp_path / "delta" / "smf94_1_self_description").schema().fields}
    assert fields["interval_start"]["comment"].endswith("[UTC]")
    table = DeltaTable(tmp_path / "delta" / "lake_files")
    assert table.metadata().description == "Inputs that were read: one row per input"
    assert {f.name: f.metadata for f in table.schema().fields}["bytes"]["comment"].endswith("[bytes]")


def test_a_table_that_has_grown_a_column_takes_rows_with_it(tmp_path: Path) -> None:
    lake, target = filled(tmp_path / "lake", 1, 2), tmp_path / "delta"
    place = str(target / EVENT.name)
    full = pa.schema([("file_id", pa.string()), ("system", pa.string()), ("value", pa.int64()), ("later", pa.int64())])
    for columns, (file_id, stored) in zip((full.remove(3), full), lake.state().tables[EVENT.name].items(), strict=True):
        Table(place, "", columns).bring(reader(stored, columns), {file_id: stored.digest}, ())
    assert DeltaTable(place).to_pyarrow_table().column_names == full.names
    assert DeltaTable(place).to_pyarrow_table()["later"].null_count == len(in_lake(lake)[EVENT.name])


@pytest.mark.parametrize("inside", ["lake", "lake/fake_event", "lake/new"])
def test_a_lake_is_no_place_for_tables(tmp_path: Path, inside: str) -> None:
    lake = filled(tmp_path / "lake", 1)
    with pytest.raises(RequestError, match="is a lake or lies in one; name another folder"):
        exported(lake, tmp_path / inside)


def test_a_file_is_no_place_for_tables(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RequestError, match="is a file, not a folder"):
        exported(filled(tmp_path / "lake", 1), tmp_path / "file")


def test_a_table_of_other_columns_is_refused_in_one_line(tmp_path: Path) -> None:
    lake = filled(tmp_path / "lake", 1)
    place = str(tmp_path / "delta" / EVENT.name)
    other = pa.schema([("file_id", pa.string()), ("system", pa.string()), ("value", pa.string())])
    Table(place, "", other).replace(pa.table({"file_id": ["a"], "system": ["b"], "value": ["c"]}))
    with pytest.raises(LakeError, match=r"value is string, that of the lake int64; export into a new folder$") as known:
        exported(lake, tmp_path / "delta")
    assert known.value.place == place


def test_a_table_of_others_is_refused_in_one_line(tmp_path: Path) -> None:
    lake, place = filled(tmp_path / "lake", 1), str(tmp_path / "delta" / EVENT.name)
    Table(place, "", pa.schema([("x", pa.int64())])).replace(pa.table({"x": [1]}))
    with pytest.raises(LakeError) as known:
        exported(lake, tmp_path / "delta")
    assert str(known.value) == f"{place}: is no table that iosq wrote: it has no column file_id; {ANEW}"


@pytest.mark.parametrize("damage", ["cut log", "no log", "no data"])
def test_a_damaged_table_is_refused_in_one_line(tmp_path: Path, damage: str) -> None:
    lake, target = filled(tmp_path / "lake", 1), tmp_path / "delta"
    exported(lake, target)
    folder = target / EVENT.name
    if damage == "no data":
        next(folder.glob("*.parquet")).unlink()
    else:
        next((folder / "_delta_log").iterdir()).write_text("{" if damage == "cut log" else "")
    with pytest.raises(LakeError, match=f"can't be read or written as a Delta table .*; {ANEW}$") as known:
        exported(lake, target)
    assert known.value.place == str(folder)
    assert "\n" not in str(known.value)


def test_an_address_is_written_to_as_it_is(tmp_path: Path) -> None:
    lake = filled(tmp_path / "lake", 1)
    export(lake, (tmp_path / "delta").as_uri() + "/", tables=TABLES)
    assert in_delta(tmp_path / "delta") == in_lake(lake)


def test_without_the_package_one_line_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lake = filled(tmp_path / "lake", 1)
    for name in [m for m in sys.modules if m.split(".")[0] == "deltalake"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "deltalake", None)
    with pytest.raises(RequestError, match=r"not installed; pip install 'iosq\[delta\]'"):
        exported(lake, tmp_path / "delta")


def test_files_of_several_inputs_are_exported_by_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `iosq compact` merged, and one of them that is written anew."""
    monkeypatch.setattr(compact, "tables", lambda: {t.name: t for t in TABLES})
    lake, target = filled(tmp_path / "lake", 1, 2), tmp_path / "delta"
    compact.compact(lake.path)
    before = in_lake(lake)
    exported(lake, target)
    assert in_delta(target) == before
    compact.separate(lake.path, lake.about()["lake_files"]["file_id"][0].as_py())
    exported(lake, target)
    assert in_delta(target) == in_lake(lake) == before


@pytest.mark.parametrize("name", ["=cmd|x", "a[1]", "a^b", "a%20b", "a\x1b[31m", "a\nb", "x\udcff"])
def test_a_folder_that_the_package_takes_for_another_place_is_refused_in_one_line(tmp_path: Path, name: str) -> None:
    """It panics at some names, and `%20` is another folder to it."""
    with pytest.raises(RequestError, match="which the deltalake package can't write to; name another") as known:
        exported(filled(tmp_path / "lake", 1), tmp_path / name)
    assert str(known.value).isprintable()
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("name", ["a#b", "a?b", "a b", "a%b", "a:b", "{=~é\u202e"])
def test_any_other_name_of_a_folder_is_written_to(tmp_path: Path, name: str) -> None:
    lake = filled(tmp_path / "lake", 1)
    exported(lake, tmp_path / name)
    assert in_delta(tmp_path / name) == in_lake(lake)
