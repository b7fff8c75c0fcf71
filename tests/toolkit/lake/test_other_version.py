"""Lakes whose manifest names another version of the format, or none."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import iosq
from iosq.toolkit.errors import LakeError
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake

SAMPLES = Path(__file__).parents[3] / "sample-data" / "smf"


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    made = Lake(tmp_path / "lake")
    ingest(made, [SAMPLES / "tapelib.bdw.smf"])
    return made


def test_a_lake_of_a_later_version_is_refused(lake: Lake) -> None:
    with closing(sqlite3.connect(lake.path / "manifest.sqlite")) as db, db:
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
