"""A progress bar for a terminal; silence for a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[int, int, int], None]


@contextmanager
def ingest_bar() -> Iterator[Progress | None]:
    """Gives a callback for (bytes done, bytes in all, records read); None where nobody looks."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TextColumn("{task.fields[rate]:,.0f} records/s"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("ingest", total=None, rate=0.0)

        def tell(done: int, total: int, records: int) -> None:
            elapsed = progress.tasks[task].elapsed or 0.0
            progress.update(task, completed=done, total=total, rate=records / elapsed if elapsed else 0.0)

        yield tell
