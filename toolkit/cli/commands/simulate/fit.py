"""`iosq simulate fit`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from iosq.toolkit.cli.commands.simulate import options as o
from iosq.toolkit.cli.session import LakeOption, open_lake, say


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(fit)


def fit(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the new machine.")],
    points: Annotated[Path | None, typer.Option(metavar="FILE", help="Measured points as CSV; else the lake.")] = None,
    lake: LakeOption = None,
    lcu: Annotated[
        str | None, typer.Option(metavar="LCU", help="An LCU of the box, where the lake has several.")
    ] = None,
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

    Columns of the points: volumes, requesters, aliases (of each volume), read_ratio, footprint_gb, io_rate (of all).

    Example: iosq simulate fit mybox --lake lake --lcu 0012
    """
    from iosq.toolkit.whatif import fit as engine
    from iosq.toolkit.whatif.output import text_of

    if points is not None:
        answer, toml = engine.points_answer(name, points, cache_gb)
    else:
        answer, toml = engine.lake_answer(name, open_lake(lake), lcu, footprint_gb, read_ratio, cache_gb)
    target = output or Path(f"{name}.toml")
    target.write_text(toml, "utf-8")
    typer.echo(text_of(answer, form))
    for text in answer.conclusions:
        say(text)
    say(f"machine file: {target.resolve()}")
