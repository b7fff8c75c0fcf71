"""The whole way into the lake, Parquet included: CPU and wall time next to decoding alone and SHA-256 of the same dump.

CPU seconds count all threads and processes; the best of several rounds in turn, for other work on the machine disturbs
that least. SHA-256 is as fast as the processor's instructions for it make it: where it has none, ratios are a third.
"""

import hashlib
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.lake.source import identify
from tests.benchmarks import smf_files
from tests.benchmarks.bench_decode import decode

ROUNDS = 3
MEGABYTES = 600


class Spent(NamedTuple):
    """Seconds."""

    cpu: float
    wall: float


def spent(work: Callable[[], object]) -> Spent:
    """Time of this process and of those it began and saw end."""
    begin, wall = os.times(), time.perf_counter()
    work()
    end = os.times()
    return Spent(sum(end[:4]) - sum(begin[:4]), time.perf_counter() - wall)


def sha256(dump: Path) -> None:
    """Hash a file, a MiB at a time."""
    digest = hashlib.sha256()
    with dump.open("rb", buffering=0) as file:
        while data := file.read(1 << 20):
            digest.update(data)


def main() -> list[tuple[str, str, str]]:
    """Rows of what was measured, the figure and what is wanted."""
    best: dict[str, Spent] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dump = smf_files.devices(folder, MEGABYTES)
        size = dump.stat().st_size / 1e9
        for number in range(ROUNDS):
            for what, work in _works(folder / str(number), dump).items():
                now = spent(work)
                known = best.get(what, now)
                best[what] = Spent(min(known.cpu, now.cpu), min(known.wall, now.wall))
    yardstick = best["SHA-256"].cpu
    return [
        (what, f"{t.cpu / size:.2f} CPU s/GB, {size / t.wall:.2f} GB/s, {t.cpu / yardstick:.1f} x SHA-256", "")
        for what, t in best.items()
    ]


def _works(folder: Path, dump: Path) -> dict[str, Callable[[], object]]:
    cores = os.cpu_count() or 1
    return {
        "SHA-256": lambda: sha256(dump),
        "the hash by which it is known": lambda: identify(dump),
        "decoding alone": lambda: decode(dump),
        "ingest, one process": lambda: ingest(Lake(folder / "one"), [dump]),
        f"ingest, {cores} processes, their start included": lambda: ingest(Lake(folder / "all"), [dump], jobs=cores),
    }
