"""`python -m tests.benchmarks [name …]`: runs every `bench_*.py` here (or those named) and prints what `main` gives.

With `--keep FILE` those whose `main` takes `keep` go on where a run with that file was broken off.
"""

import argparse
import importlib
import sys
from inspect import signature
from pathlib import Path

from rich.console import Console
from rich.table import Table


def run(name: str, keep: Path | None = None) -> None:
    """Run one benchmark: rows of (what, figure, wanted), or None if it printed for itself."""
    main = importlib.import_module(f"tests.benchmarks.{name}").main
    rows = main(keep=keep) if "keep" in signature(main).parameters else main()
    if rows is None:
        return
    table = Table("measured", "figure", "wanted", title=name.removeprefix("bench_"))
    for row in rows:
        table.add_row(*row)
    Console().print(table)


def _command() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name")
    parser.add_argument("--keep", type=Path, metavar="FILE")
    given = parser.parse_args()
    found = sorted(p.stem for p in Path(__file__).parent.glob("bench_*.py"))
    wanted = {f"bench_{name}" for name in given.names} or set(found)
    if unknown := sorted(wanted - set(found)):
        sys.exit(f"no such benchmark: {', '.join(n.removeprefix('bench_') for n in unknown)}")
    for name in found:
        if name in wanted:
            run(name, given.keep)


if __name__ == "__main__":
    _command()
