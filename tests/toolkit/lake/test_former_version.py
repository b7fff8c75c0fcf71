"""A lake that version 1 of the format wrote (kept in `version1/`, from sample-data/smf/tapelib.bdw.smf)."""

from __future__ import annotations

import datetime as dt
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import iosq
from iosq.toolkit.errors import LakeError
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake

KEPT = Path(__file__).parent / "version1" / "lake"
SAMPLES = Path(__file__).parents[3] / "sample-data" / "smf"


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    shutil.copytree(KEPT, tmp_path / "lake")
    return Lake(tmp_path / "lake")


def _version(lake: Lake) -> str:
    with sqlite3.connect(lake.path / "manifest.sqlite") as db:
        return str(db.execute("SELECT value FROM meta WHERE key = 'format_version'").fetchone()[0])


def test_it_is_read_as_it_is(lake: Lake) -> None:
    files = lake.about()["lake_files"].to_pylist()
    assert [f["file_id"] for f in files] == [files[0]["hash"][:16]]
    assert sum(path.exists() for paths in lake.parts().values() for path in paths) == 10
    assert _version(lake) == "1", "reading must not write"


def test_an_ingest_migrates_it_and_knows_its_inputs(lake: Lake) -> None:
    before = lake.about()["lake_files"].to_pylist()
    (outcome,) = ingest(lake, [SAMPLES / "tapelib.bdw.smf"])
    assert outcome.status == "already"
    assert _version(lake) == "3"
    assert lake.about()["lake_files"].to_pylist() == before


def test_new_inputs_stand_next_to_the_old_ones(lake: Lake) -> None:
    (outcome,) = ingest(lake, [SAMPLES / "sysb.smf.gz"])
    assert outcome.status == "stored"
    hashes = {len(f["hash"]) for f in lake.about()["lake_files"].to_pylist()}
    assert hashes == {64, 32}


def test_a_lake_of_a_later_version_is_refused(lake: Lake) -> None:
    with sqlite3.connect(lake.path / "manifest.sqlite") as db:
        db.execute("UPDATE meta SET value = '4'")
    with pytest.raises(LakeError, match="format version 4, this iosq reads 3"):
        lake.parts()
    with pytest.raises(LakeError, match="format version 4"):
        ingest(lake, [SAMPLES / "sysb.smf.gz"])
    before = (lake.path / "manifest.sqlite").read_bytes()
    for mend in (iosq.doctor, iosq.repair, iosq.compact):
        with pytest.raises(LakeError, match="format version 4"):
            mend(lake.path)
    assert (lake.path / "manifest.sqlite").read_bytes() == before, "it is not damaged"


def test_a_later_version_is_not_written_to_though_its_tables_are_others(lake: Lake) -> None:
    with closing(sqlite3.connect(lake.path / "manifest.sqlite")) as db, db:
        db.execute("UPDATE meta SET value = '4'")
        db.execute("ALTER TABLE part RENAME TO piece")
    before = (lake.path / "manifest.sqlite").read_bytes()
    for write in (lake.create, lambda: ingest(lake, [SAMPLES / "tapelib.bdw.smf"]), lake.parts):
        with pytest.raises(LakeError, match="format version 4, this iosq reads 3"):
            write()
    assert (lake.path / "manifest.sqlite").read_bytes() == before


@pytest.mark.parametrize("statement", ["DELETE FROM meta", "UPDATE meta SET value = 'x\ny'"])
def test_a_version_that_is_none_is_damage(lake: Lake, statement: str) -> None:
    with closing(sqlite3.connect(lake.path / "manifest.sqlite")) as db, db:
        db.execute(statement)
    before = (lake.path / "manifest.sqlite").read_bytes()
    for use in (lake.parts, lake.create):
        with pytest.raises(LakeError, match=r"names no format version, but .*; run `iosq doctor --repair`") as raised:
            use()
        assert "\n" not in str(raised.value)
    assert (lake.path / "manifest.sqlite").read_bytes() == before


def test_its_files_can_be_merged_and_its_old_rows_dropped(lake: Lake) -> None:
    rows = {table: sum(pq.read_metadata(p).num_rows for p in paths) for table, paths in lake.parts().items()}
    planned = iosq.prune(lake.path, before=dt.date(2100, 1, 1), dry_run=True)
    merged = iosq.compact(lake.path, dry_run=True)
    assert _version(lake) == "1", "looking must not write"
    assert iosq.compact(lake.path).into == merged.into
    assert {t: sum(pq.read_metadata(p).num_rows for p in paths) for t, paths in lake.parts().items()} == rows
    done = iosq.prune(lake.path, before=dt.date(2100, 1, 1))
    assert (done.rows, done.inputs) == (planned.rows, planned.inputs)
    assert done.rows == sum(rows.values())
    assert lake.about()["lake_files"].num_rows == 0
    assert _version(lake) == "3"
