"""A lake without device measurements says what it holds and what to collect, whatever it is asked."""

from pathlib import Path

import pytest
from mon_support import ROOT, encode, file, minute, system

from iosq.toolkit.errors import RequestError
from tests.command import invoked

CHANNELS = (ROOT / "tests/golden/fcx/fcx161.txt").read_bytes()
DETAILS = (ROOT / "tests/golden/fcx/fcx110.txt").read_bytes()
CACHE = (ROOT / "tests/golden/fcx/fcx111.txt").read_bytes()
NAMELESS = b"\n".join(line[:79] for line in (ROOT / "tests/golden/fcx/fcx111.txt").read_bytes().splitlines()) + b"\n"
UNREAD = b" FCX102      CPU 3906  SER 1A2B3  Interval 10:00:00 - 10:10:00      Perf. Monitor\n Real SSCH 12\n"
NO_SYSTEM = file([encode("D6R3", minute(i), RDEVSID=1, RDEVDEV="A100", SCGSSCH=60 * i) for i in range(3)])
POOLS = file([system(), encode("D6R29", minute(1), HPPOOLNM=1)])


@pytest.mark.parametrize(
    ("data", "held", "also"),
    [
        (CHANNELS, "FCX161 (Channel load and distribution (LCHANNEL))", "SELECT * FROM fcx161"),
        (DETAILS, "FCX110 (I/O device details (DEVICE rdev))", "SELECT * FROM fcx110"),
        (CACHE, "FCX111 (Control-unit cached disks)", "FCX108"),
        (NAMELESS, "FCX111 (Control-unit cached disks)", "the pages name no system"),
        (NO_SYSTEM, "D6R3 (device activity)", "samples without a D1R4"),
        (UNREAD, "fcx102: report not understood, lines counted only: System counters (SYSTEM)", "FCX108"),
        (POOLS, "D1R4 (system configuration) and D6R29 (HyperPAV pool created)", "MONITOR SAMPLE ENABLE I/O"),
    ],
)
def test_what_is_there_and_what_to_collect_is_in_the_refusal(data: bytes, held: str, also: str, tmp_path: Path) -> None:
    (tmp_path / "input").write_bytes(data)
    lake = str(tmp_path / "lake")
    assert invoked(["ingest", str(tmp_path / "input"), "--lake", lake]).exit_code in (0, 3)
    done = invoked(["report", "--lake", lake, "-o", str(tmp_path / "page.html")])
    assert isinstance(done.exception, RequestError)
    text = str(done.exception)
    assert "\n" not in text and held in text and also in text
    assert "74.1" not in text
