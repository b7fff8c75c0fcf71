"""Options the kinds of questions share, and how an answer leaves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from iosq.toolkit.cli.session import say
from iosq.toolkit.show import terminal
from iosq.toolkit.show.output import is_standard, spoken

if TYPE_CHECKING:
    from iosq.toolkit.predict import Answer

Number = float | None
Machine = Annotated[
    str | None, typer.Option("--machine", metavar="NAME", help="A machine (iosq describe machine) or a .toml file.")
]
Rate = Annotated[Number, typer.Option("--rate", metavar="N", help="I/Os per second of one volume.")]
Wait = Annotated[float, typer.Option("--wait-ms", metavar="MS", help="IOSQ time now.")]
Service = Annotated[Number, typer.Option("--service-ms", metavar="MS", help="pend + disc + conn now.")]
Pend = Annotated[Number, typer.Option("--pend-ms", metavar="MS", help="Part of the service time.")]
Disc = Annotated[Number, typer.Option("--disc-ms", metavar="MS", help="Part of the service time.")]
Conn = Annotated[Number, typer.Option("--conn-ms", metavar="MS", help="Part of the service time.")]
ReadRatio = Annotated[Number, typer.Option("--read-ratio", metavar="0..1", help="Reads of all I/Os.")]
Exposures = Annotated[int, typer.Option("--exposures", metavar="N", help="Base and aliases of a volume now.")]
Volumes = Annotated[int, typer.Option("--volumes", metavar="N", help="Equal volumes that share the box.")]
Footprint = Annotated[float, typer.Option("--footprint-gb", metavar="GB", help="Data each volume touches.")]
Distance = Annotated[float, typer.Option("--distance-km", metavar="KM", help="Length of the channel.")]
Form = Annotated[str, typer.Option("--format", metavar="FORMAT", help="table, json or csv.")]
Picture = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write a chart (.html, .png, .svg) or rows (.json, .csv)."),
]


def emit(answer: Answer, form: str, output: Path | None) -> None:
    """Rows to stdout, sentences to stderr, the chart where asked for."""
    from iosq.toolkit.predict.output import check, save, text_of

    if output is not None:
        check(output)

    terminal.echo(text_of(answer, form))
    for text in answer.conclusions:
        say(text)
    if output is not None and not is_standard(output):
        save(answer, output)
        say(f"written: {spoken(output)}")
