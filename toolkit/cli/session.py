"""What commands share: where the lake is, and opening it for queries."""

from __future__ import annotations

import os
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from iosq.toolkit.errors import RequestError
from iosq.toolkit.show import terminal

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb

    from iosq.toolkit.sql.catalog import View
    from iosq.toolkit.sql.filter import Filter

SETTINGS = Path("iosq.toml")

LakeOption = Annotated[
    Path | None, typer.Option("--lake", metavar="DIR", help="The lake; default $IOSQ_LAKE, iosq.toml, or ./lake.")
]
OutputOption = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to a file.")]


@cache
def settings() -> dict[str, Any]:
    """What `iosq.toml` in the working folder says; empty if there is none.

    Raises:
        RequestError: it isn't TOML.
    """
    try:
        return tomllib.loads(SETTINGS.read_text("utf-8")) if SETTINGS.is_file() else {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RequestError(f"is not valid TOML: {error}", place=str(SETTINGS), remedy="correct it") from error


def thresholds() -> dict[str, dict[str, float]]:
    """The site's own limits by rule: `[thresholds.CODE]` of `iosq.toml`.

    Raises:
        RequestError: no such rule or threshold, or no number.
    """
    from iosq.toolkit.advise.settings import thresholds

    return thresholds(settings())


def lake_path(option: Path | None) -> Path:
    """The lake's folder: the flag, then $IOSQ_LAKE, then iosq.toml, then ./lake."""
    return option or Path(os.environ.get("IOSQ_LAKE") or settings().get("lake") or "lake")


def open_lake(
    option: Path | None,
    statement: str | None = None,
    where: Filter | None = None,
    *,
    asked: Filter | None = None,
    empty: bool = False,
) -> duckdb.DuckDBPyConnection:
    """A read-only connection to the lake with all views, or with those a `statement` needs: it opens faster.

    `where` (see `iosq.toolkit.cli.filters.chosen`) restricts what the views show; `asked` is that and more where a
    command narrows what it answers but not what it reads. If nothing is left of it, it is refused, or only told where
    an `empty` answer is one too.

    Raises:
        LakeError: there is no lake, or it can't be read.
        RequestError: nothing is left, or a name is not there.
    """
    from iosq.parsers.registry import tables
    from iosq.toolkit.lake import Lake
    from iosq.toolkit.sql.catalog import named, needed, views
    from iosq.toolkit.sql.connect import connect

    lake = Lake(lake_path(option).absolute())
    parts = {name: [str(p) for p in paths] for name, paths in lake.parts().items()}
    connection: duckdb.DuckDBPyConnection = connect(
        tables().values(),
        parts,
        lake.about(),
        root=lake.path,
        only=needed(statement) if statement else None,
        where=where,
    )
    asked = asked or where
    if asked:
        about = named(statement) if statement else tuple(v for v in views() if v.layer == "promised")
        _insist(connection, about, asked, bool(where), empty)
    return connection


def _insist(
    connection: duckdb.DuckDBPyConnection, about: Sequence[View], asked: Filter, narrowed: bool, empty: bool
) -> None:
    from iosq.toolkit.sql.connect import WHOLE
    from iosq.toolkit.sql.left import insist

    try:
        if not about:
            raise RequestError("raw tables stay whole", place=", ".join(asked.given), remedy="ask a view")
        insist(connection, about, asked, whole=WHOLE if narrowed else "main")
    except RequestError as error:
        if not empty:
            raise
        say(f"note: {error}")


def say(text: str) -> None:
    """Talk to the user; stdout is for data."""
    terminal.echo(text, err=True)
