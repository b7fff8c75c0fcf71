"""Options the kinds of questions share, and how an answer leaves."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from iosq.toolkit.cli import completion
from iosq.toolkit.cli.options import SCREEN, Options
from iosq.toolkit.cli.talk import say
from iosq.toolkit.show import terminal
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.show.output import check, is_standard, spoken
from iosq.toolkit.show.picture import WITH_ROWS

if TYPE_CHECKING:
    from iosq.simulate import Numbers
    from iosq.types import Answer

Number = float | None
Machine = Annotated[
    str | None,
    typer.Option(
        "--machine",
        metavar="NAME",
        autocompletion=completion.machines,
        help="A machine (iosq describe machine) or a .toml file.",
    ),
]
ReadRatio = Annotated[Number, typer.Option("--read-ratio", metavar="0..1", help="Reads of all I/Os.")]
Exposures = Annotated[
    int | None, typer.Option("--exposures", metavar="N", help="Base and aliases of a volume now (1 without).")
]
Footprint = Annotated[float, typer.Option("--footprint-gb", metavar="GB", help="Data each volume touches.")]
Distance = Annotated[float, typer.Option("--distance-km", metavar="KM", help="Length of the channel.")]

Form = Annotated[str, typer.Option("--format", metavar="FORMAT", help="table, json or csv.")]


@dataclass(frozen=True)
class Work(Options):
    """The load of volumes, from numbers; the read share and the footprint also where a lake has none."""

    rate: Annotated[Number, typer.Option("--rate", metavar="N", help="I/Os per second of one volume.")] = None
    wait_ms: Annotated[float, typer.Option("--wait-ms", metavar="MS", help="IOSQ time now.")] = 0.0
    service_ms: Annotated[Number, typer.Option("--service-ms", metavar="MS", help="pend + disc + conn now.")] = None
    pend_ms: Annotated[Number, typer.Option("--pend-ms", metavar="MS", help="Part of the service time.")] = None
    disc_ms: Annotated[Number, typer.Option("--disc-ms", metavar="MS", help="Part of the service time.")] = None
    conn_ms: Annotated[Number, typer.Option("--conn-ms", metavar="MS", help="Its part that moves data.")] = None
    read_ratio: ReadRatio = None
    exposures: Exposures = None
    volumes: Annotated[int, typer.Option("--volumes", metavar="N", help="Equal volumes that share the box.")] = 1
    footprint_gb: Annotated[
        Number, typer.Option("--footprint-gb", metavar="GB", help="Data each volume touches (several sizes without).")
    ] = None

    def numbers(self, requesters: float | None = None, pool: int | None = None) -> Numbers:
        """What models are fed with."""
        from iosq.simulate import Numbers, service_of

        return Numbers(
            rate=self.rate,
            wait_ms=self.wait_ms,
            service_ms=service_of(self.service_ms, self.pend_ms, self.disc_ms, self.conn_ms),
            read_ratio=0.5 if self.read_ratio is None else self.read_ratio,
            requesters=requesters,
            exposures=1 if self.exposures is None else self.exposures,
            volumes=self.volumes,
            footprint_gb=self.footprint_gb,
            pool=pool,
            conn_ms=self.conn_ms or 0.0,
        )


def show(answer: Answer, form: str) -> None:
    """Print the rows: of a long table those that fit a screen."""
    terminal.echo(answer.text(form, SCREEN))
    if form == "table" and len(answer.rows) > SCREEN:
        say(f"{SCREEN} of {plural(len(answer.rows), 'row')}; --format csv gives all")


@dataclass(frozen=True)
class Out(Options):
    """How an answer leaves."""

    form: Form = "table"
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write a chart (.html, .png, .svg) or rows (.json, .csv)."),
    ] = None

    def __post_init__(self) -> None:
        if self.output is not None:
            check(self.output, WITH_ROWS)

    def emit(self, answer: Answer) -> None:
        """Rows to stdout, sentences to stderr, the chart where asked for."""
        show(answer, self.form)
        for text in answer.conclusions:
            say(text)
        if self.output is not None and not is_standard(self.output):
            answer.save(self.output)
            say(f"written: {spoken(self.output)}")
