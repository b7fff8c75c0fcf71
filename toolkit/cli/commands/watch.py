"""`iosq watch`: every day by itself."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from iosq.toolkit.cli.commands.prune import days_of
from iosq.toolkit.cli.options import LakeOption, Options
from iosq.toolkit.show import terminal

QUIET, FAILED, TO_ACT_ON = 0, 1, 10


@dataclass(frozen=True)
class Files(Options):
    """When a file is complete."""

    settle: Annotated[
        float, typer.Option(metavar="SECONDS", min=0, help="A file is complete when it stays the same so long.")
    ] = 30.0
    marker: Annotated[
        str, typer.Option(metavar="ENDING", help="Or when a file of its name plus this ending exists: .done.")
    ] = ""


@dataclass(frozen=True)
class Alerts(Options):
    """Who learns of what is new."""

    alert: Annotated[
        str, typer.Option(metavar="COMMAND", help="Run for each alert, which it reads as JSON from its input.")
    ] = ""
    webhook: Annotated[
        str, typer.Option(metavar="URL", help="Post each alert as Alertmanager does, or to its /api/v2/alerts.")
    ] = ""


def watch(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where dumps and listings arrive.")],
    lake: LakeOption = None,
    once: Annotated[bool, typer.Option("--once", help="End when every file is taken, for cron.")] = False,
    files: Files = Files(),
    days: Annotated[int, typer.Option(metavar="N", min=1, help="Findings and outputs of the last N days.")] = 7,
    outputs: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Keep fresh: a report (.html, .xlsx, .json), metrics (.prom) or a database (.duckdb); repeatable.",
        ),
    ] = None,
    alerts: Alerts = Alerts(),
    keep: Annotated[
        str | None, typer.Option(metavar="DAYS", help="Drop older rows after each ingest: 400d, 60w.")
    ] = None,
) -> None:
    """Take finished dumps from a folder, and report each file and each changed finding as a line of JSON.

    A finding is new, worse, better or gone. An alert is sent once when a finding becomes one to act on, and once when
    it is gone, also after a kill and a restart. The state is kept in the lake. With --once the exit code is 10 if
    something is new to act on, and 1 if a file or a step failed.

    Example: iosq watch dumps --once -o report.html --lake lake
    """
    from iosq.watching import Watcher, Wish

    wish = Wish(
        folder, lake, settle_s=files.settle, marker=files.marker, days=days, outputs=tuple(outputs or ()),
        command=alerts.alert, webhook=alerts.webhook, keep_days=days_of(keep),
    )  # fmt: skip
    code = QUIET
    for event in Watcher(wish).run(once=once):
        terminal.echo(json.dumps(event, ensure_ascii=False))
        if event.get("is_alert") and event["change"] != "gone":
            code = TO_ACT_ON
        elif event["event"] == "error" or event.get("status") == "refused":
            code = code or FAILED
    raise typer.Exit(code)
