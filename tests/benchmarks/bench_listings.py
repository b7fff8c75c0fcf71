"""Reading FCX168 listings: this reader next to a straightforward regular-expression parser, in the same run.

`python -m tests.benchmarks.bench_listings [MB]` prints MB/s of both, best of three, on the study's listing repeated.
"""

import io
import re
import sys
import time
from collections.abc import Callable

from iosq.parsers.api import Balance, Batch, Context
from iosq.parsers.fcx import study
from iosq.parsers.fcx.reader import READER

ROW = re.compile(
    r"\s*(?P<addr>[0-9A-F]{4}) (?P<type>\S+)\s+(?P<label>\S+)\s+" + r"\s+".join([r"(\.+|[\d.]+)"] * 17) + r"\s*$"
)
FROM = re.compile(r" From (\S+ \S+)")


class Named(io.BytesIO):
    name = "listing"


def regex_rows(data: bytes) -> int:
    """What a script of fifteen lines does: match each line, convert each cell."""
    rows, start = [], ""
    for line in data.decode("ascii").splitlines():
        if found := ROW.match(line):
            numbers = [None if not text.strip(".") else float(text) for text in found.groups()[3:]]
            rows.append((start, *found.groups()[:3], *numbers))
        elif found := FROM.match(line):
            start = found[1]
    return len(rows)


def reader_rows(data: bytes) -> int:
    """Rows of fcx168 the reader gives, as Arrow batches."""
    found = READER.read(Named(data), Balance(), Context())
    return sum(b.rows.num_rows for b in found if isinstance(b, Batch) and b.table == "fcx168")


def speed(read: Callable[[bytes], int], data: bytes) -> tuple[float, int]:
    """Best of three in MB/s, and rows."""
    best, rows = 0.0, 0
    for _ in range(3):
        begun = time.perf_counter()
        rows = read(data)
        best = max(best, len(data) / 1e6 / (time.perf_counter() - begun))
    return best, rows


def main(megabytes: int = 25) -> None:
    """Print both speeds."""
    cells = [c for c in study.published() if c.controller == "DS8100"]
    once = "".join(f"{line}\n" for line in study.listing(cells)).encode()
    data = once * max(1, round(megabytes * 1e6 / len(once)))
    print(f"FCX168 listing, {len(data) / 1e6:.0f} MB")
    for name, read in (("iosq reader", reader_rows), ("regular expressions", regex_rows)):
        rate, rows = speed(read, data)
        print(f"  {name:<20} {rate:6.1f} MB/s  {rows} rows")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
