"""The guide's examples run, in their order, on a lake made for it."""

import re
from pathlib import Path

import polars as pl
import pytest

import iosq

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "python.md"
BLOCK = re.compile(r"^```python( skip)?\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from iosq.toolkit.sample import write

    made = tmp_path_factory.mktemp("python")
    write(made / "dumps", intervals=[34, 39, 43])
    iosq.ingest(made / "lake", [made / "dumps"])
    return made


def test_examples_of_the_guide_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    names: dict[str, object] = {}
    blocks = [code for skipped, code in BLOCK.findall(GUIDE.read_text("utf-8")) if not skipped]
    assert len(blocks) > 6
    for code in blocks:
        exec(compile(code, str(GUIDE), "exec"), names)
    waits = names["waits"]
    assert isinstance(waits, pl.DataFrame)
    assert waits.height > 10
    assert (folder / "waits.svg").stat().st_size > 1000
    assert (folder / "report.html").stat().st_size > 1000


def test_a_view_is_the_same_lazily_and_in_sql(folder: Path) -> None:
    lake = iosq.open(folder / "lake", system="SYSA", lcu="12")
    whole = lake.sql("SELECT volume, io_rate FROM volume_interval WHERE io_rate > $least ORDER BY ALL", least=40)
    lazy = lake.volume_interval.filter(pl.col("io_rate") > 40).select("volume", "io_rate").sort("volume", "io_rate")
    assert 0 < whole.height < lake.volume_interval.collect().height
    assert whole.equals(lazy.collect())
    assert lake.volume_interval.head(3).collect().height == 3


def test_a_lake_at_another_time_keeps_the_rest(folder: Path) -> None:
    lake = iosq.open(folder / "lake", system="SYSA")
    later = lake.during("2025-11-18T09:30..T10:00")
    assert later.where.systems == ("SYSA",)
    assert 0 < later.volume_interval.collect().height < lake.volume_interval.collect().height
    assert "SYSA" in repr(later)
