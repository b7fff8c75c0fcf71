"""A lake with a day, and one with two working weeks, for everything that is asked on the command line."""

import datetime as dt
import gzip
import importlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import iosq
from tests.once import asked_once

DAYS = (10, 11, 12, 13, 14, 17, 18, 19, 20, 21)  # of November 2025: two weeks from Monday to Friday
COMPLETE = 17  # the one day measured around the clock; of the others there are two intervals
HOT = 17  # from that day on DB2003 is hot


@pytest.fixture(scope="module", autouse=True)
def answers_are_kept() -> Iterator[None]:
    with asked_once():
        yield


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Gives the folder `day` (lake and smf.dump.gz) or `weeks` (lake); for reading only."""
    made: dict[str, Path] = {}

    def folder(name: str) -> Path:
        if name not in made:
            made[name] = tmp_path_factory.mktemp(name)
            {"day": _day, "weeks": _weeks}[name](made[name])
        return made[name]

    return folder


def _day(folder: Path) -> None:
    from iosq.toolkit.lake.ingest import ingest
    from iosq.toolkit.lake.lake import Lake
    from iosq.toolkit.sample import write

    write(folder / "dumps", intervals=[4, 8, 20, 30, 34, 39, 43, 60])
    ingest(Lake(folder / "lake"), [folder / "dumps"])
    iosq.open(folder / "lake").connection().close()  # facts are stored
    later = write(folder / "later", intervals=[62], packed=())
    (folder / "smf.dump.gz").write_bytes(gzip.compress(next(p for p in later if p.name == "sysa.smf").read_bytes()))


def _weeks(folder: Path) -> None:
    """Intervals of an hour and a half: whole days of quarter hours would take minutes."""
    from iosq.toolkit.lake.ingest import ingest
    from iosq.toolkit.lake.lake import Lake
    from iosq.toolkit.sample import write

    day: Any = importlib.import_module("iosq.toolkit.sample.day")
    usual = day.sysplex
    with pytest.MonkeyPatch.context() as patch:
        for number in DAYS:
            date = dt.date(2025, 11, number)
            patch.setattr(day, "sysplex", lambda *plan, date=date: replace(usual(*plan), date=date, interval_s=5400))
            intervals = range(16) if number == COMPLETE else range(6, 8)
            names = ["hot_volume"] if number >= HOT else ["healthy"]
            write(folder / "dumps" / str(number), seed=number, intervals=intervals, names=names)
    ingest(Lake(folder / "lake"), [folder / "dumps"])
    iosq.open(folder / "lake").connection().close()  # facts are stored
