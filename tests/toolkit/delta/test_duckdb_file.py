"""A DuckDB database over a lake: any client gets the rows, comments and dictionary that iosq gives."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import iosq
from iosq.toolkit.delta.views import promised
from iosq.toolkit.sample import write


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("database")
    write(folder / "dumps", intervals=[40, 41], packed=(), names=["hot_volume"], days=4)
    iosq.ingest(folder / "lake", [folder / "dumps"])
    return folder / "lake"


@pytest.fixture(scope="module")
def client(lake: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """What has never heard of iosq."""
    target = lake.with_name("lake.duckdb")
    iosq.export_duckdb(lake, target)
    with duckdb.connect(str(target), read_only=True) as con:
        yield con


def test_every_promised_view_has_the_rows_of_the_lake(lake: Path, client: duckdb.DuckDBPyConnection) -> None:
    for view in promised():
        statement = f"SELECT * FROM {view.name} ORDER BY ALL"
        assert client.execute(statement).to_arrow_table().equals(iosq.open(lake).arrow(statement)), view.name
    assert client.execute("SELECT count(*) > 0 FROM volume_interval").fetchall() == [(True,)]


def test_raw_tables_comments_and_the_dictionary_are_there(lake: Path, client: duckdb.DuckDBPyConnection) -> None:
    for table in ("smf74_1_device_data", "lake_files", "lake_dictionary", "lake_views"):
        statement = f"SELECT count(*) FROM {table}"
        assert client.execute(statement).fetchall() == iosq.open(lake).sql(statement).rows(), table
    comments = "SELECT comment FROM duckdb_columns() WHERE table_name = $1 AND column_name = $2"
    assert client.execute(comments, ["volume_interval", "interval_start"]).fetchone() == (
        "Start of the measured interval [UTC]",
    )


def test_a_former_database_is_replaced_and_stays_where_there_is_no_lake(lake: Path, tmp_path: Path) -> None:
    target = tmp_path / "lake.duckdb"
    target.write_text("a former one")
    with pytest.raises(iosq.LakeError, match="no lake here"):
        iosq.export_duckdb(tmp_path / "none", target)
    assert target.read_text() == "a former one"
    iosq.export_duckdb(lake, target)
    with duckdb.connect(str(target), read_only=True) as con:
        assert con.execute("SELECT count(*) FROM lake_views").fetchall() != [(0,)]
    assert [p.name for p in tmp_path.iterdir()] == ["lake.duckdb"]
