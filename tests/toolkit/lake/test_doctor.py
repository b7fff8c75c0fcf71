"""Every way a lake can be damaged: reported in one line each, and mended without losing a row."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import iosq
from iosq.toolkit.errors import DOCTOR, FULL_DOCTOR, LakeError
from iosq.toolkit.lake import checked
from iosq.toolkit.lake.disk import file_hash
from iosq.toolkit.lake.doctor import examine
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.lake.repair import repair
from iosq.toolkit.lake.stage import MARK

SAMPLES = Path(__file__).parents[3] / "sample-data" / "smf"


@pytest.fixture(scope="module")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("healthy")
    source = folder / "in"
    source.mkdir()
    for name in ("tapelib.bdw.smf", "sysb.smf.gz"):
        shutil.copy(SAMPLES / name, source / name)
    ingest(Lake(folder / "lake"), [source])
    return folder


@pytest.fixture
def place(healthy: Path, tmp_path: Path) -> Path:
    shutil.copytree(healthy, tmp_path, dirs_exist_ok=True)
    return tmp_path / "lake"


def rows(lake: Path) -> dict[str, int]:
    return {table: sum(pq.read_metadata(p).num_rows for p in paths) for table, paths in Lake(lake).parts().items()}


def a_part(lake: Path) -> Path:
    return Lake(lake).parts()["smf74_1_device_data"][0]


def _cut_part(lake: Path) -> None:
    path = a_part(lake)
    path.write_bytes(path.read_bytes()[:-100])


def _other_part(lake: Path) -> None:
    """Another table's file under this one's name, filled up to its size: only the footer shows it."""
    path = a_part(lake)
    path.write_bytes(bytes(path.stat().st_size))


def _digests(lake: Path) -> Path:
    return sorted((lake / "_digests").iterdir())[0]


DAMAGE: dict[str, Callable[[Path], object]] = {
    "manifest missing": lambda lake: (lake / "manifest.sqlite").unlink(),
    "manifest empty": lambda lake: (lake / "manifest.sqlite").write_bytes(b""),
    "manifest is a folder": lambda lake: ((lake / "manifest.sqlite").unlink(), (lake / "manifest.sqlite").mkdir()),
    "manifest no SQLite": lambda lake: (lake / "manifest.sqlite").write_bytes(b"not a database" * 500),
    "manifest truncated": lambda lake: (lake / "manifest.sqlite").write_bytes(
        (lake / "manifest.sqlite").read_bytes()[:9000]
    ),
    "part missing": lambda lake: a_part(lake).unlink(),
    "part truncated": _cut_part,
    "part of zeros": _other_part,
    "digests missing": lambda lake: _digests(lake).unlink(),
    "digests damaged": lambda lake: _digests(lake).write_bytes(b"\x93NUMPY garbage"),
    "digests short": lambda lake: np.save(_digests(lake), np.arange(3, dtype=np.uint64)),
    "staging is a file": lambda lake: (shutil.rmtree(lake / ".staging"), (lake / ".staging").write_bytes(b"")),
    "guard is a folder": lambda lake: ((lake / ".staging/guard").unlink(), (lake / ".staging/guard").mkdir()),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_reported_and_mended(place: Path, damage: str) -> None:
    before = rows(place)
    DAMAGE[damage](place)
    assert examine(place), "nothing was noticed"
    assert all(done.done for done in repair(place, [place.parent / "in"]))
    assert examine(place, hashes=True) == []
    assert rows(place) == before
    again = ingest(Lake(place), [place.parent / "in"])
    assert rows(place) == before, [o.status for o in again]


def test_records_without_a_column_that_is_read_today_are_read_again(place: Path) -> None:
    """A lake of an earlier version: every query names the doctor, which names the file and its input."""
    before, part = rows(place), a_part(place)
    pq.write_table(pq.read_table(part).drop_columns(["SMF74CNN"]), part)
    listed = file_hash(part), part.stat().st_size, part.relative_to(place).as_posix()
    with closing(sqlite3.connect(place / "manifest.sqlite")) as db, db:
        db.execute("UPDATE part SET hash = ?, bytes = ? WHERE path = ?", listed)
    with pytest.raises(LakeError, match=f"{part.name}: .*SMF74CNN.*; run `iosq doctor --repair"):
        iosq.open(place).sql("SELECT count(*) FROM device_interval")
    assert [(a.place, a.what) for a in examine(place)] == [
        (listed[2], "has no column SMF74CNN: it was written before iosq read that")
    ]
    assert all(done.done for done in repair(place, [place.parent / "in"]))
    assert (examine(place, hashes=True), rows(place)) == ([], before)


@pytest.fixture(scope="module")
def tapes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small lake next to its input."""
    folder = tmp_path_factory.mktemp("tapes")
    shutil.copy(SAMPLES / "tapelib.bdw.smf", folder / "tapes.smf")
    ingest(Lake(folder / "lake"), [folder / "tapes.smf"])
    return folder


