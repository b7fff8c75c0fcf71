"""The writer: no row lost or changed, whatever the batches, partitions and limits; memory that stays put."""

import subprocess
import sys
import tempfile
from datetime import datetime, timedelta
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lake_fakes import EVENT, ODD

from iosq.parsers.api import Batch, Table
from iosq.parsers.arrow import schema
from iosq.toolkit.lake.part import Part
from iosq.toolkit.lake.partition import NOWHERE, Partition
from iosq.toolkit.lake.writer import Limits, Writer
from tests.length import tried

EPOCH = datetime(1970, 1, 1)
TINY = st.builds(
    Limits,
    group_rows=st.integers(1, 20),
    group_bytes=st.integers(1, 8000),
    buffer_bytes=st.integers(1, 20_000),
    queue_bytes=st.integers(1, 20_000),
    part_rows=st.integers(1, 40),
    open_parts=st.integers(1, 5),
    partitions=st.integers(1, 4),
)
INSTANTS = st.none() | st.integers(-5, 5).map(lambda n: EPOCH + timedelta(hours=7 * n))
INSTANTS |= st.datetimes().map(lambda t: t.replace(fold=0))  # columns of a table have no fold
ROWS = st.tuples(st.sampled_from([None, "", "SYSA", "SYSB", "../.."]), INSTANTS, st.integers(0, 9), st.integers(0, 99))
BATCHES = st.lists(st.tuples(st.sampled_from([EVENT, ODD]), st.lists(ROWS, max_size=15)), max_size=12)


def batch(table: Table, rows: list[tuple]) -> Batch:
    columns = zip(*rows, strict=True) if rows else [[]] * len(table.columns)
    kinds = schema(table)
    arrays = [pa.array(list(values), field.type) for values, field in zip(columns, kinds, strict=True)]
    return Batch(table.name, pa.record_batch(arrays, schema=kinds))


def write(stage: Path, batches: list[Batch], limits: Limits | None = None) -> list[Part]:
    with Writer(stage, "f" * 16, limits) as writer:
        writer.declare([EVENT, ODD])
        for one in batches:
            writer.add(one)
        return writer.finish()


def read(part: Part) -> list[tuple]:
    return [tuple(row.values()) for row in pq.ParquetFile(part.staged).read().to_pylist()]


@settings(max_examples=tried(30, 60), deadline=None)
@given(BATCHES, TINY)
def test_any_batches_under_any_limits_keep_every_row(batches: list[tuple[Table, list[tuple]]], limits: Limits) -> None:
    with tempfile.TemporaryDirectory() as stage:
        parts = write(Path(stage), [batch(table, rows) for table, rows in batches], limits)
        for table in (EVENT, ODD):
            given_rows = [("f" * 16, *row) for t, rows in batches for row in rows if t is table]
            mine = [p for p in parts if p.table is table]
            assert sorted((r for p in mine for r in read(p)), key=repr) == sorted(given_rows, key=repr)
            assert sum(p.rows for p in mine) == len(given_rows)
        for part in parts:
            expect_truth(part, limits)
        assert len({p.path for p in parts}) == len(parts)


