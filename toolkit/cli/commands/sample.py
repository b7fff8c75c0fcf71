"""`iosq sample`: synthetic dumps."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Annotated

import typer

from iosq.toolkit.cli.session import say
from iosq.toolkit.errors import RequestError

# module with a function `write(directory) -> list[Path]` by study
STUDIES = {"zvm-pav": "iosq.parsers.fcx.study"}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(sample)


def sample(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to write to.")],
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same bytes.")] = 1,
    scale: Annotated[int, typer.Option(min=1, max=28, help="Multiplies volumes and control units.")] = 1,
    days: Annotated[int, typer.Option(min=1, help="Days: work grows, rests at weekends, and troubles come back.")] = 1,
    study: Annotated[str | None, typer.Option(metavar="STUDY", help="Listings of a published study: zvm-pav.")] = None,
) -> None:
    """Write a day of SMF dumps of a small made-up sysplex, with planted troubles listed in DIR/.truth.json.

    With --days 28 there is something to show for iosq trend and iosq compare.

    With --study: listings whose numbers are those of a published study; zvm-pav is IBM's z/VM PAV study.

    Example: iosq sample sample --seed 7
    """
    for path in _study(study, directory) if study else _day(directory, seed, scale, days):
        say(str(path))


def _day(directory: Path, seed: int, scale: int, days: int) -> list[Path]:
    from iosq.toolkit.sample import write

    return write(directory, seed=seed, scale=scale, days=days)


def _study(study: str, directory: Path) -> list[Path]:
    if study not in STUDIES:
        raise RequestError(f"there is no study {study}", remedy=f"choose from {', '.join(STUDIES)}")
    paths: list[Path] = importlib.import_module(STUDIES[study]).write(directory)
    return paths
