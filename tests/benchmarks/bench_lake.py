"""Ingest and queries of a large lake: what each costs, and how that grows with the lake.

`python -m tests.benchmarks.bench_lake [--page FILE] [--rounds N] [LAKE …]` makes sample lakes, queries and removes
them. A lake is named by scale and days, as 4x8 (two systems, 96 intervals a day); 1x260x2 has two intervals a day. All
but its last day is ingested first, then the last day. Each query opens the lake anew, as the command line does. With
--page the result is written as a page, next to the goals for 100 million rows. With --keep FOLDER lakes and what was
measured stay there, and a run that was broken off goes on.
"""

import argparse
import gzip
import hashlib
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import iosq
from iosq.toolkit.sample import write
from tests.benchmarks import bench_day, bench_start

TOP = """SELECT volume, sum(queue_length * interval_s) AS waited_s FROM volume_interval {} GROUP BY volume
ORDER BY waited_s DESC NULLS LAST LIMIT 20"""
QUESTIONS = {
    "a raw table, LIMIT 5": "SELECT * FROM smf74_1_device_data LIMIT 5",
    "volume_interval, LIMIT 5": "SELECT * FROM volume_interval LIMIT 5",
    "top 20 volumes by wait, a day": TOP.format("WHERE interval_start >= '{day}'"),
    "top 20 volumes by wait, all": TOP.format(""),
    "p95 of response by LCU and hour, a week": """SELECT lcu, date_trunc('hour', interval_start) AS hour,
quantile_cont(response_ms, 0.95) AS p95_ms FROM volume_interval WHERE interval_start >= '{week}' GROUP BY ALL""",
    "one volume, all days": "SELECT interval_start, wait_ms FROM volume_interval WHERE volume = '{volume}'",
    "NVS delays by subsystem, all": "SELECT subsystem, count(*) AS n FROM nvs_delay GROUP BY subsystem",
}
NAMES = """SELECT max(interval_start) - INTERVAL 1 DAY AS day, max(interval_start) - INTERVAL 7 DAYS AS week,
min(nullif(SMF74SER, '')) AS volume FROM smf74_1_device_data"""
AIM_ROWS = 100_000_000
# seconds of wall time on two quiet processors
AIMS = {
    "opening": 0.3,
    "volume_interval, LIMIT 5": 0.3,
    "top 20 volumes by wait, a day": 0.1,
    "top 20 volumes by wait, all": 1.5,
    "p95 of response by LCU and hour, a week": 1.0,
    "one volume, all days": 0.15,
    "NVS delays by subsystem, all": 1.0,
    "advise": 60.0,
    "trend": 30.0,
    "report": 60.0,
}
AT_ONCE = 26  # days of scale 1 that are made and ingested together: they are held in memory
ROWS = "SELECT count(*) AS n FROM smf74_1_device_data"


