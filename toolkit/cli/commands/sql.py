"""`iosq sql`: ask the lake."""

import sys
from contextlib import suppress
from pathlib import Path

from iosq.toolkit.cli.options import Engine
from iosq.toolkit.cli.talk import say
from iosq.toolkit.errors import RequestError

# a statement may begin with a comment, which looks like an option
CONTEXT = {"ignore_unknown_options": True}


def sql(
    statement: str | None = None,
    lake: Path | None = None,
    form: str | None = None,
    output: Path | None = None,
    part: Engine = Engine(),
    utc: bool = False,
) -> None:
    """Run one SELECT over the views and raw tables. Only the file that -o names is written.

    --since, --until, --system, --lcu and --volume filter every view that has such a column. With --lcu or --volume,
    views about subsystems keep the whole boxes. Raw tables are not filtered.
    The default output is a table on a terminal, CSV into a pipe or file; --format or the file's extension changes it.
    Tables show the local time of the system that measured; the heading says so. Files keep the column names of the view
    and UTC. Times only from listings are local as printed: NAME_local if all are, NAME where utc_offset_s is NULL.

    Example: iosq sql "SELECT volume, max(wait_ms) FROM volume_interval GROUP BY volume ORDER BY 2 DESC LIMIT 5"
    """
    if statement is None:
        if form or output or not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise RequestError("there is no statement", place="SELECT", remedy="a prompt needs a terminal")
        from iosq.toolkit.cli.prompt import Prompt

        Prompt(part.of(lake), utc=utc).run()
        return
    text = sys.stdin.read() if statement == "-" else statement
    with suppress(BrokenPipeError):  # `| head` has seen enough
        part.of(lake).export(text, output, form=form, utc=utc, note=lambda line: say(f"note: {line}"))
