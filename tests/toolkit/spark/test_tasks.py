"""What tasks read is what an ingest stores, however many they are. Nothing here needs Spark."""

from __future__ import annotations

import gzip
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from iosq.parsers.smf.reader import READER
from iosq.toolkit.errors import RequestError
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.spark import installed
from iosq.toolkit.spark.places import listed
from iosq.toolkit.spark.tasks import TABLES, plan, read, schema_of

ROOT = Path(__file__).parents[3]
SMF = ROOT / "sample-data" / "smf"
ABOUT = ("lake_files", "lake_records", "lake_issues")


def rows(tables: list[pa.RecordBatch]) -> Counter[str]:
    return Counter(repr(sorted(row.items())) for batch in tables for row in batch.to_pylist())


def read_all(path: Path | str, table: str, split_bytes: int) -> tuple[Counter[str], int]:
    tasks = plan([str(path)], table, split_bytes)
    return rows([batch for task in tasks for batch in read(task, table)]), len(tasks)


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first records of the sample, and the very last ones: with a broken record and damage."""
    path = tmp_path_factory.mktemp("dump") / "sysa.smf"
    data = gzip.decompress((SMF / "sysa.smf.gz").read_bytes())
    path.write_bytes(data[:700_000] + b"damage" * 99 + data[:2000] + data[-300_000:])
    return path


@pytest.fixture(scope="module")
def stored(dump: Path) -> Lake:
    lake = Lake(dump.parent / "lake")
    ingest(lake, [dump])
    return lake


@pytest.mark.parametrize("count", [1, 2, 7])
def test_one_two_or_seven_tasks_give_the_rows_of_the_lake(dump: Path, stored: Lake, count: int) -> None:
    split_bytes = -(-dump.stat().st_size // count)
    parts = stored.parts()
    for table in ("smf74_1_device_data", "smf74_5_record"):
        found, tasks = read_all(dump, table, split_bytes)
        assert found == rows([b for p in parts[table] for b in pq.ParquetFile(p).read().to_batches()])
        assert tasks == count


@pytest.mark.parametrize("table", ABOUT)
def test_issues_and_balance_are_those_of_the_lake(dump: Path, stored: Lake, table: str) -> None:
    found, _ = read_all(dump, table, 1000)
    assert found == rows(stored.about()[table].to_batches())
    assert found


def test_every_kind_of_input_and_package_is_read(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    for path in (SMF / "tapelib.bdw.smf", *sorted((ROOT / "tests" / "broken" / "smf").glob("*"))[:6]):
        shutil.copy(path, source)
    (source / "packed.gz").write_bytes(gzip.compress((source / "tapelib.bdw.smf").read_bytes()[:900]))
    lake = Lake(tmp_path / "lake")
    outcomes = ingest(lake, [source])
    stored_ids = {o.file_id for o in outcomes if o.status == "stored"}
    found = {
        r["file_id"]: r for t in plan([str(source)], "lake_files") for b in read(t, "lake_files") for r in b.to_pylist()
    }
    assert stored_ids <= found.keys()
    assert found[next(o.file_id for o in outcomes if o.path.name == "packed.gz")]["packaging"] == "gzip"


def test_what_can_not_be_read_is_an_issue_and_no_row(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear reader,\n" * 9)
    assert not read_all(tmp_path, "smf74_1_device_data", 1000)[0]
    (task,) = plan([str(tmp_path)], "lake_issues")
    (batch,) = read(task, "lake_issues")
    given = {(row["code"], row["severity"]) for row in batch.to_pylist()}
    assert ("unreadable", "error") in given


def test_tables_are_listed_and_each_can_be_asked_for() -> None:
    listed = [row["name"] for task in plan([], TABLES) for batch in read(task, TABLES) for row in batch.to_pylist()]
    assert set(ABOUT) < set(listed)
    assert {t.name for t in READER.tables()} < set(listed)
    assert schema_of("smf74_1_record").names[-1] == "file_id"


def test_globs_folders_and_files_name_the_same(dump: Path) -> None:
    one = plan([str(dump)], "smf74_1_record")
    assert plan([str(dump.parent / "*.smf")], "smf74_1_record") == one
    assert plan([str(dump.parent / "**" / "sysa.*")], "smf74_1_record") == one


def test_an_address_is_read_as_the_file_it_names(dump: Path, stored: Lake) -> None:
    named = dump.as_uri()
    assert read_all(named, "smf74_1_record", 1000) == (read_all(dump, "smf74_1_record", 1 << 40)[0], 1)
    for table in ABOUT:
        assert read_all(named, table, 1000)[0] == Counter(
            row.replace(str(dump), named) for row in rows(stored.about()[table].to_batches()).elements()
        )


def test_addresses_of_folders_and_globs_name_their_files(tmp_path: Path) -> None:
    for name in ("a/x.smf", "a/b/y.smf", "a/.z.smf", "c/x.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    root = tmp_path.as_uri()
    assert listed(f"{root}/a") == [f"{root}/a/b/y.smf", f"{root}/a/x.smf"]
    assert listed(f"{root}/a/x.smf") == [f"{root}/a/x.smf"]
    assert listed(f"{root}/*/x.*") == [f"{root}/a/x.smf", f"{root}/c/x.txt"]
    for nothing in (f"{root}/no", f"{root}/a/*.gz"):
        with pytest.raises(RequestError, match="there is no such file or folder, and no file fits"):
            listed(nothing)
    with pytest.raises(RequestError, match=r"^ftp://host/x: can't be read: .*; pyarrow reads s3, gs"):
        listed("ftp://host/x")


@pytest.mark.parametrize(
    ("path", "table", "message"),
    [
        ("no/such/file", "smf74_1_record", "no/such/file: there is no such file or folder, and no file fits"),
        (str(SMF), "smf74_9", "option table: there is no table smf74_9; read the table 'tables', which lists them"),
        (str(SMF), "", "option table: no table is named; read the table 'tables', which lists them"),
    ],
)
def test_a_wrong_request_is_one_line(path: str, table: str, message: str) -> None:
    with pytest.raises(RequestError) as given:
        plan([path], table)
    assert str(given.value) == message


def test_an_old_or_missing_pyspark_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed.metadata, "version", lambda _: "3.5.8")
    with pytest.raises(
        RequestError, match=r"^PySpark 3.5.8 is too old: 4 or later is needed; pip install 'iosq\[spark\]'$"
    ):
        installed.pyspark_at_hand()

    def missing(name: str) -> str:
        raise installed.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(installed.metadata, "version", missing)
    with pytest.raises(RequestError, match="PySpark is not installed; pip install"):
        installed.pyspark_at_hand()


def test_nothing_of_spark_is_imported_before_a_session_is_given() -> None:
    code = """
import sys
import iosq.toolkit.spark, iosq.toolkit.spark.tasks, iosq.toolkit.delta
from iosq.toolkit.cli.main import command
command()
print(*sorted({m.split(".")[0] for m in sys.modules} & {"pyspark", "py4j", "deltalake"}))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "\n", "")