class Size(NamedTuple):
    """A sample lake: its scale, its days, and how many intervals a day has."""

    scale: int
    days: int
    quarters: int = 96

    @property
    def intervals(self) -> list[int]:
        """Those of a day, spread over it."""
        return [96 * n // self.quarters for n in range(self.quarters)]


class Cost(NamedTuple):
    """Seconds of processors and of wall time; bytes of memory at most, 0 where they weren't looked at."""

    cpu: float
    wall: float
    memory: int = 0


class Measured(NamedTuple):
    """A lake: what its ingest and its queries cost; `records`, `facts` and `page` (its report) in bytes."""

    rows: int
    files: int
    records: int
    facts: int
    ingest: dict[str, Cost]
    queries: dict[str, Cost]
    page: int


def best(work: Callable[[], object], rounds: int) -> Cost:
    """The cheapest of some runs."""
    taken = []
    for _ in range(rounds):
        begin, used = time.perf_counter(), time.process_time()
        work()
        taken.append(Cost(time.process_time() - used, time.perf_counter() - begin))
    return min(taken)


def queried(run: "Run", rounds: int) -> dict[str, Cost]:
    """Costs by query. The first advice stores the facts about the whole lake."""
    lake, page = run.lake, run.lake.with_name("report.html")

    def cost(what: str, work: Callable[[], Cost]) -> None:
        found[what] = Cost(*run.step(what, work))

    found: dict[str, Cost] = {}
    (names,) = iosq.open(lake).sql(NAMES).to_dicts()
    cost("advise, the first after an ingest", lambda: command(lake, "advise", "pav"))
    cost("opening", lambda: best(lambda: iosq.open(lake).connection("SELECT 1"), rounds))
    for what, question in QUESTIONS.items():
        sql = question.format(**names)
        cost(what, lambda sql=sql: best(lambda: iosq.open(lake).arrow(sql), rounds))  # type: ignore[misc]
    since = ["--since", f"{names['day']:%Y-%m-%dT%H:%MZ}"]
    commands = {"advise": ["advise", "pav"], "trend": ["trend"], "report": ["report", "-o", str(page)]}
    parts = {f"{what}, the last day": [*commands[what], *since] for what in ("advise", "report")}
    for what, words in (parts | commands).items():
        cost(what, lambda words=words: command(lake, *words))  # type: ignore[misc]
    run.step("page", lambda: page.stat().st_size)
    return found


def command(lake: Path, *words: str, codes: tuple[int, ...] = (0, 1)) -> Cost:
    """What a command costs from its start, and the memory that it takes; what it answers is not looked at.

    Where days have few intervals, trend says so when all is computed, and ends with 1.
    """
    begin, words = time.perf_counter(), (*words, "--lake", str(lake))
    program, env = [sys.executable, "-m", "iosq", *words], bench_start.environment()
    done = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
    most, ended = 0, 0
    while not ended:
        with suppress(OSError, IndexError):  # what the kernel reports at the end counts the memory of who began it
            most = max(most, int(Path(f"/proc/{done.pid}/status").read_text().split("VmHWM:")[1].split()[0]) * 1024)
        time.sleep(0.05)
        ended, status, used = os.wait4(done.pid, os.WNOHANG)
    assert os.waitstatus_to_exitcode(status) in codes, words
    return Cost(used.ru_utime + used.ru_stime, time.perf_counter() - begin, most)


def ingest(lake: Path, size: Size, first: int, last: int) -> tuple[Cost, Cost]:
    """Some days of a lake, the last left out: the command's cost, and that of unpacking and hashing its input."""
    step, costs, bare = max(AT_ONCE * 96 // size.quarters // size.scale, 1), list[Cost](), list[Cost]()
    for begin in range(first, last, step):
        with tempfile.TemporaryDirectory(dir=lake.parent) as dumps:
            for day in range(begin, min(begin + step, last)):
                write(Path(dumps, f"{day}"), scale=size.scale, intervals=size.intervals, days=range(day, day + 1))
            bare.append(best(lambda dumps=dumps: _hashed(Path(dumps)), 1))  # type: ignore[misc]
            costs.append(command(lake, "ingest", dumps, codes=(0, 3)))
    return _sum(costs), _sum(bare)


def _hashed(folder: Path) -> None:
    for path in (p for p in sorted(folder.rglob("*")) if p.is_file()):
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            hashlib.file_digest(file, "sha256")  # type: ignore[arg-type]


def _sum(costs: list[Cost]) -> Cost:
    return Cost(sum(c.cpu for c in costs), sum(c.wall for c in costs), max(c.memory for c in costs))


def size_on_disk(lake: Path) -> tuple[int, int, int, int]:
    """Rows of devices; files and bytes of the raw tables; bytes of facts."""
    files = list(lake.rglob("*.parquet"))
    facts = [f for f in files if "_facts" in f.parts]
    records = [f for f in files if "_facts" not in f.parts]
    sizes = (sum(f.stat().st_size for f in some) for some in (records, facts))
    return int(iosq.open(lake).sql(ROWS)["n"][0]), len(records), *sizes


class Run:
    """A lake being measured in a folder: what was done there is not done again."""

    def __init__(self, folder: Path) -> None:
        self.lake, self._file = folder / "lake", folder / "done.json"
        self._done: dict[str, Any] = json.loads(self._file.read_text("utf-8")) if self._file.exists() else {}

    def step(self, what: str, work: Callable[[], Any]) -> Any:
        """What some work gives, or gave."""
        if what not in self._done:
            self._done[what] = work()
            self._file.write_text(json.dumps(self._done), "utf-8")
        return self._done[what]


def measured(folder: Path, size: Size, rounds: int) -> Measured:
    """Make a lake in a folder, but for a day, then that day; query it."""
    folder.mkdir(parents=True, exist_ok=True)
    run = Run(folder)
    days = {"all days but one": (0, size.days - 1), "one more day": (size.days - 1, size.days)}
    ingests: dict[str, Cost] = {}
    for what, (first, last) in days.items():
        cost, bare = run.step(what, lambda first=first, last=last: ingest(run.lake, size, first, last))
        ingests |= {what: Cost(*cost), f"{what}: unpacking and SHA-256": Cost(*bare)}
    queries = queried(run, rounds)
    rows, files, records, facts = run.step("size", lambda: size_on_disk(run.lake))
    return Measured(rows, files, records, facts, ingests, queries, run.step("page", lambda: 0))


def powers(found: list[Measured], costs: list[float]) -> list[float]:
    """With which powers of rows and of files CPU seconds grow; of rows alone where there are two lakes only."""
    if len({m.rows for m in found}) < 2:
        return []
    by = [[*[math.log(m.rows), math.log(m.files)][: len(found) - 1], 1.0] for m in found]
    return [float(p) for p in np.linalg.lstsq(np.array(by), np.log(costs), rcond=None)[0][:-1]]


def table(found: list[Measured]) -> list[list[str]]:
    """A line per query: its costs in each lake, how they grow, and what that would be at 100 million rows."""
    most = max(found, key=lambda m: m.rows)
    names = ["rows", "files"][: len(powers(found, [1.0] * len(found)))]
    head = ["", *(f"{m.rows:,} rows in {m.files:,} files" for m in found), *(f"power of {n}" for n in names)]
    lines = [[*head, f"in proportion, at {AIM_ROWS:,} rows", "goal"]]
    for what in found[0].queries:
        costs = [m.queries[what] for m in found]
        grown = [f"{p:.2f}" for p in powers(found, [c.cpu for c in costs])]
        ahead = f"{most.queries[what].cpu * AIM_ROWS / most.rows:,.0f} s" if grown else ""
        reported = [f"{c.cpu:.2f} s ({c.wall:.2f} s{_memory(c)})" for c in costs]
        lines.append([what, *reported, *grown, ahead, f"{AIMS[what]:g} s" if what in AIMS else ""])
    return lines


def ingesting(found: list[Measured]) -> list[list[str]]:
    """A line per lake: what its ingest costs, facts included, over unpacking and hashing the same bytes."""
    lines = [
        ["rows", "records", "facts / records", *found[0].ingest, "ingest / unpacking and SHA-256, all days but one"]
    ]
    for m in found:
        cost, bare, *_ = m.ingest.values()
        reported = [f"{c.cpu:.1f} s ({c.wall:.1f} s{_memory(c)})" for c in m.ingest.values()]
        size = f"{m.records / 1e6:,.0f} MB"
        lines.append([f"{m.rows:,}", size, f"{m.facts / m.records:.1f}", *reported, f"{cost.cpu / bare.cpu:.1f}"])
    return lines


def _memory(cost: Cost) -> str:
    return f", {cost.memory / 1e9:.1f} GB" if cost.memory else ""


def drawn(lines: list[list[str]]) -> str:
    """A table as a page shows it."""
    head, *rest = lines
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rest])


