"""`iosq doctor` as it is typed."""

from pathlib import Path

import pytest

import iosq
from tests.command import invoked

SAMPLES = Path(__file__).parents[3] / "sample-data" / "smf"


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    iosq.ingest(tmp_path / "lake", [SAMPLES / "tapelib.bdw.smf"])
    return tmp_path / "lake"


def doctor(lake: Path, *words: str) -> tuple[int, str]:
    done = invoked(["doctor", "--lake", str(lake), *words])
    return done.exit_code, done.stdout


def test_a_whole_lake(lake: Path) -> None:
    assert doctor(lake) == (0, "nothing is wrong\n")


def test_a_lost_file_ends_with_3_and_is_mended(lake: Path) -> None:
    lost = next(lake.glob("smf94_1_mount/*/*/*.parquet"))
    lost.unlink()
    code, text = doctor(lake)
    assert (code, text) == (3, f"{lost.relative_to(lake)} is missing\n")
    code, text = doctor(lake, "--repair", "--from", str(SAMPLES))
    assert code == 0
    assert "read again from" in text
    assert doctor(lake, "--hashes") == (0, "nothing is wrong\n")


def test_inputs_without_repair_are_refused(lake: Path) -> None:
    assert doctor(lake, "--from", str(SAMPLES))[0] == 1
