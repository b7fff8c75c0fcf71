"""Questions to a large lake: what each costs, and how that grows with the lake.

`python -m tests.benchmarks.bench_lake [--page FILE] [--rounds N] [--scale N] [DAYS …]` makes sample lakes of so
many days (two systems, 96 intervals a day), asks, and removes them. Each question opens the lake anew, as the command
line does. With --page the answer is written as a page, beside the seconds that were aimed at for 100 million rows.
"""

from __future__ import annotations

import argparse
import math
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import iosq

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
}
ROWS = "SELECT count(*) AS n FROM smf74_1_device_data"


class Cost(NamedTuple):
    """Seconds of processors and of wall time."""

    cpu: float
    wall: float


class Measured(NamedTuple):
    """A lake and what its questions cost."""

    rows: int
    files: int
    bytes: int
    costs: dict[str, Cost]


def best(work: Callable[[], object], rounds: int) -> Cost:
    """The cheapest of some runs."""
    taken = []
    for _ in range(rounds):
        begin, used = time.perf_counter(), time.process_time()
        work()
        taken.append(Cost(time.process_time() - used, time.perf_counter() - begin))
    return min(taken)


def asked(lake: Path, rounds: int) -> dict[str, Cost]:
    """Costs by question."""
    found = {"opening": best(lambda: iosq.open(lake).connection("SELECT 1"), rounds)}
    (names,) = iosq.open(lake).sql(NAMES).to_dicts()
    for what, question in QUESTIONS.items():
        sql = question.format(**names)
        found[what] = best(lambda sql=sql: iosq.open(lake).arrow(sql), rounds)  # type: ignore[misc]
    found["advise"] = best(lambda: iosq.open(lake).findings(), 1)
    return found


def measured(days: int, scale: int, rounds: int) -> Measured:
    """Make a lake of so many days, ask it, and remove it."""
    with tempfile.TemporaryDirectory() as folder:
        lake = Path(folder, "lake")
        dumps = iosq.sample(Path(folder, "dumps"), scale=scale, days=days)
        iosq.ingest(lake, [d for d in dumps if d.suffix != ".json"], jobs=os.cpu_count() or 1)
        for dump in dumps:
            dump.unlink()
        iosq.compact(lake)
        files = list(lake.rglob("*.parquet"))
        rows = int(iosq.open(lake).sql(ROWS)["n"][0])
        return Measured(rows, len(files), sum(f.stat().st_size for f in files), asked(lake, rounds))


def power(first: Measured, last: Measured, what: str) -> float | None:
    """With which power of the rows the CPU seconds of a question grow; None of a lake alone."""
    if last.rows == first.rows:
        return None
    return math.log(last.costs[what].cpu / first.costs[what].cpu) / math.log(last.rows / first.rows)


def growth(first: Measured, last: Measured, what: str) -> tuple[str, str]:
    """How a question grows, and what it would cost at 100 million rows if it grew in proportion."""
    grows = power(first, last, what)
    if grows is None:
        return "", ""
    if grows <= 0:
        return "does not grow", ""
    return f"{grows:.2f}", f"{last.costs[what].cpu * AIM_ROWS / last.rows:,.0f} s"


def table(found: list[Measured]) -> list[list[str]]:
    """A line per question: its costs in each lake, how they grow, and what that would be at 100 million rows."""
    first, last = found[0], found[-1]
    head = ["", *(f"{m.rows:,} rows" for m in found), "grows as rows to the power of"]
    lines = [[*head, f"in proportion, at {AIM_ROWS:,} rows", "aimed at"]]
    lines.append(["Parquet files", *(f"{m.files:,}, {m.bytes / 1e6:,.0f} MB" for m in found), "", "", ""])
    for what in first.costs:
        aim = f"{AIMS[what]:g} s" if what in AIMS else ""
        costs = (f"{m.costs[what].cpu:.2f} s ({m.costs[what].wall:.2f} s)" for m in found)
        lines.append([what, *costs, *growth(first, last, what), aim])
    return lines


def page(found: list[Measured], command: str, rounds: int) -> str:
    """The table as a page."""
    head, *lines = table(found)
    rows = [head, ["---"] * len(head), *lines]
    told = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return f"""# What questions to a lake cost

Made by `{command}`
on {os.cpu_count()} processors shared with other work: CPU seconds, in brackets seconds of wall time, of the cheapest of
{rounds} runs (advice: of one), each with opening the lake. Nothing was prepared (`iosq prepare`). Rows are
device-intervals (type 74.1) of the sample.

The exponent is that of CPU seconds between the first lake and the last. The last columns carry the last lake on to the
size that iosq is aimed at, in proportion to its rows, and say what was aimed at there: wall time of two quiet
processors.

{told}

A question whose carried-on cost is above its aim misses it. In a lake of more than 32 MB, questions about a time and
first rows read a few days ([which files](../explanation/lake.md#which-files-a-question-reads)) and cost what planning
them costs. What asks for whole views, or looks at the whole span as advice does, reads all: narrow the question, or
prepare the lake.
"""


def main(arguments: list[str] | None = None) -> list[tuple[str, str, str]]:
    """Measure what is asked for; rows of what was measured, the figures and how they grow."""
    parser = argparse.ArgumentParser(description="questions to a large lake")
    parser.add_argument("days", nargs="*", type=int, default=[1])
    parser.add_argument("--scale", type=int, default=28)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--page", type=Path)
    given = parser.parse_args([] if arguments is None else arguments)
    found = [measured(days, given.scale, given.rounds) for days in sorted(given.days)]
    if given.page:
        named = ["--rounds", str(given.rounds), "--scale", str(given.scale), *map(str, given.days)]
        command = f"python -m tests.benchmarks.bench_lake --page {given.page} {' '.join(named)}"
        given.page.write_text(page(found, command, given.rounds), "utf-8")
    return [(line[0], ", ".join(line[1:-3]), line[-3]) for line in table(found)[1:]]


if __name__ == "__main__":
    import sys

    for line in main(sys.argv[1:]):
        print(*line, sep="\t")
