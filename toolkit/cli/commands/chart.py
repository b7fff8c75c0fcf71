"""`iosq chart`: one chart of the report as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import iosq
from iosq.toolkit.cli.options import LakeOption, Part, expanded
from iosq.toolkit.cli.talk import say
from iosq.toolkit.errors import RequestError

ENDINGS = (".svg", ".png", ".pdf", ".html")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(expanded(chart))


def chart(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A chart; without it: the list.")] = None,
    lake: LakeOption = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="SVG, PNG, PDF or HTML.")] = Path(
        "chart.svg"
    ),
    part: Part = Part(),
) -> None:
    """Draw one chart of the report to a file; its ending says in which form.

    Example: iosq chart response_by_volume -o waits.svg
    """
    if name is None:
        for known in iosq.charts():
            typer.echo(known)
        return
    if output.suffix.lower() not in ENDINGS:
        raise RequestError(f"can't draw a {output.suffix or 'nameless'} file", place="-o", remedy=", ".join(ENDINGS))
    drawing = part.of(lake).chart(name)
    # a page that opens without a network carries Vega itself
    drawing.save(str(output), **({"inline": True} if output.suffix.lower() == ".html" else {}))
    say(f"chart: {output.resolve()}")
