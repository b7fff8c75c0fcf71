"""What the panels of `iosq explore` take, each with opening the lake; predictions apart, which start with a button.

`python -m tests.benchmarks.bench_explore [--rounds N] [SIZE …]` makes sample lakes of sizes as bench_lake names them
(11x4 has a million device-intervals, 11x40 ten million). With --keep FOLDER they stay there and are used again.
"""

import argparse
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import iosq
from iosq.toolkit.explore import before_after, drill, health, statement
from tests.benchmarks.bench_lake import ROWS, Size, best, ingest

SIZES = ("11x4",)
FIRST_S, BRUSH_S = "2 s", "0.5 s"
HOURS = "2025-11-18T08:00..2025-11-18T12:00"  # the brush


def lake_of(name: str, folder: Path) -> Path:
    """The lake of a size in a folder, made first where it is missing."""
    lake, size = folder / name, Size(*map(int, name.split("x")))
    if not lake.exists():
        folder.mkdir(parents=True, exist_ok=True)
        ingest(lake, size, 0, size.days)
        iosq.open(lake).findings()  # stores the facts about the whole lake
    return lake


def measured(lake: Path, rounds: int) -> list[tuple[str, str, str]]:
    """Rows of (what, figure, wanted)."""
    whole = iosq.open(lake)
    part = whole.during(HOURS)
    volume, system = whole.sql("SELECT volume, system FROM _volume_day ORDER BY lost_s DESC, volume LIMIT 1").row(0)
    one = iosq.open(lake, volume=volume, system=system)
    panels: dict[str, tuple[Callable[[], object], str]] = {
        "grid": (lambda: health.cells(whole), FIRST_S),
        "ten worst volumes": (lambda: drill.worst(whole), FIRST_S),
        "boxes": (lambda: drill.boxes(whole), FIRST_S),
        "LCUs": (lambda: drill.lcus(whole), FIRST_S),
        "hours of before and after": (lambda: before_after.hours(whole), FIRST_S),
        "response of a volume": (lambda: drill.drawn(one, "response_over_time"), FIRST_S),
        "neighbours of a volume": (lambda: drill.neighbours(whole, volume, system), FIRST_S),
        "first statement of SQL": (lambda: statement.rows(whole, statement.FIRST), FIRST_S),
        "brush of 4 hours: ten worst volumes": (lambda: drill.worst(part), BRUSH_S),
        "brush of 4 hours: boxes": (lambda: drill.boxes(part), BRUSH_S),
        "brush of 4 hours: LCUs": (lambda: drill.lcus(part), BRUSH_S),
        "brush of 4 hours: response of a volume": (
            lambda: drill.drawn(one.during(HOURS), "response_over_time"),
            BRUSH_S,
        ),
        "brush of 4 hours: neighbours of a volume": (lambda: drill.neighbours(part, volume, system), BRUSH_S),
    }
    count = int(whole.sql(ROWS)["n"][0])
    costs = {what: (best(work, rounds), wanted) for what, (work, wanted) in panels.items()}
    rows = [(f"{count:,} rows: {what}", f"{c.cpu:.2f} s CPU, {c.wall:.2f} s", w) for what, (c, w) in costs.items()]
    return [*rows, (f"{count:,} rows: sent to the browser for the grid", f"{len(health.cells(whole)):,}", "")]


def main(sizes: Sequence[str] = SIZES, rounds: int = 3, folder: Path | None = None) -> list[tuple[str, str, str]]:
    """Rows of (what, figure, wanted)."""
    with tempfile.TemporaryDirectory() as made:
        return [row for name in sizes for row in measured(lake_of(name, folder or Path(made)), rounds)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", default=SIZES, metavar="SIZE")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    given = parser.parse_args()
    for row in main(given.sizes, given.rounds, given.keep):
        print(*row, sep="\t", flush=True)
