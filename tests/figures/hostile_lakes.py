"""Malicious lakes, each read by three commands: links, rows, triggers, special files, foreign files.

A valid lake is changed at random: names at any level become links, pipes, sockets or folders; the manifest gets rows,
triggers, views and tables of any kind; journals and lists of facts name files outside; files have other bytes,
facts have other columns or types, or files unpack to much more than their size. Commands are drawn from
queries, `doctor` with and without `--repair`,
`prune`, `compact`, `ingest`, `anonymize`, `advise`, `report`, `export`, `simulate`, `compare` and `trend`. Each must
give a result or a one-line refusal within 60 seconds, and a tree of files outside the lake must stay the same
to the byte. `--count` is the number of lakes.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.figures.kept import ROOT, Figure, Line, failures

sys.path += [str(ROOT / "tests" / "hostile")]
STEP = 50
COMMANDS = 3  # of each lake


def tried(first: int, last: int) -> Line:
    """Some lakes, by the numbers that they are made of."""
    from test_hostile_lakes import attack, made

    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="iosq-hostile-") as name:
        folder = Path(name)
        sound = made(folder)
        for seed in range(first, last):
            (own := folder / str(seed)).mkdir()
            wrong += attack(own, sound, seed)
    return {"first": first, "lakes": last - first, "commands": COMMANDS * (last - first), "wrong": wrong}


def run(kept: list[Line], count: int | None) -> Iterator[Line]:
    """Go on to `count` lakes."""
    done = sum(int(n["lakes"]) for n in kept)
    wanted = count or 1000
    yield from (tried(first, min(first + STEP, wanted)) for first in range(done, wanted, STEP))


def table(kept: list[Line]) -> list[tuple[str, ...]]:
    """One line for all."""
    sums = (f"{sum(int(n[key]) for n in kept):,}" for key in ("lakes", "commands"))
    return [("lakes", "commands", "changed outside, hung, or failed otherwise"), (*sums, str(len(failures(kept))))]


FIGURE = Figure("hostile_lakes", "Hostile lakes", "nothing outside a lake changes, nothing hangs", run, table, failures)
