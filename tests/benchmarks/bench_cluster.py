"""This machine's engine next to Spark on the same cores: what each costs to start, and how cost grows with the work.

`python -m tests.benchmarks.bench_cluster [--page FILE] [--cores N] [--scale N] [INTERVALS …]` makes sample dumps of so
many quarter hours of two systems (of more than a day the same one again and again, each dated a day later), ingests
them and asks, each way once, and removes all. With --page the answer is written as a page. Lakes are asked as large
ones are, whatever their size. Cost is CPU time of all processes: other work on the machine changes it little. Needs
PySpark and Java (`make test-spark`) and Linux.
"""

import argparse
import multiprocessing
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import chdir, suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from importlib.util import find_spec
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import iosq
from iosq.toolkit.sample.day import make_day
from iosq.toolkit.sample.writer import content, dumps

INTERVALS = (2, 4, 8)
PER_DAY = 96
SCALE = 12
MACHINES = (2, 4, 8, 16, 32)  # times the cores that were measured
ROWS = "SELECT count(*) AS n FROM smf74_1_device_data"
QUESTIONS = {
    "I/Os by system (device_interval)": """SELECT system, sum(io_rate * interval_s) AS n
        FROM device_interval GROUP BY system""",
    "top 20 by wait (volume_interval)": """SELECT volume, sum(queue_length * interval_s) AS waited_s
        FROM volume_interval GROUP BY volume ORDER BY waited_s DESC NULLS LAST, volume LIMIT 20""",
}
ENGINES = ("this machine", "Spark")


class Line(NamedTuple):
    """Seconds of some work: to start, and for each million device-intervals."""

    start: float
    million: float


Seconds = dict[str, dict[str, float]]  # by work, by engine


def taken(work: Callable[[], object], spark: str | None = None) -> float:
    """Seconds of CPU that it takes of this process and those it began and saw end; with `spark` of all it has started.

    A worker that Spark lets go of takes its seconds with it: where Spark only stands by, none of it is counted.
    """
    used_s = _used_s if spark else _own_s
    begin = used_s()
    work()
    return used_s() - begin


def _own_s() -> float:
    return sum(os.times()[:4])


def _used_s() -> float:
    reported = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it ended meanwhile
            fields = path.read_text("ascii", "replace").rpartition(")")[2].split()
            reported[int(path.parent.name)] = (
                int(fields[1]),
                sum(map(int, fields[11:15])),
            )  # parent; its own, of its ended
    ours = {os.getpid()}
    while more := {pid for pid, (parent, _) in reported.items() if parent in ours} - ours:
        ours |= more
    return sum(reported[pid][1] for pid in ours) / os.sysconf("SC_CLK_TCK")


def measured(folder: Path, paths: Sequence[Path], master: str, cores: int) -> tuple[float, Seconds]:
    """Million device-intervals of dumps, and what it took to make a lake of them and to ask it."""
    masters = dict(zip(ENGINES, (None, master), strict=True))
    lakes = {engine: folder / str(number) for number, engine in enumerate(ENGINES)}
    found: Seconds = {"ingest": {}}
    for engine, spark in masters.items():
        found["ingest"][engine] = taken(partial(iosq.ingest, lakes[engine], paths, jobs=cores, spark=spark), spark)
    for name, text in QUESTIONS.items():
        asked = {engine: iosq.open(lakes[engine], spark=spark) for engine, spark in masters.items()}
        found[name] = {engine: taken(partial(lake.arrow, text), masters[engine]) for engine, lake in asked.items()}
    return iosq.open(lakes[ENGINES[0]]).sql(ROWS)["n"][0] / 1e6, found


