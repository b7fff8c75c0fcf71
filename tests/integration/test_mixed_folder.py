"""A folder as an analyst has it: dumps, listings, XML, monitor data, a packed listing and a note, in one lake."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from lakes import GRAIN, ROOT, doubled, filled, opened, rows
from mon_support import SYSTEM_NAME, encode, file, minute
from mon_support import device as known_device
from mon_support import system as configured
from packaging_writers import record_codes, terse_file

import iosq
from iosq.parsers.fcx import printer
from iosq.toolkit.sql.catalog import unstored
from tests.settle import settled

GOLDEN = ROOT / "tests" / "golden"


def monitor() -> bytes:
    """Six minutes of one z/VM disk: 600 starts a minute at 0.5 ms, UTC - 5 hours."""
    start = [configured(), known_device(0x10, "0A10", "VMVOL1")]
    counts = {"SCGSSCH": 600, "SCGCOUNT": 600, "SCMFPTIM": 400, "SCMDDTIM": 800, "SCMCNTIM": 1200, "HFCTIO": 30}
    samples = [
        [encode("D6R3", minute(i), RDEVSID=0x10, RDEVDEV="0A10", RDEVSER="VMVOL1", **_times(counts, i))]
        for i in range(1, 8)
    ]
    return file(start, *samples)


def _times(counts: dict[str, int], factor: int) -> dict[str, int]:
    return {name: factor * count for name, count in counts.items()}


@pytest.fixture(scope="module")
def files() -> dict[str, bytes | Path]:
    listing = (GOLDEN / "fcx/fcx108.txt").read_bytes()
    records = [line.encode("cp037") for line in (GOLDEN / "rmf/chan.txt").read_text().splitlines()]
    return {
        "sysa.smf.gz": ROOT / "sample-data/smf/sysa.smf.gz",
        "tapes.smf": ROOT / "sample-data/smf/tapelib.bdw.smf",
        "devices.txt": GOLDEN / "rmf/device.txt",
        "cache.txt": GOLDEN / "rmf/cache.txt",
        "reports.xml": GOLDEN / "rmf/reports.xml",
        "perfkit.txt": listing,
        "perfkit-cache.txt": GOLDEN / "fcx/fcx111.txt",
        "perfkit-channels.txt": GOLDEN / "fcx/fcx215.txt",
        "monitor.bin": monitor(),
        "channels.trs": terse_file(record_codes(records)),
        "note.txt": b"Please look at DB2003, it was slow last night.\n",
    }


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes | Path]) -> Iterator[dict[str, Any]]:
    found, outcomes = filled(tmp_path_factory.mktemp("mixed"), files)
    con = opened(found)
    with settled(con, GRAIN):
        yield {"con": con, "outcomes": outcomes}


def test_every_file_is_taken_for_what_it_is_and_balances(lake: dict[str, Any]) -> None:
    outcomes = lake["outcomes"]
    assert {n: o.kind for n, o in outcomes.items()} == {
        "sysa.smf.gz": "smf", "tapes.smf": "smf", "devices.txt": "rmf.listing", "cache.txt": "rmf.listing",
        "reports.xml": "rmf.xml", "perfkit.txt": "fcx", "perfkit-cache.txt": "fcx", "perfkit-channels.txt": "fcx",
        "monitor.bin": "monwrite", "channels.trs": "rmf.listing", "note.txt": "",
    }  # fmt: skip
    assert {n for n, o in outcomes.items() if o.status != "stored"} == {"note.txt"}
    assert all(o.balance.balanced for o in outcomes.values())
    assert all(o.balance.read > 0 for n, o in outcomes.items() if n != "note.txt")
    (row,) = rows(lake["con"], "SELECT count(*) AS n FROM lake_files WHERE records_read <> decoded + skipped + failed")
    assert row["n"] == 0


@pytest.mark.parametrize("view", GRAIN)
def test_every_promised_view_keeps_its_grain(lake: dict[str, Any], view: str) -> None:
    assert rows(lake["con"], f"SELECT count(*) AS n FROM {view}")[0]["n"] > 0
    assert not doubled(lake["con"], view)


@pytest.mark.parametrize(
    "view", ["device_interval", "volume_interval", "pav_candidate", "cache_interval", "channel_interval"]
)
def test_one_question_is_answered_for_both_systems(lake: dict[str, Any], view: str) -> None:
    found = rows(lake["con"], f"SELECT DISTINCT platform FROM {view} ORDER BY platform")
    assert [r["platform"] for r in found] == ["z/OS", "z/VM"]


def test_each_source_has_its_part(lake: dict[str, Any]) -> None:
    found = {r["source"] for r in rows(lake["con"], "SELECT DISTINCT source FROM device_interval")}
    assert found == {"smf74.1", "rmf.device", "fcx108", "mon.d6r3"}


def test_a_note_is_left_out_when_met_in_a_folder(lake: dict[str, Any]) -> None:
    assert lake["outcomes"]["note.txt"].status == "left_out"


def perfkit(minutes: range) -> bytes:
    """The listing of the monitor's disk, a page for each minute, printed in local time."""
    lines: list[str] = []
    for number, at in enumerate(minutes, 1):
        start = minute(at) - timedelta(hours=5)
        head = printer.Head("FCX108", "INTERIM DEVICE", "General I/O Device Load", SYSTEM_NAME, start, 60)
        cells = ["0", "4", "10.0", ".0", ".1", ".2", ".3", ".6", ".9", ".0", ".0", "1", "50", "0", "0", "....", "...."]
        lines += printer.page(
            head, number, printer.DEVICE, [printer.row(printer.DEVICE, ["0A10", "3390-3", "VMVOL1", *cells])]
        )
    return "".join(f"{line}\n" for line in lines).encode()


def test_monitor_data_and_a_listing_of_the_same_minutes_count_once(tmp_path: Path) -> None:
    """Monitor records win; the listing's other minutes come to UTC with the monitor's zone."""
    found, _ = filled(tmp_path, {"monitor.bin": monitor(), "perfkit.txt": perfkit(range(20))})
    sql = "SELECT interval_start, source, io_rate, utc_offset_s FROM device_interval ORDER BY interval_start"
    answers = rows(opened(found), sql)
    assert [r["interval_start"] for r in answers] == [minute(i) for i in range(20)]
    assert [r["source"] for r in answers] == ["fcx108"] + ["mon.d6r3"] * 6 + ["fcx108"] * 13
    assert {r["utc_offset_s"] for r in answers} == {-18000}
    assert sum(r["io_rate"] for r in answers) == pytest.approx(200)


def test_another_systems_monitor_data_leaves_a_listing_alone(tmp_path: Path) -> None:
    listing = perfkit(range(20)).replace(SYSTEM_NAME.encode(), b"VMSYS9")
    found, _ = filled(tmp_path, {"monitor.bin": monitor(), "perfkit.txt": listing})
    sql = "SELECT source, count(*), count(utc_offset_s) FROM device_interval GROUP BY source ORDER BY source"
    assert opened(found).execute(sql).fetchall() == [("fcx108", 20, 0), ("mon.d6r3", 6, 6)]


def test_a_lake_of_listings_alone_answers_what_is_asked_of_each_computed_view(tmp_path: Path) -> None:
    """Sources that read records have no rows there, and no tables to read."""
    iosq.ingest(tmp_path / "lake", [GOLDEN / "fcx" / "fcx108.txt"])
    lake = iosq.open(tmp_path / "lake")
    counts = {name: lake.sql(f"SELECT count(*) FROM {name}").item() for name in sorted(unstored())}
    assert counts["alias_pool_load"] == counts["way_interval"] == 0
