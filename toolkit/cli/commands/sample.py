"""`iosq sample`: synthetic dumps and listings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import iosq
from iosq.toolkit.cli.talk import say
from iosq.toolkit.show.output import check_folder


def sample(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to write to.")],
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same bytes.")] = 1,
    scale: Annotated[int, typer.Option(min=1, max=28, help="Multiplies volumes and control units.")] = 1,
    days: Annotated[int, typer.Option(min=1, help="Days: work grows, rests at weekends, and problems come back.")] = 1,
    study: Annotated[str | None, typer.Option(metavar="STUDY", help="Listings of a published study: zvm-pav.")] = None,
) -> None:
    """Write a day of SMF dumps of a small synthetic sysplex, with planted problems listed in DIR/.truth.json.

    Use --days 28 to try iosq trend and iosq compare.

    With --study: z/VM listings with the numbers of a published study; zvm-pav is IBM's z/VM PAV study.

    Example: iosq sample sample --seed 7
    """
    check_folder(directory, "DIR")
    for path in iosq.sample(directory, seed=seed, scale=scale, days=days, study=study):
        say(str(path))
