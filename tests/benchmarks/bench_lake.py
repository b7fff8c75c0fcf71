"""Questions to a large lake: how long each takes, and how that grows with the lake.

`python -m tests.benchmarks.bench_lake [--page FILE] [--scale N] [DAYS …]` makes sample lakes of so many days (two
systems, 96 intervals a day), asks, and removes them. Each question opens the lake anew, as the command line does. With
--page the answer is written as a page.
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

ROUNDS = 3
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
min(SMF74SER) AS volume FROM smf74_1_device_data"""
ROWS = "SELECT count(*) AS n FROM smf74_1_device_data"


class Measured(NamedTuple):
    """A lake and the seconds its questions took."""

    rows: int
    files: int
    bytes: int
    seconds: dict[str, float]


def best(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The shortest of some runs, in seconds of wall time."""
    taken = []
    for _ in range(rounds):
        begin = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begin)
    return min(taken)


def asked(lake: Path) -> dict[str, float]:
    """Seconds by question."""
    found = {"opening": best(lambda: iosq.open(lake).connection("SELECT 1"))}
    (names,) = iosq.open(lake).sql(NAMES).to_dicts()
    for what, question in QUESTIONS.items():
        sql = question.format(**names)
        found[what] = best(lambda sql=sql: iosq.open(lake).arrow(sql))  # type: ignore[misc]
    found["advise"] = best(lambda: iosq.open(lake).findings(), 1)
    return found


def measured(days: int, scale: int) -> Measured:
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
        return Measured(rows, len(files), sum(f.stat().st_size for f in files), asked(lake))


def table(found: list[Measured]) -> list[list[str]]:
    """A line per question: seconds in each lake, and the exponent with which they grow from the first to the last."""
    first, last = found[0], found[-1]
    lines = [["", *(f"{m.rows:,} rows" for m in found), "grows as rows to the power of"]]
    lines.append(["Parquet files", *(f"{m.files:,}, {m.bytes / 1e6:,.0f} MB" for m in found), ""])
    for what in first.seconds:
        power = ""
        if last.rows > first.rows:
            power = f"{math.log(last.seconds[what] / first.seconds[what]) / math.log(last.rows / first.rows):.2f}"
        lines.append([what, *(f"{m.seconds[what]:.2f} s" for m in found), power])
    return lines


def page(found: list[Measured]) -> str:
    """The table as a page."""
    head, *lines = table(found)
    rows = [head, ["---"] * len(head), *lines]
    told = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return f"""# What questions to a large lake cost

Made by `python -m tests.benchmarks.bench_lake --page` and this file's name, on {os.cpu_count()} processors shared with
other work: seconds of wall time, the best of three (advice: one run), each with opening the lake. Rows are
device-intervals (type 74.1) of the sample.

{told}
"""


def main(arguments: list[str] | None = None) -> list[tuple[str, str, str]]:
    """Measure what is asked for; rows of what was measured, the figures and how they grow."""
    parser = argparse.ArgumentParser(description="questions to a large lake")
    parser.add_argument("days", nargs="*", type=int, default=[1])
    parser.add_argument("--scale", type=int, default=28)
    parser.add_argument("--page", type=Path)
    given = parser.parse_args([] if arguments is None else arguments)
    found = [measured(days, given.scale) for days in sorted(given.days)]
    if given.page:
        given.page.write_text(page(found), "utf-8")
    return [(line[0], ", ".join(line[1:-1]), line[-1]) for line in table(found)[1:]]


if __name__ == "__main__":
    import sys

    for line in main(sys.argv[1:]):
        print(*line, sep="\t")
