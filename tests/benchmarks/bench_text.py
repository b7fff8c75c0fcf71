"""How fast printed reports are read: RMF listings, RMF XML and Performance Toolkit listings, each kind by itself.

Real and golden pages are repeated under other times until there are some MB. MB per second of processor time, best of
three: of the reader alone, and of the whole way into a lake.
"""

import io
import re
import tempfile
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from iosq.parsers.api import Balance, Context
from iosq.parsers.registry import recognise
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake
from tests.benchmarks.rmf_listing import listing

ROOT = Path(__file__).parents[2]
REAL, RMF, FCX = ROOT / "sample-data" / "rmf", ROOT / "tests" / "golden" / "rmf", ROOT / "tests" / "golden" / "fcx"
MEGABYTES = 3
ROUNDS = 3
_AMERICAN = re.compile(rb"\d\d/\d\d/20\d\d")
_CLOCK = re.compile(rb"\b(?:09|11)\.(?=\d\d\.\d\d\b)")
_STAMP = re.compile(rb"20\d\d/\d\d/\d\d \d\d:\d\d:\d\d")


class Named(io.BytesIO):
    """Bytes with the name a stream must have."""

    name = "benchmark"


def repeated(once: bytes, hours: int = 1, size: int = MEGABYTES * 1_000_000) -> bytes:
    """Pages again and again, every time some hours later."""
    first = datetime(2024, 3, 5)
    times = [first + timedelta(hours=hours * n) for n in range(max(1, size // len(once)))]
    return b"".join(_moved(once, moved, moved - first) for moved in times)


def _moved(once: bytes, at: datetime, by: timedelta) -> bytes:
    """RMF's pages print days and times apart from each other, those of the Performance Toolkit whole stamps."""
    once = _STAMP.sub(lambda m: f"{datetime.fromisoformat(_iso(m.group())) + by:%Y/%m/%d %H:%M:%S}".encode(), once)
    return _CLOCK.sub(f"{at:%H.}".encode(), _AMERICAN.sub(f"{at:%m/%d/%Y}".encode(), once))


def _iso(stamp: bytes) -> str:
    return stamp.decode().replace("/", "-")


def _files(*paths: Path) -> bytes:
    return b"".join(p.read_bytes() for p in paths)


def inputs() -> dict[str, bytes]:
    """What is read, by what it is."""
    golden, real = Path.read_bytes, (REAL / "pp-cpu-34-intervals-zosv2r4.xml").read_bytes()
    return {
        "RMF devices, many": listing(20_000),
        "RMF devices, all same": listing(20_000, same=True),
        "RMF devices, all kinds of rows": repeated(golden(RMF / "device.txt")),
        "RMF cache": repeated(golden(RMF / "cache.txt")),
        "RMF I/O queuing": repeated(golden(REAL / "ioq-superpav-zosv2r2.txt")),
        "RMF channels and ranks": repeated(_files(*(RMF / f"{n}.txt" for n in ("chan", "ess", "ess-ranks")))),
        "RMF XML, CPU (real)": repeated(real, hours=24),
        "RMF XML, devices": repeated(_rows(RMF / "reports.xml")),
        "RMF XML, all I/O reports": repeated(golden(RMF / "reports.xml")),
        "FCX108, devices": repeated(_devices(FCX / "fcx108.txt")),
        "FCX, all reports": repeated(_files(*sorted(FCX.glob("fcx*.txt")))),
    }


def _rows(document: Path) -> bytes:
    """A document with 500 rows of its first table, and nothing behind that."""
    head, row, rest = document.read_bytes().partition(b'<row refno="1">')
    row += rest[: rest.index(b"</row>") + 6]
    rows = [row.replace(b"02208", b"%05X" % (0x2000 + n)).replace(b'"1"', b'"%d"' % n) for n in range(500)]
    return head + b"\n".join(rows) + b"</table></part></segment></postprocessor></ddsml>\n"


def _devices(page: Path) -> bytes:
    """A page of fifty devices."""
    lines = page.read_bytes().split(b"\n")
    rows = [line for line in lines if line.startswith(b" A10")]
    body = [b" %04X%s" % (0xA000 + n, rows[n % len(rows)][5:]) for n in range(50)]
    return b"\n".join([*lines[:9], *body, b""])


def read(data: bytes) -> None:
    """By its reader alone."""
    reader = recognise(data[:65536])
    assert reader is not None
    for _ in reader.read(Named(data), Balance(), Context()):
        pass


def into_lake(data: bytes) -> None:
    """The whole way."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "listing.txt"
        path.write_bytes(data)
        ingest(Lake(Path(folder) / "lake"), [path])


def rate(work: Callable[[bytes], object], data: bytes) -> float:
    """MB per second of processor time."""
    best = 0.0
    for _ in range(ROUNDS):
        begin = time.process_time()
        work(data)
        best = max(best, len(data) / 1e6 / (time.process_time() - begin))
    return best


def main() -> list[tuple[str, str, str]]:
    """Rows of what was measured, the figure and what is wanted."""
    found = []
    for name, data in inputs().items():
        alone, whole = rate(read, data), rate(into_lake, data)
        found.append((f"{name}, {len(data) / 1e6:.1f} MB", f"{alone:.1f} MB/s, into a lake {whole:.1f} MB/s", ""))
    return found
