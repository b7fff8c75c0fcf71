"""What one more day costs in a lake of some days: the processors' seconds of its facts.

`python -m tests.benchmarks.bench_day [DAYS …]` makes a lake of the sample that grows. At each number of days all facts
are there; then a day is added, and its facts are computed: those by day, those that a question about the last week
needs besides (`iosq watch`), and those that sum up all days, which only a question about all days asks for.
"""

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from iosq.toolkit.facts.build import ensure_days, facts
from iosq.toolkit.facts.plan import Plan
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.sample import write
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.connect import shows_part

DAYS = (3, 10, 28)
Costs = tuple[float, float, float]
"""Seconds of the facts by day, of those that a question about a week needs besides, and of those about all days."""


def measured(folder: Path, sizes: Sequence[int] = DAYS) -> Iterator[tuple[int, Costs]]:
    """Of each number of days: what the facts of one more day cost."""
    lake, days = Lake(folder / "lake"), 0
    for size in sizes:
        _add(lake, folder, range(days, size))
        _stored(lake)
        _add(lake, folder, range(size, size + 1))
        yield size, _stored(lake)
        days = size + 1


def _add(lake: Lake, folder: Path, days: range) -> None:
    for day in days:
        with tempfile.TemporaryDirectory(dir=folder) as dumps:
            write(Path(dumps), days=range(day, day + 1))
            ingest(lake, [Path(dumps)])


def _stored(lake: Lake) -> Costs:
    """Have all facts stored."""
    times = [time.process_time()]
    plan = Plan(lake, lake.listed())
    ensure_days(plan)
    facts(plan, plan.joined)
    times.append(time.process_time())
    for names in ({v.name for v in views() if shows_part(v)}, {v.name for v in views()}):
        facts(plan, names)
        times.append(time.process_time())
    first, second, third = (after - before for before, after in pairwise(times))
    return first, second, third


def table(sizes: Sequence[int] = DAYS) -> list[list[str]]:
    """A line per number of days, with the cost over that of the smallest lake."""
    with tempfile.TemporaryDirectory() as folder:
        found = list(measured(Path(folder), sizes))
    first = found[0][1]
    lines = [
        [
            "days",
            "daily facts",
            "other facts for a week",
            "facts for all days",
            "daily and week, relative to the smallest lake",
            "all, relative to the smallest lake",
        ]
    ]
    for days, costs in found:
        ratios = sum(costs[:2]) / sum(first[:2]), sum(costs) / sum(first)
        lines.append([f"{days}", *(f"{cost:.1f} s" for cost in costs), *(f"{ratio:.2f}" for ratio in ratios)])
    return lines


def main(arguments: Sequence[str] = ()) -> list[tuple[str, str, str]]:
    """What one more day costs in lakes of some days."""
    rows = table([*map(int, arguments)] or DAYS)[1:]
    return [
        (f"a day more than {days}", f"{', '.join(costs)}: {ratio}", "0.8 to 1.2") for days, *costs, ratio, _ in rows
    ]


if __name__ == "__main__":
    for line in main(sys.argv[1:]):
        print(*line, sep="\t")
