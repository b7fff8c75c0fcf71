"""Facts of small days are packed together; nothing but the number of files changes."""

import datetime as dt
import itertools
import math
import random
import shutil
from pathlib import Path

import pytest

import iosq
from iosq.toolkit.facts import build
from iosq.toolkit.lake.facts import DAY, FOLDER, INDEX, PACKED
from iosq.toolkit.sample import write
from tests.length import tried

DAYS = 6
# facts of a day, of boxes over all days, of a day with what dimensions say, and about the whole lake
Rows = dict[str, list[tuple[object, ...]]]
ASKED = ("volume_interval", "box_interval", "shared_volume_interval", "pav_candidate")


@pytest.fixture(scope="module")
def dumps(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Dumps of days, one a day."""
    folder = tmp_path_factory.mktemp("dumps")
    for day in range(DAYS):
        write(folder / str(day), intervals=[40, 41], packed=(), names=["hot_volume"], days=range(day, day + 1))
    return [folder / str(day) / "sysa.smf" for day in range(DAYS)]


@pytest.fixture(scope="module")
def truth(dumps: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Rows:
    """The rows of a lake that has nothing packed."""
    lake = tmp_path_factory.mktemp("unpacked") / "lake"
    iosq.ingest(lake, dumps)
    found = rows(lake)
    assert not packs(lake)
    assert all(found.values())
    return found


def pack(patch: pytest.MonkeyPatch) -> None:
    """Few days are packed, the last one with them."""
    patch.setattr(build, "PACKED_DAYS", (4, 2))
    patch.setattr(build, "PACKED_AFTER", -DAYS)


@pytest.fixture(scope="module")
def packed(dumps: list[Path], truth: Rows, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of all days."""
    lake = tmp_path_factory.mktemp("packed") / "lake"
    with pytest.MonkeyPatch.context() as patch:
        pack(patch)
        iosq.ingest(lake, dumps)
    assert truth and packs(lake)
    return lake


@pytest.fixture
def lake(packed: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return Path(shutil.copytree(packed, tmp_path / "lake"))


@pytest.fixture(autouse=True)
def packing(truth: Rows, computed_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert truth  # made before
    pack(monkeypatch)


def rows(lake: Path) -> Rows:
    """What users get; the last digit of a sum depends on the files that its rows come from."""
    with iosq.open(lake).connection(steady=True) as con:
        return {name: con.execute(f"FROM {name} ORDER BY ALL").fetchall() for name in ASKED}


def assert_same(one: Rows, other: Rows) -> None:
    for name in ASKED:
        for a, b in zip(one[name], other[name], strict=True):
            assert all(_is_same(x, y) for x, y in zip(a, b, strict=True)), (name, a, b)


def _is_same(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return one == other


def packs(lake: Path) -> list[Path]:
    return sorted((lake / FOLDER).glob(f"{PACKED}*"))


def made(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The days whose facts are computed."""
    found: list[object] = []
    make = build.make_days

    def noted(plan: object, days: list[object]) -> None:
        found.extend(days)
        make(plan, days)  # type: ignore[arg-type]

    monkeypatch.setattr(build, "make_days", noted)
    return found


@pytest.mark.parametrize("seed", tried(range(1), range(20)))
def test_packed_or_not_in_any_order_rows_are_the_same(
    dumps: list[Path], truth: Rows, tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pick, left = random.Random(seed), list(dumps)
    pick.shuffle(left)
    while left:
        size = pick.randint(1, 3)
        monkeypatch.setattr(build, "PACKED_DAYS", pick.choice([(4, 2), (2,), (3,), ()]))
        iosq.ingest(tmp_path / "lake", left[:size])
        del left[:size]
        if pick.random() < 0.5:
            iosq.open(tmp_path / "lake").sql("SELECT count(*) FROM shared_volume_interval")
    assert_same(rows(tmp_path / "lake"), truth)
    assert iosq.doctor(tmp_path / "lake", hashes=True) == []


def test_a_view_of_packed_days_has_one_file(packed: Path, truth: Rows) -> None:
    assert_same(rows(packed), truth)
    shown = packs(packed)
    assert len(shown) > 1
    assert all(len({*folder.glob("volume_interval*")}) <= 1 for folder in shown)
    assert iosq.doctor(packed, hashes=True) == []


def test_a_new_day_leaves_packed_ones_as_they_are(
    dumps: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    iosq.ingest(tmp_path / "lake", dumps[:-1])
    days = made(monkeypatch)
    iosq.ingest(tmp_path / "lake", dumps[-1:])
    assert len(days) == 1
    assert iosq.doctor(tmp_path / "lake", hashes=True) == []


def test_what_is_pruned_leaves_the_other_days_of_its_pack(
    lake: Path, truth: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = iosq.open(lake).sql("SELECT min(interval_start) AS first FROM volume_interval").item()
    days = made(monkeypatch)
    iosq.prune(lake, before=first.date() + dt.timedelta(days=1))
    found = rows(lake)["volume_interval"]
    assert days == [], "all that is left was there"
    assert found == [row for row in truth["volume_interval"] if row[2].date() > first.date()]  # type: ignore[attr-defined]
    assert iosq.doctor(lake, hashes=True) == []


def test_damaged_packs_are_computed_again(lake: Path, truth: Rows) -> None:
    for folder in (lake / FOLDER).glob(f"{DAY}*"):
        shutil.rmtree(folder)  # an hour old
    damaged = sorted((lake / FOLDER).glob(f"{PACKED}*/part_volume_smf74_1.parquet"))
    assert len(damaged) > 1
    for file, damage in zip(damaged, itertools.cycle(["cut", "index", "gone"]), strict=False):
        if damage == "index":
            (file.parent / INDEX).write_text("view,bytes\n")
        elif damage == "gone":
            file.unlink()
        else:
            file.write_bytes(file.read_bytes()[:-9])
    assert {a.kind for a in iosq.doctor(lake)} == {"facts"}
    assert_same(rows(lake), truth)
    assert iosq.doctor(lake, hashes=True) == []


def test_false_rows_in_a_pack_are_found(lake: Path) -> None:
    for folder in packs(lake):
        index = folder / INDEX
        lines = index.read_text().splitlines()
        index.write_text("\n".join([lines[0], *lines[2:]]) + "\n")
    assert {a.kind for a in iosq.doctor(lake, hashes=True)} == {"facts"}
