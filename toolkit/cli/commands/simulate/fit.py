"""`iosq simulate fit`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from iosq.toolkit.cli.commands.simulate import options as o
from iosq.toolkit.cli.options import Box, LakeOption, refuse_unread
from iosq.toolkit.cli.talk import say
from iosq.toolkit.show.output import check, spoken, write


def fit(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the new machine.")],
    points: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Measured points as CSV, repeatable; else the lake.")
    ] = None,
    lake: LakeOption = None,
    part: Box = Box(),
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
    """A machine file from measured points, or from a lake whose intervals differ in load.

    One point is enough for a file, 15 well-chosen ones (iosq simulate plan) for a good one: it keeps what they leave
    open, answers with bounds beyond what they saw, and the next point to measure is named.

    A box is fitted to all its volumes and systems together, so there is no --system and no --volume; --since and
    --until say which intervals it is fitted to.

    Columns of the points: volumes, requesters, aliases (of each volume), read_ratio, footprint_gb (GB of all volumes
    together), io_rate (of all); all but the last may be missing, and the assumed values are printed.

    Example: iosq simulate fit mybox --lake lake --lcu 0012
    """
    from iosq import simulate

    target = output or Path(f"{name}.toml")
    check(target, (".toml",))
    if points:
        refuse_unread(lake, part, "--points is given")
        answer, toml = simulate.fit(name, points, cache_gb=cache_gb)
    else:
        answer, toml = part.of(lake).simulate.fit(
            name, footprint_gb=footprint_gb, read_ratio=read_ratio, cache_gb=cache_gb
        )
    write(target, toml)
    o.show(answer, form)
    for text in answer.conclusions:
        say(text)
    say(f"machine file: {spoken(target)}")
