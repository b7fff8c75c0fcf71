"""`iosq chart`: one chart of the report as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from iosq.toolkit.cli.advice import advice
from iosq.toolkit.cli.filters import LcuOption, SinceOption, SystemOption, UntilOption, VolumeOption, chosen
from iosq.toolkit.cli.session import LakeOption, open_lake, say, thresholds
from iosq.toolkit.show import picture
from iosq.toolkit.show.output import check, spoken


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(chart)


def chart(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A chart; without it: the list.")] = None,
    lake: LakeOption = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="SVG, PNG, PDF or HTML.")] = Path(
        "chart.svg"
    ),
    since: SinceOption = None,
    until: UntilOption = None,
    system: SystemOption = None,
    lcu: LcuOption = None,
    volume: VolumeOption = None,
) -> None:
    """Draw one chart of the report to a file; its ending says in which form.

    Example: iosq chart response_by_volume -o waits.svg
    """
    from iosq.toolkit.report import charts, render

    if name is None:
        for known in charts():
            typer.echo(known.name)
        return
    check(output, picture.ENDINGS)
    where, limits = chosen(since, until, system, lcu, volume), thresholds()
    drawing = render(name, open_lake(lake, where=where), lambda: advice(lake, where, limits))
    picture.save(drawing, output)
    say(f"chart: {spoken(output)}")
