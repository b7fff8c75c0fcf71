"""How fast device listings and RMF XML are read, next to what a good script would do, in the same run.

    python -m tests.benchmarks.rmf_listing [devices]

The yardsticks give lists of converted values and nothing else: no issues, no balance, no batches, and they know one
layout by heart. They are what the reader is measured against, not what it could be replaced by.
"""

import io
import re
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from random import Random

from iosq.parsers.api import Balance, Batch, Context, Reader
from iosq.parsers.rmf.reader import RmfReader
from iosq.parsers.rmfxml.reader import RmfXmlReader
from tests.parsers.rmf.rmf_layouts import dasd_page, pages

SAMPLE = Path(__file__).parents[2] / "sample-data" / "rmf" / "pp-cpu-34-intervals-zosv2r4.xml"
LINES_PER_PAGE = 50
NUMBER = r"\s+([\d.]+[KMG]?|-+)"
ROW = re.compile(
    r"^[ 01]?(.{8})\s+([0-9A-F]{4,5}) +(\S+)\s+(\d+)\s+(\S{1,6})?\s+([\d.]+)([H*]*)\s+([0-9A-F]{4})"
    r"\s+([\d.]+[KMG]?)(S?)" + 13 * NUMBER
)
HEAD = re.compile(r"SYSTEM ID (\S+).*DATE (\S+).*INTERVAL (\S+)")


class Named(io.BytesIO):
    """Bytes with the name a stream must have."""

    name = "benchmark"


def listing(devices: int, *, same: bool = False) -> bytes:
    """A device report of that many devices, page after page; of all numbers as wide as each other if `same`."""
    rows = [_same(n) if same else _same(n) | _varied(Random(n)) for n in range(devices)]
    when = {"system": "SYSF", "date": "02/11/2024", "time": "09.15.00", "interval": "15.00.000"}
    parts = [rows[i : i + LINES_PER_PAGE] for i in range(0, devices, LINES_PER_PAGE)]
    return pages(*[dasd_page(part, page=i + 1, **when) for i, part in enumerate(parts)], control=True)


def _same(n: int) -> dict[str, object]:
    return {
        "storage_group": "SGPROD", "device": f"{n % 65536:05X}", "device_type": "33909", "cylinders": 10017,
        "volser": f"V{n % 100000:05d}", "pav": 1.2, "pav_mark": "H", "lcu": f"{n // 256 % 65536:04X}",
        "activity_rate": n % 977 + 0.123, "resp_ms": 3.24, "iosq_ms": 0.01, "cmr_ms": 0.02, "db_ms": 0.0,
        "int_ms": 0.0, "pend_ms": 0.133, "disc_ms": 1.17, "conn_ms": 1.93, "conn_pct": 6.94, "util_pct": 11.14,
        "resv_pct": 0.0, "alloc_avg": 12.0, "alloc_pct": 100.0,
    }  # fmt: skip


def _varied(random: Random) -> dict[str, object]:
    """Numbers of different widths, as devices have them."""
    iosq, pend, disc, conn = (round(random.lognormvariate(0, 1) * mean, 2) for mean in (0.02, 0.2, 0.5, 0.8))
    return {
        "storage_group": random.choice(("SGPROD", "DB2", "")), "cylinders": random.choice((3339, 65520, 262668)),
        "pav": random.choice((1, 1.2, 2.5, 4)), "activity_rate": round(random.lognormvariate(0, 1) * 30, 3),
        "resp_ms": iosq + pend + disc + conn, "iosq_ms": iosq, "pend_ms": pend, "disc_ms": disc, "conn_ms": conn,
        "conn_pct": random.lognormvariate(0, 1) * 3, "alloc_avg": float(random.randrange(900)),
    }  # fmt: skip


def by_expression(data: bytes) -> int:
    """The device rows by one regular expression for the layout; their number."""
    values: list[list[object]] = [[] for _ in range(26)]
    system = date = interval = ""
    scale = {"K": 1e3, "M": 1e6, "G": 1e9}
    for line in data.decode("latin-1").splitlines():
        found = ROW.match(line)
        if found:
            texts = found.groups()
            for column, text in zip(values, (system, date, interval, *texts[:8]), strict=False):
                column.append(text)
            for column, text in zip(values[11:], texts[8:9] + texts[10:], strict=False):
                column.append(float(text) if text[-1].isdigit() else float(text[:-1] or 0) * scale.get(text[-1], 0.0))
        elif "SYSTEM ID" in line and (head := HEAD.search(line)):
            system, date, interval = head.groups()
    return len(values[3])


def by_tree(data: bytes) -> int:
    """Every cell of an XML document by the standard library's tree; their number."""
    cells = [
        (report.findtext("resource/resname"), segment.findtext("name"), column.text)
        for report in ElementTree.fromstring(data).iter("postprocessor")
        for segment in report.iter("segment")
        for row in segment.iter("row")
        for column in row.iter("col")
        if column.text
    ]
    return len(cells)


def by_reader(reader: Reader, data: bytes) -> int:
    """Rows the product gives."""
    items = reader.read(Named(data), Balance(), Context())
    return sum(item.rows.num_rows for item in items if isinstance(item, Batch))


def speed(work: Callable[[bytes], int], data: bytes, rounds: int = 3) -> tuple[float, int]:
    """Best MB per second of processor time of some rounds, and what the work gave."""
    best, result = 0.0, 0
    for _ in range(rounds):
        begin = time.process_time()
        result = work(data)
        best = max(best, len(data) / 1e6 / (time.process_time() - begin))
    return best, result


def main() -> None:
    """Print a line per way of reading."""
    devices = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    text, xml = listing(devices), SAMPLE.read_bytes()
    ways: list[tuple[str, Callable[[bytes], int], bytes]] = [
        ("listing, iosq", lambda d: by_reader(RmfReader(), d), text),
        ("listing, regular expression", by_expression, text),
        ("XML, iosq", lambda d: by_reader(RmfXmlReader(), d), xml),
        ("XML, element tree (cells only)", by_tree, xml),
    ]
    for name, work, data in ways:
        rate, rows = speed(work, data)
        print(f"{name:32} {len(data) / 1e6:6.1f} MB  {rate:6.1f} MB/s  {rows:,} rows")


if __name__ == "__main__":
    main()
