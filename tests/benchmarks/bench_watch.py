"""A day every night: what `iosq watch --once` costs as the lake grows. It should stay the same.

`python -m tests.benchmarks.bench_watch [--nights N] [--scale S] [--quarters Q]` makes a day of dumps after the other
(two systems, Q intervals), and runs the command of the guide "Every night" on it, with the page of the last week.
By default it takes 6 minutes of processor time.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from iosq.toolkit.sample import write
from tests.benchmarks.bench_lake import Cost, Size

WEEK = 7  # nights until the page has all of its days
GROWTH = 1.2  # of the last nights over the first whole week: our choice, above what nights differ by


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


def main(nights: int = 3 * WEEK, scale: int = 1, quarters: int = 8) -> list[tuple[str, str, str]]:
    """Rows of (what, figure, wanted)."""
    with tempfile.TemporaryDirectory() as folder:
        costs = [night(Path(folder), n, Size(scale, nights, quarters)) for n in range(nights)]
    first, last = (median(c.cpu for c in own) for own in (costs[WEEK : 2 * WEEK], costs[-WEEK:]))
    return [("CPU of the last week's nights over the second week's", f"{last / first:.2f}", f"< {GROWTH}")]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("nights", 3 * WEEK), ("scale", 1), ("quarters", 8)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    if given.nights < 3 * WEEK:
        parser.error(f"two weeks are compared after the first: --nights {3 * WEEK} at least")
    for row in main(**vars(given)):
        print(*row, sep="\t", flush=True)
