"""`python -m tests.figures [name …] [options]`: runs figures, keeps and prints them.

What a figure needs is known by itself; `--count` says how often, `--kind`, once or more, for which kinds of input
(fuzz). With `--keep` a run goes on where the last one stopped; without it nothing is kept. With `--page` nothing is
run: the page is written from what was kept.
"""

import argparse
import importlib
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.figures.kept import KEPT, Figure, Kept

NAMES = (
    "fuzz", "lakes", "kills", "interrupts", "crowd", "faults", "bombs", "mutants",
    "hostile", "hostile_lakes", "dependencies", "sites",
)  # fmt: skip


def figure(name: str) -> Figure:
    """A figure by its name."""
    made = importlib.import_module(f"tests.figures.{name}").FIGURE
    assert isinstance(made, Figure)
    return made


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.figures", description=__doc__.partition("\n\n")[2])
    parser.add_argument("name", nargs="*", metavar="name", help=f"{', '.join(NAMES)}; all of them if none is named")
    parser.add_argument("--count", type=int, help="how often; what it counts is stated by each figure")
    parser.add_argument("--kind", action="append", default=[], help="only this kind of input, may be repeated (fuzz)")
    parser.add_argument("--keep", type=Path, help="go on with the results in this file, and keep new ones there")
    parser.add_argument(
        "--page", type=Path, help="write the page of what was kept (tests/figures/kept.jsonl), run nothing"
    )
    given = parser.parse_args()
    if unknown := sorted(set(given.name) - set(NAMES)):
        parser.error(f"no such figure: {', '.join(unknown)}; there are {', '.join(NAMES)}")
    known = {kind for name in given.name or NAMES if given.kind for kind in figure(name).kinds}
    if unknown := sorted(set(given.kind) - known):
        parser.error(f"no such kind: {', '.join(unknown)}; there are {', '.join(sorted(known)) or 'none'}")
    return given


def run(made: Figure, kept: Kept, count: int | None, kinds: Sequence[str] = ()) -> list[str]:
    """Run one figure, or these kinds of it, and print its table; what is against its promise."""
    console = Console()
    for line in made.run(kept.lines(made.name), count, **{"kinds": kinds} if made.kinds else {}):
        kept.add(made.name, line)
        console.print(" ".join(f"{k}={v}" for k, v in line.items()), markup=False, highlight=False)
    head, *rows = made.table(kept.lines(made.name))
    shown = Table(*head, title=f"{made.title} ({made.promise})")
    for row in rows:
        shown.add_row(*row)
    console.print(shown)
    failed = made.failures(kept.lines(made.name))
    for text in failed:
        console.print(text, markup=False)
    return failed


def main() -> int:
    """Run, or write the page; 1 if anything is against a promise."""
    given = _arguments()
    if given.page:
        from tests.figures.page import markdown

        given.page.write_text(markdown(Kept(given.keep or KEPT), NAMES), "utf-8")
        return 0
    with tempfile.TemporaryDirectory() as nowhere:
        kept = Kept(given.keep or Path(nowhere) / "kept.jsonl")
        failed = [text for name in given.name or NAMES for text in run(figure(name), kept, given.count, given.kind)]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
