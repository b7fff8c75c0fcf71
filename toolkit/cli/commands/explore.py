"""`iosq explore`: the lake in a browser."""

from pathlib import Path

import typer

from iosq.toolkit.cli.options import Part


def explore(
    lake: Path | None = None,
    edit: Path | None = None,
    port: int | None = None,
    no_browser: bool = False,
    utc: bool = False,
    part: Part = Part(),
) -> None:
    """Open the lake in a browser. This needs iosq[explore].

    Panels: overview, drill-down, before and after, what if, SQL. The page is read-only and served on 127.0.0.1 only;
    its address contains a token. Each panel shows the equivalent command and SQL. Ctrl-C ends it.

    Example: iosq explore --lake lake
    """
    from iosq.toolkit.explore.launch import explore as show
    from iosq.toolkit.explore.source import Source

    names = {"system": part.system or (), "lcu": part.lcu or (), "volume": part.volume or ()}
    source = Source(str(lake) if lake else None, part.since, part.until, **names, utc=utc)
    raise typer.Exit(show(source, edit=edit, port=port, browser=not no_browser))
