"""An ingest that stores nothing leaves no lake behind; one that was there stays."""

from pathlib import Path

from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake

SAMPLES = Path(__file__).parents[3] / "sample-data" / "smf"


def test_nothing_is_left_of_a_failed_ingest(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("nothing iosq knows")
    for path in (tmp_path / "letter.txt", tmp_path / "missing.smf"):
        (outcome,) = ingest(Lake(tmp_path / "lake"), [path])
        assert outcome.status == "refused"
        assert not (tmp_path / "lake").exists()


def test_a_folder_with_something_else_in_it_stays(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    (lake / ".staging").mkdir(parents=True)
    ingest(Lake(lake), [tmp_path / "missing.smf"])
    assert not list(tmp_path.rglob("manifest*"))


def test_a_lake_that_was_there_stays(tmp_path: Path) -> None:
    lake = Lake(tmp_path / "lake")
    ingest(lake, [SAMPLES / "tapelib.bdw.smf"])
    ingest(lake, [tmp_path / "missing.smf"])
    assert lake.parts()
    empty = Lake(tmp_path / "empty")
    empty.create()
    ingest(empty, [tmp_path / "missing.smf"])
    assert empty.parts() == {}
