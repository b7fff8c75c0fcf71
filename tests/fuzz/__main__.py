"""`python -m tests.fuzz [KIND …] [--runs N] [--seed S]`: mutated inputs, and a line of figures for each kind.

Inputs are read in this process, one in four a second time in pieces of other sizes: no exception but an error of one
line, never longer than a time limit, memory bounded, records and bytes in balance, the same rows both times, and
nothing lost without an issue. What fails is written to `tests/broken/fuzz/KIND/` and read by every later test run.
"""

import argparse
import sys

from rich.console import Console
from rich.table import Table

from tests.fuzz.campaign import MEMORY_MB, SECONDS, Result, campaign, keep
from tests.fuzz.kinds import KINDS


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__.partition("\n\n")[2])
    parser.add_argument("kind", nargs="*", metavar="KIND", help=f"{', '.join(KINDS)}; all of them if none is named")
    parser.add_argument("--runs", type=int, default=1000, help="inputs of each kind (1000)")
    parser.add_argument("--seed", type=int, default=0, help="another number gives other inputs (0)")
    given = parser.parse_args()
    if unknown := sorted(set(given.kind) - set(KINDS)):
        parser.error(f"no such kind: {', '.join(unknown)}; there are {', '.join(KINDS)}")
    return given


def main() -> int:
    """Run the campaigns and print their figures; 1 if anything failed."""
    given = _arguments()
    table = Table("kind", "inputs", "refused", "failed", "slowest s", "CPU s", "most MB")
    failed: list[Result] = []
    for name in given.kind or KINDS:
        result = campaign(KINDS[name], given.runs, given.seed)
        figures = (result.slowest_s, result.cpu_s, result.memory_mb)
        counts = (result.runs, result.refused, len(result.failures))
        table.add_row(name, *map(str, counts), f"{figures[0]:.2f}", f"{figures[1]:.1f}", f"{figures[2]:.0f}")
        failed += [result] if result.failures else []
    console = Console()
    console.print(table)
    console.print(f"limits: {SECONDS:g} s and {MEMORY_MB} MB an input; seed {given.seed}")
    for result in failed:
        for text, data in result.failures:
            console.print(f"{result.kind}: {text}\n  kept as {keep(result.kind, data)}", markup=False)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
