"""`iosq simulate fit`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from iosq.toolkit.cli.commands.simulate import options as o
from iosq.toolkit.cli.filters import BoxOption, SinceOption, UntilOption, chosen, refuse_unread
from iosq.toolkit.cli.session import LakeOption, open_lake, say
from iosq.toolkit.show import terminal
from iosq.toolkit.show.output import check, spoken, write


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(fit)


def fit(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the new machine.")],
    points: Annotated[Path | None, typer.Option(metavar="FILE", help="Measured points as CSV; else the lake.")] = None,
    lake: LakeOption = None,
    lcu: BoxOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    footprint_gb: o.Footprint = 1.0,
    cache_gb: Annotated[
        float | None, typer.Option(metavar="GB", help="Cache the volumes can use, if their data outgrows it.")
    ] = None,
    read_ratio: o.ReadRatio = None,
    form: o.Form = "table",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The machine file; default NAME.toml.")
    ] = None,
) -> None:
    """A machine file from about 15 measured points, or from a lake whose intervals differ in load.

    A box is fitted to all its volumes and systems together, so there is no --system and no --volume; --since and
    --until say which intervals it is fitted to.

    Columns of the points: volumes, requesters, aliases (of each volume), read_ratio, footprint_gb, io_rate (of all).

    Example: iosq simulate fit mybox --lake lake --lcu 0012
    """
    from iosq.toolkit.predict import fit as engine
    from iosq.toolkit.predict.lake import statement
    from iosq.toolkit.predict.output import text_of

    target = output or Path(f"{name}.toml")
    check(target, (".toml",))
    asked = chosen(since, until, lcu=lcu)
    if points is not None:
        refuse_unread(lake, asked, "--points is given")
        answer, toml = engine.points_answer(name, points, cache_gb)
    else:
        con = open_lake(lake, statement(), asked.span(), asked=asked)
        answer, toml = engine.lake_answer(name, con, asked.lcus, footprint_gb, read_ratio, cache_gb)
    write(target, toml)
    terminal.echo(text_of(answer, form))
    for text in answer.conclusions:
        say(text)
    say(f"machine file: {spoken(target)}")
