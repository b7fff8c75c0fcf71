"""`iosq sql`: ask the lake."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import typer

from iosq.toolkit.cli.options import Engine, expanded
from iosq.toolkit.cli.talk import say
from iosq.toolkit.errors import RequestError


def register(app: typer.Typer) -> None:
    """Add the command."""
    # a statement may begin with a comment, which looks like an option
    app.command(context_settings={"ignore_unknown_options": True})(expanded(sql))


def sql(
    statement: str | None = None,
    lake: Path | None = None,
    form: str | None = None,
    output: Path | None = None,
    part: Engine = Engine(),
    utc: bool = False,
) -> None:
    """Run one SELECT over the views and raw tables. Only the file that -o names is written.

    --since, --until, --system, --lcu and --volume filter every view that has such a column. Views about subsystems
    keep the whole boxes of an LCU or volume, and raw tables are not filtered.
    The default is a table on a terminal, CSV into a pipe or file; --format or the file's ending changes it. A table
    shows local time of the system that measured, with a heading that says so. Files keep the names of the view and
    UTC. Times that only listings give are local as printed: NAME_local where all are, NAME where utc_offset_s is NULL.

    Example: iosq sql "SELECT volume, max(wait_ms) FROM volume_interval GROUP BY volume ORDER BY 2 DESC LIMIT 5"
    """
    if statement is None:
        if form or output or not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise RequestError("names no statement", place="SELECT", remedy="only a terminal has a prompt for them")
        from iosq.toolkit.cli.prompt import Prompt

        Prompt(part.of(lake), utc=utc).run()
        return
    text = sys.stdin.read() if statement == "-" else statement
    with suppress(BrokenPipeError):  # `| head` has seen enough
        part.of(lake).export(text, output, form=form, utc=utc, note=lambda line: say(f"note: {line}"))
