"""Promised views as Delta tables: the rows that a query of the lake gives, written again only where they changed."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from deltalake import DeltaTable

import iosq
from iosq.toolkit.delta import Exported
from iosq.toolkit.delta.views import ALL, PART, promised
from iosq.toolkit.sample import write

FIRST, THIRD = "2025-11-18", "2025-11-20"


@pytest.fixture(scope="module")
def dumps(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A dump of half an hour of one system, by day."""
    folder = tmp_path_factory.mktemp("dumps")
    for name, quarters in ((FIRST, [40, 41]), (THIRD, [232, 233])):
        write(folder / name, intervals=quarters, packed=(), names=["hot_volume"], days=4)
    return {name: folder / name / "sysa.smf" for name in (FIRST, THIRD)}


@pytest.fixture
def lake(dumps: dict[str, Path], tmp_path: Path) -> Path:
    iosq.ingest(tmp_path / "lake", [dumps[FIRST]])
    return tmp_path / "lake"


def exported(lake: Path) -> dict[str, Exported]:
    return {e.table: e for e in iosq.export_delta(lake, lake.with_name("delta")) if e.is_view}


def views(lake: Path) -> Iterator[tuple[str, pa.Table, pa.Table]]:
    """Each promised view as a query gives it, and as it is read from Delta without iosq."""
    con = duckdb.connect()
    for view in promised():
        delta = DeltaTable(lake.with_name("delta") / view.name).to_pyarrow_dataset()  # noqa: F841  read by name
        found = con.execute(f"SELECT * EXCLUDE ({PART}) FROM delta ORDER BY ALL").to_arrow_table()
        yield view.name, iosq.open(lake).arrow(f"SELECT * FROM {view.name} ORDER BY ALL"), found


def test_every_promised_view_is_a_table_with_the_rows_and_meanings_of_the_lake(lake: Path) -> None:
    done = exported(lake)
    for name, expected, found in views(lake):
        assert found.equals(expected), name
        assert done[name].rows == expected.num_rows
    assert done["volume_interval"].rows > 0
    assert done["pav_candidate"].parts == (ALL,)
    assert done["tape_library_interval"].rows == 0
    table = DeltaTable(lake.with_name("delta") / "volume_interval")
    fields = {f.name: f.metadata for f in table.schema().fields}
    assert fields["interval_start"]["comment"].endswith("[UTC]")
    assert "one row per platform, system, interval_start, volume" in table.metadata().description
    words = DeltaTable(lake.with_name("delta") / "lake_dictionary").to_pyarrow_table().to_pylist()
    assert ("volume_interval", "io_rate") in {(w["table"], w["column"]) for w in words}


def test_only_days_that_changed_are_written_and_those_that_are_gone_are_taken_away(
    lake: Path, dumps: dict[str, Path]
) -> None:
    assert exported(lake)["device_interval"].parts == (FIRST,)
    assert not any(e.changed for e in exported(lake).values())
    iosq.ingest(lake, [dumps[THIRD]])
    done = exported(lake)
    assert (done["device_interval"].parts, done["device_interval"].gone) == ((THIRD,), ())
    assert done["pav_candidate"].gone == (ALL,)
    for name, expected, found in views(lake):
        assert found.equals(expected), name
    iosq.prune(lake, before=dt.date.fromisoformat(THIRD))
    done = exported(lake)
    assert (done["device_interval"].parts, done["device_interval"].gone) == ((), (FIRST,))
    assert all(found.equals(expected) for _, expected, found in views(lake))
