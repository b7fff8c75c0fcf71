"""What one more day costs in a lake of some days: the processors' seconds of its facts.

`python -m tests.benchmarks.bench_day [DAYS …]` makes a lake of the sample that grows. At each number of days all facts
are there; then a day is added, and its facts are computed as `iosq ingest` and the next query do.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from iosq.toolkit.facts.build import ensure_days, facts
from iosq.toolkit.facts.plan import Plan
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.sample import write
from iosq.toolkit.sql.catalog import views

DAYS = (3, 10, 28)


def measured(folder: Path, sizes: Sequence[int] = DAYS) -> Iterator[tuple[int, float, float]]:
    """Of each number of days: seconds of the daily facts of one more day, and of all other facts."""
    lake, days = Lake(folder / "lake"), 0
    for size in sizes:
        _add(lake, folder, range(days, size))
        _stored(lake)
        _add(lake, folder, range(size, size + 1))
        yield size, *_stored(lake)
        days = size + 1


def _add(lake: Lake, folder: Path, days: range) -> None:
    for day in days:
        with tempfile.TemporaryDirectory(dir=folder) as dumps:
            write(Path(dumps), days=range(day, day + 1))
            ingest(lake, [Path(dumps)])


def _stored(lake: Lake) -> tuple[float, float]:
    """Have all facts stored; seconds of the daily ones and of the others."""
    names, begin = {view.name for view in views()}, time.process_time()
    plan = Plan(lake, lake.listed())
    ensure_days(plan)
    daily = time.process_time()
    facts(plan, names)
    return daily - begin, time.process_time() - daily


def table(sizes: Sequence[int] = DAYS) -> list[list[str]]:
    """A line per number of days, with the cost over that of the smallest lake."""
    with tempfile.TemporaryDirectory() as folder:
        found = list(measured(Path(folder), sizes))
    first = sum(found[0][1:])
    lines = [["days", "daily facts", "other facts", "together, over the smallest lake"]]
    return [*lines, *([f"{n}", f"{a:.1f} s", f"{b:.1f} s", f"{(a + b) / first:.2f}"] for n, a, b in found)]


def main(arguments: Sequence[str] = ()) -> list[tuple[str, str, str]]:
    """What one more day costs in lakes of some days."""
    rows = table([*map(int, arguments)] or DAYS)[1:]
    return [
        (f"a day more than {days}", f"{daily}, {others}: {ratio}", "0.8 to 1.2") for days, daily, others, ratio in rows
    ]


if __name__ == "__main__":
    for line in main(sys.argv[1:]):
        print(*line, sep="\t")
