"""`python -m tests.benchmarks [name …]`: runs every `bench_*.py` here (or those named) and prints what `main` gives."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table


def run(name: str) -> None:
    """Run one benchmark: rows of (what, figure, wanted), or None if it printed for itself."""
    rows = importlib.import_module(f"tests.benchmarks.{name}").main()
    if rows is None:
        return
    table = Table("measured", "figure", "wanted", title=name.removeprefix("bench_"))
    for row in rows:
        table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    found = sorted(p.stem for p in Path(__file__).parent.glob("bench_*.py"))
    wanted = {f"bench_{name}" for name in sys.argv[1:]} or set(found)
    if unknown := sorted(wanted - set(found)):
        sys.exit(f"no such benchmark: {', '.join(n.removeprefix('bench_') for n in unknown)}")
    for name in found:
        if name in wanted:
            run(name)
