"""`iosq simulate dump`."""

from __future__ import annotations

from typing import Annotated

import typer

from iosq.toolkit.cli.commands.simulate import options as o


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(dump)


def dump(
    storage_gb: Annotated[float, typer.Option(metavar="GB", help="Storage to dump.")],
    machine: Annotated[str, typer.Option(metavar="NAME", help="sadump-3390-3, sadump-ess, a .toml.")] = "sadump-ess",
    volumes: Annotated[int, typer.Option(metavar="N", help="Most volumes to span.")] = 8,
    virtual: Annotated[bool, typer.Option("--virtual", help="Virtual instead of real storage.")] = False,
    form: o.Form = "table",
    output: o.Picture = None,
) -> None:
    """Stand-alone dump and IPCS initialization: time by the number of volumes spanned.

    Example: iosq simulate dump --storage-gb 4.5 --machine sadump-3390-3
    """
    from iosq.toolkit.predict import dump as engine

    o.emit(engine.answer(machine, storage_gb, most=volumes, is_virtual=virtual), form, output)
