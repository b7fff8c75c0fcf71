"""`iosq sample`: synthetic dumps."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from iosq.toolkit.cli.session import say


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(sample)


def sample(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to write to.")],
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same bytes.")] = 1,
    scale: Annotated[int, typer.Option(min=1, help="Multiplies volumes and control units.")] = 1,
) -> None:
    """Write a day of SMF dumps of a small made-up sysplex, with planted troubles listed in DIR/.truth.json.

    Example: iosq sample sample --seed 7
    """
    from iosq.toolkit.sample import write

    for path in write(directory, seed=seed, scale=scale):
        say(str(path))
