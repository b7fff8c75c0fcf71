"""A day every night: what `iosq watch --once` costs in lakes of different ages. It should be the same in all.

`python -m tests.benchmarks.bench_watch [--scale S] [--quarters Q] [DAYS …]` makes a lake of each number of days (two
systems, Q intervals a day), then runs the command of the guide "Every night" on each of the next nights. The first of
them also computes what bringing in many days at once left undone, so the cheapest of the others counts.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import iosq
from iosq.toolkit.sample import write
from tests.benchmarks.bench_lake import ROWS, Cost, Size, ingest

NIGHTS = 3
GROWTH = 1.2  # our choice, above what nights differ by


def night(folder: Path, number: int, size: Size) -> Cost:
    """The cost of a night: its dumps arrive, and the command takes them."""
    dumps = folder / "in" / f"{number:03}"
    write(dumps, scale=size.scale, days=range(number, number + 1), intervals=size.intervals)
    for path in dumps.iterdir():
        os.utime(path, (1e9 + number, 1e9 + number))
    options = ("--once", "--settle", "0", "--lake", folder / "lake", "-o", folder / "page.html")
    began, used = time.perf_counter(), os.times()
    done = subprocess.run(
        [sys.executable, "-m", "iosq", "watch", folder / "in", *options], capture_output=True, text=True
    )
    wall, after = time.perf_counter() - began, os.times()
    if done.returncode not in (0, 10) or '"stored"' not in done.stdout:
        raise SystemExit(f"night {number}: code {done.returncode}\n{done.stdout}{done.stderr}")
    cpu = after.children_user + after.children_system - used.children_user - used.children_system
    print(f"night {number + 1}: {cpu:.1f} s CPU, {wall:.1f} s", file=sys.stderr, flush=True)
    return Cost(cpu, wall)


def nights(size: Size) -> tuple[int, Cost]:
    """Rows of a lake of some days, and what a night costs there."""
    with tempfile.TemporaryDirectory() as folder:
        ingest(Path(folder, "lake"), size, 0, size.days)
        costs = [night(Path(folder), size.days + n, size) for n in range(NIGHTS)]
        return int(iosq.open(Path(folder, "lake")).sql(ROWS)["n"][0]), min(costs[1:])


def main(days: Sequence[int] = (7, 35), scale: int = 1, quarters: int = 8) -> list[tuple[str, str, str]]:
    """Rows of (what, figure, wanted)."""
    found = {n: nights(Size(scale, n, quarters)) for n in days}
    least = min(cost.cpu for _, cost in found.values())
    return [
        (f"a night after {n} days, {rows:,} rows", f"{cost.cpu:.1f} s CPU, {cost.cpu / least:.2f}", f"< {GROWTH}")
        for n, (rows, cost) in found.items()
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("days", nargs="*", type=int, default=(7, 35), metavar="DAYS")
    parser.add_argument("--scale", type=int, default=1)
    parser.add_argument("--quarters", type=int, default=8)
    for row in main(**vars(parser.parse_args())):
        print(*row, sep="\t")
