"""`iosq explore`: the lake in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from iosq.toolkit.cli.options import LakeOption, Part, UtcOption


def explore(
    lake: LakeOption = None,
    edit: Annotated[
        Path | None, typer.Option("--edit", metavar="FILE", help="Copy the app to FILE, and open it to change it.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=65535, help="Port on 127.0.0.1; default a free one.")
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
    utc: UtcOption = False,
    part: Part = Part(),
) -> None:
    """Open the lake in a browser: overview, drill, before and after, what if, SQL. It needs iosq[explore].

    The page is read-only, served on 127.0.0.1 only, and its address holds a token. Each panel shows the command and
    the SQL that give the same. Ctrl-C ends it.

    Example: iosq explore --lake lake
    """
    from iosq.toolkit.explore.launch import explore as show
    from iosq.toolkit.explore.source import Source

    names = {"system": part.system or (), "lcu": part.lcu or (), "volume": part.volume or ()}
    source = Source(str(lake) if lake else None, part.since, part.until, **names, utc=utc)
    raise typer.Exit(show(source, edit=edit, port=port, browser=not no_browser))