def _tape_part(lake: Path) -> Path:
    return next(lake.glob("smf94_1_mount/*/*/*.parquet"))


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


TAPES: dict[str, Callable[[Path], object]] = {
    **{name: make for name, make in DAMAGE.items() if not name.startswith("part")},
    "manifest middle": lambda lake: (lake / "manifest.sqlite").write_bytes(
        (old := (lake / "manifest.sqlite").read_bytes())[:8192] + bytes(8192) + old[16384:]
    ),
    "part gone": lambda lake: _tape_part(lake).unlink(),
    "part zeroed": lambda lake: _tape_part(lake).write_bytes(bytes(_tape_part(lake).stat().st_size)),
    "part a folder": lambda lake: _folder(_tape_part(lake)),
    "part another": lambda lake: shutil.copy(next(lake.glob("smf94_1_eject/*/*/*.parquet")), _tape_part(lake)),
    "table a file": lambda lake: (shutil.rmtree(lake / "smf94_1_mount"), (lake / "smf94_1_mount").write_bytes(b"")),
    "digests a file": lambda lake: (shutil.rmtree(lake / "_digests"), (lake / "_digests").write_bytes(b"")),
    "digests a folder": lambda lake: _folder(_digests(lake)),
}
PAIRS = [
    ("manifest missing", "part gone"), ("manifest empty", "part zeroed"), ("manifest no SQLite", "digests damaged"),
    ("manifest middle", "part gone"), ("manifest middle", "table a file"), ("manifest truncated", "part another"),
    ("manifest missing", "part a folder"), ("part zeroed", "digests a folder"), ("table a file", "guard is a folder"),
    ("manifest missing", "digests a file"), ("manifest empty", "staging is a file"),
    ("manifest no SQLite", "guard is a folder"),
]  # fmt: skip


@pytest.mark.parametrize("early", [True, False], ids=["input named", "input named later"])
@pytest.mark.parametrize("pair", PAIRS, ids=" and ".join)
def test_two_kinds_of_damage_lose_no_row(tapes: Path, tmp_path: Path, pair: tuple[str, str], early: bool) -> None:
    """A rebuilt manifest does not know what is missing: inputs are read again, also where they are named only later."""
    lake = tmp_path / "lake"
    shutil.copytree(tapes / "lake", lake)
    sources = [shutil.copy(tapes / "tapes.smf", tmp_path / "moved.smf")]
    before = rows(lake)
    for damage in pair:
        TAPES[damage](lake)
    assert examine(lake)
    if not early:
        repair(lake)
    assert all(done.done for done in repair(lake, sources))
    assert (examine(lake, hashes=True), rows(lake)) == ([], before)


@pytest.mark.parametrize("damage", [d for d in DAMAGE if d not in ("part of zeros", "digests short")])
def test_queries_and_ingests_say_it_in_one_line(place: Path, damage: str) -> None:
    DAMAGE[damage](place)
    with pytest.raises(LakeError) as error:
        Lake(place).parts()
        ingest(Lake(place), [SAMPLES / "sysa.smf.gz"])
    assert "\n" not in str(error.value)
    assert "iosq doctor" in str(error.value) or "ingest" in str(error.value) or "guard" in str(error.value)


@pytest.mark.parametrize("damage", ["manifest empty", "manifest missing", "manifest is a folder"])
def test_files_that_no_manifest_lists_are_no_place_for_a_new_lake(place: Path, damage: str) -> None:
    """A manifest begun anew would not list them, and they would be taken for leftovers and removed."""
    DAMAGE[damage](place)
    files = sorted(place.rglob("*.parquet"))
    with pytest.raises(LakeError, match=r"no manifest lists them; run `iosq doctor --repair`"):
        Lake(place).parts()
    with pytest.raises(LakeError) as refused:
        ingest(Lake(place), [SAMPLES / "sysa.smf.gz"])
    assert "\n" not in str(refused.value)
    assert sorted(place.rglob("*.parquet")) == files


