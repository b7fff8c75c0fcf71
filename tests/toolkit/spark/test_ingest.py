"""What the tasks of a cluster bring into a lake is what one process would have, whatever happens to them."""

import gzip
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from iosq.toolkit.facts.build import ensure_days
from iosq.toolkit.facts.plan import Plan
from iosq.toolkit.lake import slices as local_slices
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[3]
SMF = ROOT / "sample-data" / "smf"
CLUSTER_S = 400


def dump(folder: Path) -> Path:
    """The beginning of the sample with damage and with records that come twice."""
    folder.mkdir()
    data = gzip.decompress((SMF / "sysa.smf.gz").read_bytes())
    (folder / "a.smf").write_bytes(data[:700_000] + b"damage" * 99 + data[:2000] + data[-300_000:])
    return folder / "a.smf"


def content(lake: Lake) -> dict[str, bytes]:
    """Every file that the lake lists, and what it says about itself."""
    files = {str(p.relative_to(lake.path)): p.read_bytes() for paths in lake.parts().values() for p in paths}
    return files | {name: repr(rows.to_pylist()).encode() for name, rows in lake.about().items()}


def facts(lake: Lake) -> dict[str, bytes]:
    """Every file of daily facts."""
    return {str(p.relative_to(lake.path)): p.read_bytes() for p in sorted(lake.path.glob("_facts/day-*/*"))}


def rows(lake: Lake) -> dict[str, list[str]]:
    """The rows of every table, in an order of their own."""
    tables = {t: [r for p in paths for r in pq.ParquetFile(p).read().to_pylist()] for t, paths in lake.parts().items()}
    return {table: sorted(repr(row) for row in found) for table, found in tables.items()}


def test_files_of_a_folder_are_stored_byte_for_byte_as_without_spark(spark: Any, tmp_path: Path) -> None:
    from iosq.toolkit.spark.ingest import ingest as by_tasks

    first = dump(tmp_path / "in")
    shutil.copy(SMF / "tapelib.bdw.smf", first.parent)
    (first.parent / "again.smf.gz").write_bytes(gzip.compress(first.read_bytes()[:400_000]))  # records of two files
    (first.parent / "note.txt").write_text("Dear reader,\n" * 9)
    shutil.copy(next((ROOT / "tests" / "broken" / "smf").glob("*")), first.parent)
    alone, many = Lake(tmp_path / "alone"), Lake(tmp_path / "many")
    expected = ingest(alone, [first.parent])
    found = by_tasks(lambda: spark, many, [first.parent])
    assert found == expected
    assert {o.status for o in found} >= {"stored", "left_out"}
    assert content(many) == content(alone)
    ensure_days(Plan(alone, alone.listed()))
    assert facts(many) == facts(alone)
    assert sum(name.endswith("/part_volume_smf74_1.parquet") for name in facts(many)) > 0
    assert "stored" not in {o.status for o in by_tasks(lambda: spark, many, [first.parent])}
    assert content(many) == content(alone)


@pytest.mark.parametrize("count", [1, 2, 7])
def test_one_two_or_seven_tasks_store_the_same(spark: Any, tmp_path: Path, count: int) -> None:
    from iosq.toolkit.spark.ingest import ingest as by_tasks

    path = dump(tmp_path / "in")
    alone, many = Lake(tmp_path / "alone"), Lake(tmp_path / "many")
    ingest(alone, [path])
    by_tasks(lambda: spark, many, [path], cuts=lambda size: [size * n // count for n in range(1, count)])
    assert rows(many) == rows(alone)
    assert {n: t.to_pylist() for n, t in many.about().items()} == {n: t.to_pylist() for n, t in alone.about().items()}


def test_a_task_that_fails_for_good_is_one_line_and_stores_nothing(spark: Any, tmp_path: Path) -> None:
    from iosq.toolkit.errors import LakeError
    from iosq.toolkit.spark import ingest as on_spark

    path, lake = dump(tmp_path / "in"), Lake(tmp_path / "lake")
    hands = on_spark.ClusterHands(spark, lake.path)
    with pytest.raises(LakeError, match="a task of Spark failed"):
        hands._done(_fail, [1])
    assert not lake.path.exists()
    assert path.is_file()


def _fail(_: object) -> None:
    raise ZeroDivisionError


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Lake]:
    """The dump, and the lake that one process makes of it with the cuts of `on_cluster`."""
    from tests.toolkit.spark.on_cluster import cuts

    folder = tmp_path_factory.mktemp("alone")
    path, lake = dump(folder / "in"), Lake(folder / "lake")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_slices, "wanted", cuts)
        ingest(lake, [path])
    return path, lake


def on_cluster(what: str, lake: Path, path: Path) -> subprocess.CompletedProcess[str]:
    pytest.importorskip("pyspark", reason="PySpark is not installed: make test-spark")
    command = [sys.executable, "-m", "tests.toolkit.spark.on_cluster", what, str(lake), str(path), str(lake.parent)]
    own = os.environ | {"PYTHONPATH": str(ROOT), "PYSPARK_PYTHON": sys.executable}
    return subprocess.run(command, cwd=ROOT, env=own, capture_output=True, text=True, timeout=CLUSTER_S, check=False)


def test_attempts_at_the_same_slice_do_not_meet(spark: Any, tmp_path: Path, alone: tuple[Path, Lake]) -> None:
    """As with speculative execution, which Spark doesn't do within one machine: both attempts run, one counts."""
    from iosq.toolkit.spark import ingest as on_spark
    from tests.toolkit.spark.on_cluster import cuts

    class Twice(on_spark.ClusterHands):
        def _done(self, work: Any, asked: Any) -> Any:
            return super()._done(work, [one for one in asked for _ in range(2)])[1::2]

    path, expected = alone
    lake = Lake(tmp_path / "lake")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(on_spark, "ClusterHands", Twice)
        on_spark.ingest(lambda: spark, lake, [path], cuts=cuts)
    assert content(lake) == content(expected)
    stored = {p.relative_to(lake.path) for paths in lake.parts().values() for p in paths}
    assert {p.relative_to(lake.path) for p in lake.path.glob("smf*/**/*.parquet")} == stored


def test_tasks_that_are_killed_lose_and_double_nothing(tmp_path: Path, alone: tuple[Path, Lake]) -> None:
    path, expected = alone
    done = on_cluster("tasks", tmp_path / "lake", path)
    assert done.stdout == "stored\n", done.stderr
    assert {p.name for p in tmp_path.iterdir()} == {"lake", "attempt0", "attempt1"}
    assert content(Lake(tmp_path / "lake")) == content(expected)


def test_a_driver_killed_before_it_commits_leaves_nothing(tmp_path: Path, alone: tuple[Path, Lake]) -> None:
    path, expected = alone
    done = on_cluster("driver", tmp_path / "lake", path)
    assert done.returncode == -signal.SIGKILL, done.stderr
    lake = Lake(tmp_path / "lake")
    assert not lake.parts()
    with pytest.MonkeyPatch.context() as patch:
        from tests.toolkit.spark.on_cluster import cuts

        patch.setattr(local_slices, "wanted", cuts)
        ingest(lake, [path])
    assert content(lake) == content(expected)
    assert not [p for p in (lake.path / ".staging").iterdir() if p.is_dir()]
