"""Decoding against the plain-Python struct loop on the same file, other types, and peak memory at two sizes.

CPU time, the best of several rounds in turn: other work on the machine disturbs it least.
"""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from iosq.parsers.api import Balance, Context
from iosq.parsers.smf.reader import READER
from tests.benchmarks import smf_files
from tests.benchmarks.struct_loop import decode_file

ROUNDS = 10


def decode(path: Path) -> int:
    """Read a dump and throw its batches away; the number of records."""
    balance = Balance()
    with path.open("rb", buffering=0) as file:
        for _ in READER.read(file, balance, Context()):
            pass
    return balance.read


def speed(run: Callable[[], object], size: int) -> float:
    """GB per second of CPU time."""
    begin = time.process_time()
    run()
    return size / (time.process_time() - begin) / 1e9


def peak(path: Path) -> float:
    """MB that a process of its own needs at most to decode a file."""
    code = "import sys, pathlib; from tests.benchmarks import bench_decode as b; b.own_peak(pathlib.Path(sys.argv[1]))"
    command = [sys.executable, "-c", code, str(path)]
    return float(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def own_peak(path: Path) -> None:
    """Decode a file and print the peak resident memory of this process in MB."""
    decode(path)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)


def main() -> list[tuple[str, str, str]]:
    """Rows of what was measured, the figure and what is wanted."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small, large = smf_files.devices(folder, 5), smf_files.devices(folder, 100)
        size, other = small.stat().st_size, smf_files.others(folder, 100)
        decode(small)
        loop = fast = skip = 0.0
        for _ in range(ROUNDS):
            loop = max(loop, speed(lambda: decode_file(small.read_bytes()), size))
            fast = max(fast, speed(lambda: decode(large), large.stat().st_size))
            skip = max(skip, speed(lambda: decode(other), other.stat().st_size))
        peaks = [peak(large), peak(smf_files.devices(folder, 400))]
    return [
        ("74.1: struct loop", f"{loop:.3f} GB/s", ""),
        ("74.1: decoder", f"{fast:.3f} GB/s", ""),
        ("74.1: decoder / struct loop", f"{fast / loop:.1f}", "25"),
        ("other types", f"{skip:.2f} GB/s", "1"),
        ("peak memory, 100 MB dump", f"{peaks[0]:.0f} MB", "below 300"),
        ("peak memory, 400 MB dump", f"{peaks[1]:.0f} MB", "below 300"),
    ]