def page(found: list[Measured], command: str, rounds: int) -> str:
    """The tables as a page."""
    return f"""# Query performance

Made by `{command}`
on {os.cpu_count()} processors shared with other work. Times are CPU seconds, in brackets wall time, of the cheapest of
{rounds} runs, including opening the lake. For ingest, advice, trend and report they are those of one run of the whole
command, with its peak memory. Rows are device-intervals (type 74.1) of the sample.

## Ingest

Including the facts of the days ingested.

{drawn(ingesting(found))}

Facts of one more day of the sample, in lakes of several days (`python -m tests.benchmarks.bench_day`): daily facts
with the dimensions they are joined with, other facts that a query about a span reads (`iosq watch`), and sums over
all days, which only queries about all days need:

{drawn(bench_day.table())}

## Queries

If several lakes were measured, powers are fitted to the CPU seconds of all: the cost is a power of rows times a power
of files. There is a file for each table, system and day, so files grow with days. The cost of the lake
with the most rows is then extrapolated, in proportion to rows, to the size that iosq is designed for; this is too high
if a part of the cost does not grow. The last column is the goal for that size: wall time on two idle processors (for a
report, a month of 20,000 devices). The first advice after an ingest stores the facts about the whole lake. The last
lake's report has {found[-1].page / 1e6:.1f} MB.

{drawn(table(found))}

## Start-up

CPU time of a command that has nothing to compute, relative to a bare start of Python. `libraries` loads the minimum for
a query, the command line's library and the database, and runs `SELECT 1`.

{drawn([["", "relative to Python", "goal"], *map(list, bench_start.main())])}
"""


def size_of(text: str) -> Size:
    """A lake from its name: 4x8, 1x260x2."""
    return Size(*map(int, text.split("x")))


def main(arguments: list[str] | None = None) -> list[tuple[str, str, str]]:
    """Measure what is asked for; rows of what was measured, the figures and how they grow."""
    parser = argparse.ArgumentParser(description="questions to a large lake")
    parser.add_argument("lakes", nargs="*", default=["1x2"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--page", type=Path)
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    given = parser.parse_args([] if arguments is None else arguments)
    with tempfile.TemporaryDirectory() as folder:
        held = given.keep or Path(folder)
        found = [measured(held / lake, size_of(lake), given.rounds) for lake in given.lakes]
    if given.page:
        command = (
            f"python -m tests.benchmarks.bench_lake --page {given.page} --rounds {given.rounds} {' '.join(given.lakes)}"
        )
        given.page.write_text(page(found, command, given.rounds), "utf-8")
    lines = [*table(found)[1:], *ingesting(found)[1:]]
    return [(line[0], ", ".join(line[1:-1]), line[-1]) for line in lines]


if __name__ == "__main__":
    for line in main(sys.argv[1:]):
        print(*line, sep="\t")
