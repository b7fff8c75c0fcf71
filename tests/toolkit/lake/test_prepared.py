"""Prepared views: a whole set for one state of the lake, or none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pytest

from iosq.toolkit.errors import LakeError
from iosq.toolkit.lake.doctor import examine
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.lake.prepared import FOLDER, Piece, damaged, forget, key, making, prepared
from iosq.toolkit.lake.repair import repair

ONE, OTHER = "a" * 32, "b" * 32
Views = Iterator[tuple[str, pa.RecordBatchReader]]


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    Lake(tmp_path / "lake").create()
    return tmp_path / "lake"


def answers(rows: int = 3) -> Views:
    for name in ("volume_interval", "box_interval"):
        yield name, pa.table({"x": range(rows)}).to_reader()


def breaking() -> Views:
    yield from answers()
    raise MemoryError


def prepare(lake: Path, of: str, views: Views, days: Sequence[Piece] = ()) -> None:
    with making(lake, of, days) as now:
        for name, rows in views:
            now.keep(name, rows)
    forget(lake, of)


def test_what_was_kept_is_read(lake: Path) -> None:
    prepare(lake, ONE, answers())
    files = prepared(lake, ONE)
    assert {name: [pa.parquet.read_table(lake / p.path).num_rows for p in found] for name, found in files.items()} == {
        "volume_interval": [3], "box_interval": [3],
    }  # fmt: skip


def test_sets_of_days_belong_to_those_of_lakes(lake: Path) -> None:
    """They stay as long as one of these does, in the order of time, and one that is damaged spoils it."""
    b, a, c = (f"day-{letter * 32}" for letter in "bac")
    days = {b: 1, a: 0, c: 2}
    for of, day in days.items():
        with making(lake, of) as now:
            now.keep("lcu_interval", pa.table({"x": [day]}).to_reader(), day)
    pieces = [p for of in days if of != c for p in prepared(lake, of)["lcu_interval"]]
    prepare(lake, ONE, answers(), pieces)
    assert [p.day for p in prepared(lake, ONE)["lcu_interval"]] == [0, 1]
    assert {f.name for f in (lake / FOLDER).iterdir()} == {ONE, a, b}
    (lake / FOLDER / a / "lcu_interval.parquet").unlink()
    assert prepared(lake, ONE) == {}
    assert prepared(lake, ONE, ["box_interval"]), "what is not asked for is not looked at"
    assert set(damaged(lake)) == {f"{FOLDER}/{ONE}", f"{FOLDER}/{a}"}
    assert prepared(lake, OTHER) == {}


def test_the_key_tells_files_and_definitions() -> None:
    files = {"smf74_1_record": ["lake/smf74_1_record/system=A/day=1/0123-000.parquet"]}
    more = {**files, "smf73_record": ["lake/smf73_record/system=A/day=1/0123-000.parquet"]}
    moved = {"smf74_1_record": ["elsewhere/smf74_1_record/system=A/day=1/0123-000.parquet"]}
    assert key(files, "views") == key(moved, "views"), "a lake that is copied keeps what was prepared"
    assert len({key(files, "views"), key(files, "other views"), key(more, "views"), key({}, "views")}) == 4


@pytest.mark.parametrize("damage", ["cut", "gone", "index gone", "index garbage"])
def test_a_set_that_is_not_whole_is_not_read(lake: Path, damage: str) -> None:
    prepare(lake, ONE, answers())
    folder = lake / FOLDER / ONE
    if damage == "cut":
        (folder / "box_interval.parquet").write_bytes(b"PAR1")
    elif damage == "gone":
        (folder / "box_interval.parquet").unlink()
    elif damage == "index gone":
        (folder / "index.csv").unlink()
    else:
        (folder / "index.csv").write_bytes(b"view,bytes\n\xff\xfe,\x00,3,4\n")
    assert prepared(lake, ONE) == {}
    assert [a.kind for a in examine(lake)] == ["prepared"]
    assert all(done.done for done in repair(lake))
    assert examine(lake) == []


def test_other_bytes_of_the_same_length_show_in_the_hash(lake: Path) -> None:
    prepare(lake, ONE, answers())
    path = lake / FOLDER / ONE / "box_interval.parquet"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    assert list(damaged(lake)) == list(damaged(lake, hashes=True)) == [f"{FOLDER}/{ONE}"]
    assert prepared(lake, ONE) == {}


def test_one_that_breaks_off_leaves_the_former(lake: Path) -> None:
    prepare(lake, ONE, answers())
    with pytest.raises(MemoryError):
        prepare(lake, ONE, breaking())
    assert len(prepared(lake, ONE)) == 2
    assert [f.name for f in (lake / ".staging").iterdir()] == ["guard"]


def test_one_former_set_stays_for_those_who_have_just_opened_the_lake(lake: Path) -> None:
    for of in (ONE, OTHER, "c" * 32):
        prepare(lake, of, answers())
    assert len(list((lake / FOLDER).iterdir())) == 2
    assert prepared(lake, "c" * 32)


def test_a_disk_that_refuses_is_one_line(lake: Path) -> None:
    (lake / FOLDER).write_text("a file where the folder should be")
    with pytest.raises(LakeError) as error:
        prepare(lake, ONE, answers())
    assert "\n" not in str(error.value)