def expect_truth(part: Part, limits: Limits) -> None:
    """What is noted about a file is so in the file."""
    found = read(part)
    instants = [(row[2] - EPOCH) // timedelta(microseconds=1) for row in found if row[2] is not None]
    assert part.bytes == part.staged.stat().st_size
    assert (part.first_interval_us, part.last_interval_us) == (min(instants, default=None), max(instants, default=None))
    if part.partition != NOWHERE:
        assert {row[1] for row in found} == {part.partition.system}
        assert {None if row[2] is None else row[2].toordinal() - EPOCH.toordinal() for row in found} == {
            part.partition.day
        }


@settings(max_examples=15, deadline=None)
@given(BATCHES, TINY)
def test_the_same_batches_give_the_same_bytes(batches: list[tuple[Table, list[tuple]]], limits: Limits) -> None:
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        made = [
            {p.path: p.staged.read_bytes() for p in write(Path(f), [batch(*b) for b in batches], limits)}
            for f in (one, other)
        ]
        assert made[0] == made[1]


def test_the_span_of_a_part_covers_all_its_row_groups(tmp_path: Path) -> None:
    instants = [EPOCH, EPOCH + timedelta(hours=1)]
    (part,) = write(tmp_path, [batch(EVENT, [("SYSA", t, 0, 0)]) for t in instants], Limits(group_rows=1))
    assert (part.first_interval_us, part.last_interval_us) == (0, 3_600_000_000)


def test_rows_of_a_row_group_stand_in_the_tables_order(tmp_path: Path) -> None:
    rows = [("SYSA", EPOCH, n, (n * 7) % 10) for n in range(10)]
    (part,) = write(tmp_path, [batch(EVENT, rows)])
    assert [row[4] for row in read(part)] == list(range(10))


def test_columns_are_stored_as_other_engines_can_read_them(tmp_path: Path) -> None:
    (part,) = write(tmp_path, [batch(EVENT, [("SYSA", EPOCH, 1, 2)])])
    file = pq.ParquetFile(part.staged)
    group = file.metadata.row_group(0)
    assert {group.column(n).compression for n in range(group.num_columns)} == {"LZ4"}
    encodings = {group.column(n).path_in_schema: set(group.column(n).encodings) for n in range(group.num_columns)}
    assert all("RLE_DICTIONARY" in encodings[name] for name in ("file_id", "system"))
    assert all("DELTA_BINARY_PACKED" in encodings[name] for name in ("record_id", "value"))
    columns = [pa.field("file_id", pa.string()), *schema(EVENT)]
    assert file.schema_arrow == pa.schema([f.with_nullable(False) for f in columns]), "nothing is NULL here"


def test_a_column_is_required_until_it_has_a_null(tmp_path: Path) -> None:
    batches = [batch(EVENT, [("SYSA", EPOCH, n, value)]) for n, value in enumerate((1, 2, None, 4))]
    parts = write(tmp_path, batches, Limits(group_rows=1))
    assert [part.rows for part in parts] == [2, 2]
    assert [pq.read_schema(part.staged).field("value").nullable for part in parts] == [False, True]
    files = [str(part.staged) for part in parts]
    found = duckdb.sql(f"SELECT value FROM read_parquet({files}) ORDER BY record_id").fetchall()
    assert found == [(1,), (2,), (None,), (4,)]


def test_a_batch_of_other_columns_is_a_bug_of_the_reader(tmp_path: Path) -> None:
    wrong = Batch("fake_event", pa.record_batch({"system": ["SYSA"]}))
    with pytest.raises(TypeError, match="fake_event"):
        write(tmp_path, [wrong])


def test_wild_dates_share_a_folder_beyond_the_limit(tmp_path: Path) -> None:
    rows = [("SYSA", EPOCH + timedelta(days=n), n, n) for n in range(50)]
    parts = write(tmp_path, [batch(EVENT, rows)], Limits(partitions=10))
    assert len(parts) == 11
    assert next(p for p in parts if p.partition == NOWHERE).rows == 40


def test_systems_share_files_beyond_the_limit_and_no_row_is_lost(tmp_path: Path) -> None:
    rows = [(f"S{n}", EPOCH, n, n) for n in range(50)]
    parts = write(tmp_path, [batch(EVENT, rows), batch(EVENT, rows[::-1])], Limits(systems=10))
    assert len(parts) == 11
    assert next(p for p in parts if p.partition.system is None).rows == 80


@pytest.mark.parametrize("system", ["..", ".", "", None, "a/b", "\0", "x" * 300, "_none", "ÄÖÜ" * 50, "\ud800"])
def test_any_system_is_one_safe_folder_name(system: str | None) -> None:
    name, _ = Partition(system, 0).folder.split("/")
    assert len(name.encode()) < 128
    assert name.isprintable()
    assert name not in ("system=", ".", "..")
    assert (name == "system=_none") == (not system)


def test_a_slice_does_not_keep_what_it_was_cut_from(tmp_path: Path) -> None:
    """A thousand batches of one row each, cut from batches of 20 000: memory holds the rows only."""
    large = batch(EVENT, [("SYSA", EPOCH, n, n) for n in range(20_000)]).rows
    with Writer(tmp_path, "f" * 16) as writer:
        writer.declare([EVENT])
        before = pa.total_allocated_bytes()
        for n in range(200):
            whole = large.take(pa.array(range(20_000)))
            writer.add(Batch("fake_event", whole.slice(n, 1)))
        del whole
        assert pa.total_allocated_bytes() - before < 4_000_000


def test_buffers_of_many_partitions_share_one_bound(tmp_path: Path) -> None:
    """No partition ever fills a row group, and yet rows don't pile up."""
    limits = Limits(group_rows=1 << 40, group_bytes=1 << 40, buffer_bytes=1 << 20, queue_bytes=1 << 20)
    with Writer(tmp_path, "f" * 16, limits) as writer:
        writer.declare([EVENT])
        before = pa.total_allocated_bytes()
        for n in range(60):
            writer.add(batch(EVENT, [(f"S{row % 4}", EPOCH, n, row) for row in range(8000)]))
        assert pa.total_allocated_bytes() - before < 6 << 20


MEMORY = """
import sys, tempfile
from pathlib import Path
import numpy as np, pyarrow as pa
from iosq.parsers.api import Batch, Column, Table
from iosq.parsers.arrow import schema
from iosq.toolkit.lake.writer import Writer

columns = (Column("system", "varchar"), Column("interval_start", "timestamp"), Column("device", "varchar"))
wide = Table("wide", "", columns + tuple(Column(f"c{n}", "bigint") for n in range(80)), ("device", "interval_start"))
rows = 10_000
device = pa.array([f"{n % 3000:04X}" for n in range(rows)])
random = np.random.default_rng(0)
# not getrusage: its peak counts the process that started this one, too
peak = lambda: int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) // 1024
with tempfile.TemporaryDirectory() as stage, Writer(Path(stage), "f" * 16) as writer:
    writer.declare([wide])
    for n in range(int(sys.argv[1])):
        start = pa.array(np.full(rows, n * 900_000_000)).view(pa.timestamp("us"))
        values = [pa.array(random.integers(0, 1000, rows)) for _ in range(80)]
        arrays = [pa.array(["SYSA"] * rows), start, device, *values]
        writer.add(Batch("wide", pa.record_batch(arrays, schema=schema(wide))))
    writer.finish()
print(peak())
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from Linux's /proc")
@pytest.mark.slow
def test_memory_does_not_grow_with_the_input() -> None:
    """Peak resident MiB for 130 MB and for 670 MB of rows, each in a fresh process."""
    small, large = (
        int(subprocess.run([sys.executable, "-c", MEMORY, str(n)], check=True, capture_output=True, text=True).stdout)
        for n in (20, 100)
    )
    assert large < 300
    assert large < small * 1.15
