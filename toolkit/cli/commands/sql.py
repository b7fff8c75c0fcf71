"""`iosq sql`: ask the lake."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Annotated

import typer

from iosq.toolkit.cli.filters import LcuOption, SinceOption, SystemOption, UntilOption, VolumeOption, chosen
from iosq.toolkit.cli.session import LakeOption, OutputOption, open_lake


def register(app: typer.Typer) -> None:
    """Add the command."""
    # a statement may begin with a comment, which looks like an option
    app.command(context_settings={"ignore_unknown_options": True})(sql)


def sql(
    statement: Annotated[str, typer.Argument(metavar="SELECT", help="One SELECT; `-` reads it from standard input.")],
    lake: LakeOption = None,
    form: Annotated[
        str | None, typer.Option("--format", metavar="FORMAT", help="table, csv, json, parquet or xlsx.")
    ] = None,
    output: OutputOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    system: SystemOption = None,
    lcu: LcuOption = None,
    volume: VolumeOption = None,
    utc: Annotated[bool, typer.Option("--utc", help="Instants of a table in UTC, not in local time.")] = False,
) -> None:
    """Run one SELECT over the views and raw tables; nothing is written but what -o names.

    --since, --until, --system, --lcu and --volume narrow every view that has such a column; views about subsystems
    keep the whole boxes of an LCU or volume, and raw tables stay whole.
    A table on a terminal, CSV into a pipe or file unless --format or the file's ending says otherwise. A table shows
    instants in the local time of the system that measured, its heading says so; in files they stay UTC: NAME_utc.

    Example: iosq sql "SELECT volume, max(wait_ms) FROM volume_interval GROUP BY volume ORDER BY 2 DESC LIMIT 5"
    """
    from iosq.toolkit.sql.export import clock_of, export, form_of

    form = form_of(output, form)
    where = chosen(since, until, system, lcu, volume)
    text = sys.stdin.read() if statement == "-" else statement
    with suppress(BrokenPipeError):  # `| head` has seen enough
        con = open_lake(lake, text, where, empty=True)
        clock = clock_of(open_lake(lake, "system_clock") if form == "table" else None, utc)
        export(con, text, form=form, target=output, clock=clock)
