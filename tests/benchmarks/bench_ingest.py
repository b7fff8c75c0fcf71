"""The whole way into the lake, Parquet included, against decoding alone; wall time, for both cores count."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from iosq.toolkit.lake import Lake, ingest
from tests.benchmarks import smf_files
from tests.benchmarks.bench_decode import decode

ROUNDS = 3


def main() -> list[tuple[str, str, str]]:
    """Rows of what was measured, the figure and what is wanted."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dump = smf_files.devices(folder, 150)
        size = dump.stat().st_size / 1e9
        alone = whole = 0.0
        for number in range(ROUNDS):
            begin = time.perf_counter()
            decode(dump)
            between = time.perf_counter()
            ingest(Lake(folder / f"lake{number}"), [dump])
            alone = max(alone, size / (between - begin))
            whole = max(whole, size / (time.perf_counter() - between))
    return [
        ("decoding alone", f"{alone:.3f} GB/s", ""),
        ("ingest with Parquet", f"{whole:.3f} GB/s", ""),
        ("ingest / decoding", f"{whole / alone:.0%}", "35%"),
    ]