def _dumps(folder: Path, scale: int, intervals: int) -> Iterator[Path]:
    """The middle of the day; of more than one the same day again and again, each dated a day later."""
    day = make_day(scale=scale)
    for number in range(-(-intervals // PER_DAY)):
        count = min(intervals - number * PER_DAY, PER_DAY)
        first = (PER_DAY - count) // 2
        dated = replace(day, sysplex=replace(day.sysplex, date=day.sysplex.date + timedelta(days=number)))
        (folder / str(number)).mkdir(parents=True)
        for name, records in dumps(dated, range(first, first + count)).items():
            path = folder / str(number) / name
            path.write_bytes(content(name, list(records)))
            yield path


def fitted(points: Sequence[tuple[float, float]]) -> Line:
    """The straight line through points, by least squares; neither its start nor its growth is below 0."""
    mean_x, mean_y = (sum(column) / len(points) for column in zip(*points, strict=True))
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    million = max(sum((x - mean_x) * (y - mean_y) for x, y in points) / spread, 0.0) if spread else 0.0
    return Line(max(mean_y - million * mean_x, 0.0), million)


def pays_from(here: Line, there: Line, cores: int, times: int) -> float | None:
    """Million device-intervals from which a cluster of this many times the cores is done sooner; None: never."""
    gained = (here.million - there.million / times) / cores
    return max((there.start - here.start / cores) / gained, 0.0) if gained > 0 else None


def lines(points: Sequence[tuple[float, Seconds]]) -> dict[str, dict[str, Line]]:
    """Cost of each work by engine."""
    works = points[0][1]
    return {w: {e: fitted([(size, found[w][e]) for size, found in points]) for e in ENGINES} for w in works}


def page(points: Sequence[tuple[float, Seconds]], session_s: float, cores: int, asked: str) -> str:
    """The page that says from what size a cluster pays."""
    found = lines(points)
    sizes = ", ".join(f"{size * 1e6:,.0f}" for size, _ in points)
    measured_rows = [
        f"| {size * 1e6:,.0f} | {work} | {' | '.join(f'{s:.1f}' for s in seconds.values())} |"
        for size, works in points
        for work, seconds in works.items()
    ]
    fit = [
        f"| {work} | {' | '.join(f'{own[e].start:.1f} + {own[e].million:.1f} per million' for e in ENGINES)} |"
        for work, own in found.items()
    ]
    pays = [f"| {work} | {' | '.join(_sizes(own, session_s, cores))} |" for work, own in found.items()]
    return f"""# When a cluster pays

Written by `{asked}`, {cores} cores for each engine, one after the other, each work
done once, each size in a process of its own. Seconds are CPU time of all processes; where all cores are busy, wall time
is that over their number. Other work on the machine makes them somewhat more: what counts are the proportions. Lakes
were asked as large ones are: rows stay on the executors.

Beginning a Spark session took {session_s:.1f} s, once for each command; without Spark there is nothing to begin.

| device-intervals | work | {ENGINES[0]}, CPU s | {ENGINES[1]}, CPU s |
|---|---|---|---|
{_joined(measured_rows)}

## How cost grows

Straight lines through these sizes ({sizes}), CPU seconds:

| work | {ENGINES[0]} | {ENGINES[1]} |
|---|---|---|
{_joined(fit)}

## From what size

Millions of device-intervals from which a cluster is done sooner than one machine of {cores} cores, session included, if
all cores are busy and time per million falls as they rise, which is the best that can be hoped for; what it takes to
begin is not shared. `never`: not even then. Far beyond what was measured, a size says no more than that it is large.

| work | {" | ".join(f"{n * cores} cores" for n in MACHINES)} |
|---|{"---|" * len(MACHINES)}
{_joined(pays)}

Before that, a machine with more cores and memory is the simpler answer: DuckDB and `iosq ingest` use all its cores.
"""


def _sizes(own: Mapping[str, Line], session_s: float, cores: int) -> list[str]:
    here, there = (own[engine] for engine in ENGINES)
    begun = Line(there.start + session_s, there.million)
    return [_size(pays_from(here, begun, cores, times)) for times in MACHINES]


def _size(million: float | None) -> str:
    return "never" if million is None else f"{million:,.1f}"


def _joined(rows: Sequence[str]) -> str:
    return "\n".join(rows)


def main() -> list[tuple[str, str, str]]:
    """Small sizes, for a look."""
    if find_spec("pyspark") is None:
        return [("Spark next to this machine", "PySpark is not installed", "make test-spark")]
    points, session_s = _points(os.cpu_count() or 1, SCALE, INTERVALS[:2])
    rows = [("session of Spark", f"{session_s:.1f} s", "")]
    for work, own in lines(points).items():
        for engine, line in own.items():
            rows.append((f"{work}, {engine}", f"{line.start:.1f} s + {line.million:.1f} s per million", ""))
    return rows


def _points(cores: int, scale: int, intervals: Sequence[int]) -> tuple[list[tuple[float, Seconds]], float]:
    """Each size in a process of its own: as for each command, Java has compiled nothing yet."""
    master, points, begun = f"local[{cores}]", [], []
    for number in intervals:
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as own:
            session_s, point = own.submit(_point, master, cores, scale, number).result()
        print(point, flush=True)
        points.append(point)
        begun.append(session_s)
    return sorted(points, key=itemgetter(0)), min(begun)


def _point(master: str, cores: int, scale: int, intervals: int) -> tuple[float, tuple[float, Seconds]]:
    """What a session takes to begin, and one size."""
    from iosq.toolkit.spark.session import begin

    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        paths = list(_dumps(Path(folder, "dumps"), scale, intervals))
        session_s = taken(lambda: begin(master).range(1).count())
        iosq.limit(threads=cores)
        return session_s, measured(Path(folder), paths, master, cores)


def _command() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--page", type=Path)
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--scale", type=int, default=SCALE)
    parser.add_argument("intervals", type=int, nargs="*", default=INTERVALS)
    given = parser.parse_args()
    sizes = " ".join(map(str, given.intervals))
    target = given.page and given.page.absolute()
    points, session_s = _points(given.cores, given.scale, given.intervals)
    asked = f"python -m tests.benchmarks.bench_cluster --cores {given.cores} --scale {given.scale} {sizes}"
    text = page(points, session_s, given.cores, asked)
    if target:
        target.write_text(text, "utf-8")
    else:
        print(text)


if __name__ == "__main__":
    _command()
