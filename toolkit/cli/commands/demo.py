"""`iosq demo`: from nothing to a report."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from iosq.toolkit.cli.advice import part_asked_for
from iosq.toolkit.cli.bar import ingest_bar
from iosq.toolkit.cli.commands.ingest import closing, listing
from iosq.toolkit.cli.commands.report import tell
from iosq.toolkit.cli.filters import LcuOption, SinceOption, SystemOption, UntilOption, VolumeOption, chosen
from iosq.toolkit.cli.session import open_lake, say, thresholds
from iosq.toolkit.show.output import check

if TYPE_CHECKING:
    from iosq.toolkit.sql.filter import Filter


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(demo)


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The page.")] = Path("report.html"),
    directory: Annotated[
        Path | None, typer.Option("--keep", metavar="DIR", help="Keep dumps and lake there; else they are removed.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the sample data.")] = 1,
    since: SinceOption = None,
    until: UntilOption = None,
    system: SystemOption = None,
    lcu: LcuOption = None,
    volume: VolumeOption = None,
) -> None:
    """Make sample dumps, ingest them, and write the report: the whole way in one command.

    --since, --until, --system, --lcu and --volume narrow the report; the lake holds everything.

    Example: iosq demo -o report.html
    """
    check(output, (".html", ".htm"))
    where = chosen(since, until, system, lcu, volume)
    if directory is None:
        with tempfile.TemporaryDirectory(prefix="iosq-demo-") as scratch:
            _run(Path(scratch), output, seed, where, "--keep DIR keeps the lake that lists them")
    else:
        _run(directory, output, seed, where, listing(directory / "lake"))


def _run(directory: Path, output: Path, seed: int, where: Filter, how: str) -> None:
    from iosq.toolkit.lake import Lake, ingest
    from iosq.toolkit.report import write
    from iosq.toolkit.sample import write as write_sample

    dumps, lake = directory / "dumps", directory / "lake"
    visible = [p for p in write_sample(dumps, seed=seed) if not p.name.startswith(".")]  # the truth file is hidden
    say(f"sample dumps: {len(visible)} files in {dumps}")
    with ingest_bar() as progress:
        outcomes = ingest(Lake(lake), [dumps], progress=progress)
    say(closing(outcomes, how))
    limits = thresholds()
    tell(output, write(open_lake(lake, where=where), output, limits, part_asked_for(lake, where, limits)))