def test_a_repair_that_was_cut_short_begins_anew(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = rows(place)
    (place / "manifest.sqlite").write_bytes(b"not a database" * 500)

    def cut(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("iosq.toolkit.lake.repair._list_parts", cut)
        repair(place)
    with pytest.raises(LakeError, match="the manifest is damaged"):
        Lake(place).parts()
    assert all(done.done for done in repair(place))
    assert (examine(place, hashes=True), rows(place)) == ([], before)
    assert not [p for p in place.iterdir() if p.name.startswith(".rebuilding")]


def _footer_length(data: bytearray) -> None:
    data[-8:-4] = b"\xff\xff\xff\x7f"


def _footer_body(data: bytearray) -> None:
    data[-40:-20] = b"\xee" * 20


def _pages(data: bytearray) -> None:
    size = int.from_bytes(data[-8:-4], "little")
    data[4 : len(data) - size - 8] = b"\xee" * (len(data) - size - 12)


ASKED: dict[str, Callable[[Path], object]] = {
    "sql": lambda lake: iosq.open(lake).sql("SELECT sum(SMF74SSC), max(SMF74SER) FROM smf74_1_device_data"),
    "report": lambda lake: iosq.open(lake).report(lake.parent / "report.html"),
    "anonymize": lambda lake: iosq.anonymize(lake, lake.parent / "copy"),
    "export": lambda lake: iosq.export_delta(lake, lake.parent / "delta"),
}


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("harm", [_footer_length, _footer_body, _pages])
def test_a_file_that_cannot_be_read_is_reported_with_what_to_do(
    place: Path, asked: str, harm: Callable[[bytearray], None]
) -> None:
    """Of the size that is listed: only who reads it sees it."""
    path = a_part(place)
    data = bytearray(path.read_bytes())
    harm(data)
    path.write_bytes(data)
    with pytest.raises(LakeError) as error:
        ASKED[asked](place)
    text = str(error.value)
    assert "\n" not in text and len(text) < 600
    assert text.endswith((DOCTOR, FULL_DOCTOR))
    assert path.name in text or "a stored file can't be read" in text
    assert not (place.parent / "report.html").exists() and not (place.parent / "copy").exists()


def test_a_healthy_lake_has_nothing(healthy: Path) -> None:
    assert examine(healthy / "lake", hashes=True) == []
    assert repair(healthy / "lake") == []


def test_changed_bytes_show_in_the_hash_alone(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked for, or because the file has changed since it was read whole."""
    path = a_part(place)
    data = bytearray(path.read_bytes())
    data[200] ^= 1
    path.write_bytes(data)
    for hashes in (False, True):
        (found,) = examine(place, hashes=hashes)
        assert found.what == "holds other bytes than were written"
    monkeypatch.setattr(checked, "mark", lambda lake, path, _: checked.known(lake).get(path, ""))
    assert (examine(place), len(examine(place, hashes=True))) == ([], 1), "a disk changes bytes silently"


def test_an_input_is_read_again_only_where_the_user_names_it(tmp_path: Path) -> None:
    """Whoever made the lake may have named any file in it."""
    place, source = tmp_path / "lake", tmp_path / "sysb.smf.gz"
    shutil.copy(SAMPLES / "sysb.smf.gz", source)
    ingest(Lake(place), [source])
    a_part(place).unlink()
    (left,) = repair(place)
    assert not left.done
    assert left.what == f"needs its input: name a folder that holds {source} with --from"
    assert repair(place, [source])[0].done
    assert examine(place) == []


def test_leftovers_of_a_dead_ingest_go(place: Path) -> None:
    dead = place / ".staging" / ("0123" * 8)
    dead.mkdir()
    (dead / "lock").write_bytes(MARK)
    outside = place.parent / "precious.txt"
    outside.write_text("mine")
    (dead / "journal").write_bytes(f"../precious.txt\n{outside}\n".encode() + bytes(range(256)))
    stranger = a_part(place).with_name("00000000deadbeef-000.parquet")
    shutil.copy(a_part(place), stranger)
    assert {a.kind for a in examine(place)} == {"staging", "stranger"}
    assert all(done.done for done in repair(place))
    assert outside.read_text() == "mine", "a damaged journal must not remove what is not the lake's"
    assert not stranger.exists()
    assert examine(place) == []


def test_no_lake_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LakeError, match="no lake here"):
        examine(tmp_path)
