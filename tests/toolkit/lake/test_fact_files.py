"""Prepared views: a whole set for one state of the lake, or none."""

import datetime as dt
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from iosq.toolkit.errors import LakeError
from iosq.toolkit.lake.doctor import examine
from iosq.toolkit.lake.facts import FOLDER, damaged, forget, key, making, read_sets
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.lake.repair import repair

NAMES = ("volume_interval", "box_interval")
ONE, OTHER, THIRD = f"day-{'a' * 32}", f"box_interval-{'b' * 32}", f"day-{'c' * 32}"
Views = Iterator[tuple[str, pa.RecordBatchReader]]


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    Lake(tmp_path / "lake").create()
    return tmp_path / "lake"


def answers(rows: int = 3) -> Views:
    for name in NAMES:
        yield name, pa.table({"x": range(rows)}).to_reader()


def breaking() -> Views:
    yield from answers()
    raise MemoryError


def prepare(lake: Path, of: str, views: Views) -> None:
    with making(lake, [of]) as now:
        for name, rows in views:
            now.keep(name, of, rows)


def test_what_was_kept_is_read(lake: Path) -> None:
    prepare(lake, ONE, answers())
    files = read_sets(lake, [ONE])[ONE]
    assert {name: pa.parquet.read_table(lake / p.path).num_rows for name, p in files.items()} == dict.fromkeys(NAMES, 3)


def test_a_view_without_rows_has_no_file(lake: Path) -> None:
    prepare(lake, ONE, answers(0))
    assert {name: p.rows for name, p in read_sets(lake, [ONE])[ONE].items()} == dict.fromkeys(NAMES, 0)
    assert [f.name for f in (lake / FOLDER / ONE).iterdir()] == ["index.csv"]
    assert examine(lake) == []


def test_views_may_go_to_sets_of_their_own(lake: Path) -> None:
    with making(lake, [ONE, OTHER]) as now:
        for of, (name, rows) in zip((ONE, OTHER), answers(), strict=True):
            now.keep(name, of, rows)
    found = read_sets(lake, [ONE, OTHER])
    assert {of: list(pieces) for of, pieces in found.items()} == {ONE: [NAMES[0]], OTHER: [NAMES[1]]}


def test_rows_go_to_the_sets_of_their_days(lake: Path) -> None:
    """In their order; rows of other days are read meanwhile and are in no set."""
    hours = [
        None if hour is None else dt.datetime(2026, 3, 2) + dt.timedelta(hours=hour)
        for hour in (-1, 3, 1, 25, 26, 49, None)
    ]
    rows = pa.table({"interval_start": pa.array(hours, pa.timestamp("us")), "x": range(7)})
    first = (hours[1] - dt.datetime(1970, 1, 1)).days
    sets = {first: ONE, first + 1: OTHER, None: THIRD}
    with making(lake, sets.values()) as now:
        files = now.keep_days("volume_interval", sets, rows.to_reader(max_chunksize=2))
        assert [x for file in files for x in pa.parquet.read_table(file)["x"].to_pylist()] == list(range(7))
    found = {of: pieces["volume_interval"] for of, pieces in read_sets(lake, sets.values()).items()}
    kept = {of: pa.parquet.read_table(lake / piece.path)["x"].to_pylist() for of, piece in found.items()}
    assert kept == {ONE: [1, 2], OTHER: [3, 4], THIRD: [6]}
    assert {of: piece.day for of, piece in found.items()} == {of: day for day, of in sets.items()}


def test_the_key_depends_on_records_and_definitions() -> None:
    records = {"smf74_1_record": 17}
    more = {**records, "smf73_record": 4}
    assert len({key(records, "views"), key(records, "other views"), key(more, "views"), key({}, "views")}) == 4


def test_definitions_are_the_same_in_every_process() -> None:
    """Else each command would compute all facts again."""
    code = "from iosq.toolkit.facts.plan import definitions; print(definitions())"
    command, seeds = [sys.executable, "-c", code], ("1", "2")
    assert len({subprocess.check_output(command, env={**os.environ, "PYTHONHASHSEED": seed}) for seed in seeds}) == 1


@pytest.mark.parametrize("damage", ["cut", "gone", "index gone", "index garbage", "listed twice", "negative rows"])
def test_a_set_that_is_not_whole_is_not_read(lake: Path, damage: str) -> None:
    prepare(lake, ONE, answers())
    folder = lake / FOLDER / ONE
    if damage == "cut":
        (folder / "box_interval.parquet").write_bytes(b"PAR1")
    elif damage == "gone":
        (folder / "box_interval.parquet").unlink()
    elif damage == "index gone":
        (folder / "index.csv").unlink()
    elif damage == "listed twice":
        with (folder / "index.csv").open("a") as file:
            file.write((folder / "index.csv").read_text().splitlines()[-1])
    elif damage == "negative rows":
        (folder / "index.csv").write_text((folder / "index.csv").read_text().replace(",3,", ",-3,"))
    else:
        (folder / "index.csv").write_bytes(b"view,bytes\n\xff\xfe,\x00,3,4\n")
    assert read_sets(lake, [ONE]) == {}
    assert [a.kind for a in examine(lake)] == ["facts"]
    assert all(done.done for done in repair(lake))
    assert examine(lake) == []


def test_a_set_that_lacks_a_view_is_replaced(lake: Path) -> None:
    prepare(lake, ONE, answers())
    index = lake / FOLDER / ONE / "index.csv"
    index.write_text("\n".join(index.read_text().splitlines()[:-1]) + "\n")
    assert len(read_sets(lake, [ONE])[ONE]) == 1
    prepare(lake, ONE, answers())
    assert len(read_sets(lake, [ONE])[ONE]) == 2


def test_a_set_that_is_a_link_makes_the_lake_refused(lake: Path, tmp_path: Path) -> None:
    prepare(lake, ONE, answers())
    (lake / FOLDER / ONE).rename(tmp_path / "elsewhere")
    (lake / FOLDER / ONE).symlink_to(tmp_path / "elsewhere")
    for use in (examine, repair, lambda path: Lake(path).listed()):
        with pytest.raises(LakeError, match=f"{ONE}: is a symbolic link"):
            use(lake)


def test_other_bytes_of_the_same_length_show_in_the_hash(lake: Path) -> None:
    prepare(lake, ONE, answers())
    path = lake / FOLDER / ONE / "box_interval.parquet"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    assert list(damaged(lake)) == list(damaged(lake, hashes=True)) == [f"{FOLDER}/{ONE}"]
    assert read_sets(lake, [ONE]) == {}


def test_one_that_breaks_off_leaves_the_former(lake: Path) -> None:
    prepare(lake, ONE, answers())
    with pytest.raises(MemoryError):
        prepare(lake, ONE, breaking())
    assert len(read_sets(lake, [ONE])[ONE]) == 2
    assert [f.name for f in (lake / ".staging").iterdir()] == ["guard"]


def test_former_sets_stay_for_an_hour_for_those_who_have_the_lake_open(lake: Path) -> None:
    for of in (ONE, OTHER):
        prepare(lake, of, answers())
    forget(lake, {OTHER}, 3600)
    assert read_sets(lake, [ONE])
    os.utime(lake / FOLDER / ONE, (0, 0))
    forget(lake, {OTHER}, 3600)
    assert [f.name for f in (lake / FOLDER).iterdir()] == [OTHER]


def test_a_disk_that_refuses_is_one_line(lake: Path) -> None:
    (lake / FOLDER).write_text("a file where the folder should be")
    with pytest.raises(LakeError) as error:
        prepare(lake, ONE, answers())
    assert "\n" not in str(error.value)
