"""`iosq simulate dump`."""

from __future__ import annotations

from typing import Annotated

import typer

from iosq.toolkit.cli import completion
from iosq.toolkit.cli.commands.simulate import options as o


def dump(
    storage_gb: Annotated[float, typer.Option(metavar="GB", help="Storage to dump.")],
    machine: Annotated[
        str,
        typer.Option(metavar="NAME", autocompletion=completion.machines, help="sadump-3390-3, sadump-ess, a .toml."),
    ] = "sadump-ess",
    volumes: Annotated[int, typer.Option(metavar="N", help="Most volumes to span.")] = 8,
    virtual: Annotated[bool, typer.Option("--virtual", help="Virtual instead of real storage.")] = False,
    out: o.Out = o.Out(),
) -> None:
    """Stand-alone dump and IPCS initialization: time by the number of volumes spanned.

    Example: iosq simulate dump --storage-gb 4.5 --machine sadump-3390-3
    """
    from iosq import simulate

    out.emit(simulate.dump(storage_gb, machine=machine, volumes=volumes, virtual=virtual))
