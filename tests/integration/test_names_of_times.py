"""What instants are called in files and tables of lakes of listings: no name promises an unknown UTC."""

from pathlib import Path

import pytest
from test_listing_without_interval import PAGE, TIMES

import iosq
from iosq.simulate import Given, Wish

DUMP = Path(__file__).parents[2] / "sample-data" / "smf" / "sysa.smf.gz"
VIEW = "SELECT system, interval_start, io_rate FROM device_interval WHERE source = 'rmf.device' ORDER BY interval_start"
RAW = "SELECT system, interval_start, activity_rate FROM rmf_dasd_device ORDER BY interval_start"
RECORDS = "SELECT system, interval_start FROM smf74_1_record ORDER BY interval_start"
BOTH = f"SELECT x.interval_start FROM ({RAW}) x JOIN device_interval USING (interval_start)"
EITHER = "interval_start, UTC or local as printed"


def listing(folder: Path, system: str, date: str) -> Path:
    path = folder / f"{system}.txt"
    text = "".join(PAGE.format(interval="15.00.000", time=time) for time in TIMES)
    path.write_text(text.replace("SYSE", system).replace("03/12/2026", date), "latin-1")
    return path


@pytest.fixture(scope="module")
def lakes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("names")
    near, far = listing(folder, "SYSA", "11/18/2025"), listing(folder, "SYSE", "03/12/2026")
    inputs = {"listings": [far], "known": [near, DUMP], "unknown": [near, far, DUMP], "records": [DUMP]}
    for name, paths in inputs.items():
        iosq.ingest(folder / name, paths)
    return {name: folder / name for name in inputs}


@pytest.mark.parametrize(
    ("lake", "asked", "in_file", "in_table", "first"),
    [
        ("listings", VIEW, "interval_start_local", "interval_start, local as printed", "2026-03-12 09:00"),
        ("listings", RAW, "interval_start_local", "interval_start, local as printed", "2026-03-12 09:00"),
        ("known", VIEW, "interval_start", "interval_start, local (+01:00)", "2025-11-18 09:00"),
        ("known", RAW, "interval_start_local", "interval_start, local as printed", "2025-11-18 09:00"),
        ("unknown", VIEW, "interval_start", EITHER, "2025-11-18 08:00"),
        ("unknown", RAW, "interval_start_local", "interval_start, local as printed", "2025-11-18 09:00"),
        ("unknown", RECORDS, "interval_start", "interval_start, local (+01:00)", "2025-11-18 01:30"),
        ("unknown", BOTH, "interval_start", EITHER, ""),
        ("records", RECORDS, "interval_start", "interval_start, local (+01:00)", "2025-11-18 01:30"),
    ],
)
def test_names_of_times(
    lakes: dict[str, Path], tmp_path: Path, lake: str, asked: str, in_file: str, in_table: str, first: str
) -> None:
    opened = iosq.open(lakes[lake])
    opened.export(asked, tmp_path / "x.csv")
    heads, *rows = (tmp_path / "x.csv").read_text().splitlines()
    assert in_file in heads.split(",")
    opened.export(asked, tmp_path / "x.txt")
    table = (tmp_path / "x.txt").read_text()
    assert in_table in table and (not rows or first in table.splitlines()[1])


@pytest.mark.parametrize(("lake", "name"), [("listings", "interval_start_local"), ("records", "interval_start")])
def test_names_of_times_of_what_ifs(lakes: dict[str, Path], lake: str, name: str) -> None:
    found = iosq.open(lakes[lake]).simulate.migrate(Wish("ds8100", given=Given(read_ratio=0.7))).common
    assert name in found
