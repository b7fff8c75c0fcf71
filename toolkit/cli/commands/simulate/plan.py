"""`iosq simulate plan`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from iosq.toolkit.cli.commands.simulate import options as o


def plan(
    runs: Annotated[int, typer.Option(metavar="N", help="How many runs.")] = 15,
    volumes: Annotated[int, typer.Option(metavar="N", help="Equal volumes to run them on.")] = 8,
    aliases: Annotated[int, typer.Option(metavar="N", help="Most aliases a volume can have.")] = 4,
    gb_per_requester: Annotated[float, typer.Option(metavar="GB", help="Data each requester touches.")] = 0.06,
    cache_gb: Annotated[
        float | None, typer.Option(metavar="GB", help="Cache the volumes can use, if their data outgrows it.")
    ] = None,
    points: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Runs measured already, as CSV; repeatable.")
    ] = None,
    machine: Annotated[
        str | None, typer.Option(metavar="NAME", help="What simulate fit made of such runs, in place of --points.")
    ] = None,
    out: o.Out = o.Out(),
) -> None:
    """The runs to measure on a box before `simulate fit`: those that leave least open about all others.

    Each row is a run; with io_rate filled in, the rows are what `simulate fit --points` reads.

    Five runs at a time are better than fifteen at once: measure them, fill in io_rate, and ask for five more with
    --points, which names none again; or with --machine, the file that `simulate fit` made of them. `simulate fit` takes
    all the files.

    Example: iosq simulate plan --runs 8 -o runs.csv
    """
    from iosq import simulate

    out.emit(
        simulate.plan(
            runs,
            volumes=volumes,
            aliases=aliases,
            gb_per_requester=gb_per_requester,
            cache_gb=cache_gb,
            points=points or (),
            machine=machine,
        )
    )
