"""A stored file with other bytes in it: refused by whoever asks for its rows, found once, at little cost."""

import os
import shutil
from pathlib import Path
from random import Random

import pytest

import iosq
from iosq.toolkit.lake import checked
from iosq.toolkit.lake.lake import Lake

ROOT = Path(__file__).parents[3]
QUESTION = "SELECT * FROM rmf_dasd_device ORDER BY ALL"  # facts are checked by themselves


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "lake"
    iosq.ingest(path, [ROOT / "tests/golden/rmf/device.txt"])
    return path


@pytest.fixture
def lake(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "lake"))


def a_file(lake: Path) -> Path:
    """One that the question reads."""
    return next(p for table, paths in Lake(lake).parts().items() if table.endswith("device") for p in paths)


def scrambled(path: Path, turn: int) -> bytes:
    """Other bytes somewhere before the footer; what was there."""
    was = path.read_bytes()
    random, end = Random(turn), len(was) - 8 - int.from_bytes(was[-8:-4], "little")
    at = random.randrange(4, end - 16)
    path.write_bytes(was[:at] + random.randbytes(16) + was[at + 16 :])
    return was


@pytest.mark.parametrize("turn", range(6))
def test_other_bytes_are_refused_not_answered(lake: Path, turn: int) -> None:
    """Also after a question that found all well; and once they are back, the answer is."""
    path = a_file(lake)
    answer = iosq.open(lake).arrow(QUESTION)
    was = scrambled(path, turn)
    text = (
        f"{path}: holds other bytes than were written; run `iosq doctor --repair --hashes`, which names what it needs"
    )
    for work in (
        lambda: iosq.open(lake).arrow(QUESTION),
        lambda: iosq.open(lake, system="SYSA").advise("pav"),
        lambda: iosq.anonymize(lake, lake.parent / "copy"),
    ):
        with pytest.raises(iosq.LakeError) as given:
            work()
        assert str(given.value) == text
    assert [a.what for a in iosq.doctor(lake)] == [checked.SPOILT]
    path.write_bytes(was)
    assert iosq.open(lake).arrow(QUESTION) == answer


def test_a_file_is_read_whole_once(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []
    known = checked.file_hash
    monkeypatch.setattr(checked, "file_hash", lambda path: read.append(path) or known(path))  # type: ignore[func-returns-value]
    for _ in range(3):
        Lake(lake).parts()
    assert sorted(read) == sorted(p for paths in Lake(lake).parts().values() for p in paths)
    read.clear()
    path = a_file(lake)
    path.write_bytes(path.read_bytes())
    Lake(lake).parts()
    assert read == [path], "what was written again is read again"


@pytest.mark.parametrize("kept", ["folder", "garbage", "none"])
def test_without_its_memory_a_lake_answers_too(lake: Path, kept: str) -> None:
    answer = iosq.open(lake).arrow(QUESTION)
    (lake / checked.NAME).unlink()
    if kept == "folder":
        (lake / checked.NAME).mkdir()
    elif kept == "garbage":
        (lake / checked.NAME).write_bytes(b"\xff\xfe\t\n\t\t\n" * 9)
    assert iosq.open(lake).arrow(QUESTION) == answer
    scrambled(a_file(lake), 1)
    with pytest.raises(iosq.LakeError, match=checked.SPOILT):
        iosq.open(lake).arrow(QUESTION)


def test_what_is_no_longer_there_is_forgotten_in_the_end(lake: Path) -> None:
    """Soon enough that the memory of a lake does not grow with its age."""
    Lake(lake).parts()
    gone, other = sorted(checked.known(lake))[:2]
    (lake / gone).unlink()
    sizes = []
    for turn in range(500):
        os.utime(lake / other, (turn, turn))
        checked.spoilt(lake, [(other, checked.file_hash(lake / other))])
        assert other in checked.known(lake)
        sizes.append((lake / checked.NAME).stat().st_size)
    assert gone.encode() not in (lake / checked.NAME).read_bytes()
    assert max(sizes) < (lake / checked.NAME).stat().st_size + 300 * 150, "of 500 turns, 150 bytes each"


def test_two_processes_add_to_one_memory(lake: Path) -> None:
    """Lines that another process adds are read, also half of one at first."""
    Lake(lake).parts()
    before, line = dict(checked.known(lake)), f"{'0' * 32} 1 2 3\tsome/file\n"
    with (lake / checked.NAME).open("a") as file:
        for part in (line[:20], line[20:]):
            assert checked.known(lake) == before
            file.write(part)
            file.flush()
    assert checked.known(lake) == {**before, "some/file": f"{'0' * 32} 1 2 3"}
