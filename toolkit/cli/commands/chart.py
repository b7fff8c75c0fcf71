"""`iosq chart`: one chart of the report as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import iosq
from iosq.toolkit.cli import completion
from iosq.toolkit.cli.options import LakeOption, Part, UtcOption
from iosq.toolkit.cli.talk import say
from iosq.toolkit.show import picture, terminal
from iosq.toolkit.show.output import check, spoken


def chart(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", autocompletion=completion.charts, help="A chart; without it: the list."),
    ] = None,
    lake: LakeOption = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="SVG, PNG, PDF or HTML.")] = Path(
        "chart.svg"
    ),
    utc: UtcOption = False,
    part: Part = Part(),
) -> None:
    """Draw one chart of the report to a file; its ending says in which form.

    Example: iosq chart response_by_volume -o waits.svg
    """
    if name is None:
        for known in iosq.charts():
            terminal.echo(known)
        return
    check(output, picture.ENDINGS)
    drawing = part.of(lake, utc).chart(name)
    picture.save(drawing, output)
    say(f"chart: {spoken(output)}")
