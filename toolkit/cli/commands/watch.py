"""`iosq watch`: every day by itself."""

import json
from dataclasses import dataclass
from pathlib import Path

import typer

from iosq.toolkit.cli.commands.prune import days_of
from iosq.toolkit.cli.options import Options
from iosq.toolkit.show import terminal

QUIET, FAILED, TO_ACT_ON = 0, 1, 10


@dataclass(frozen=True)
class Alerts(Options):
    """Who learns of what is new."""

    alert: str = ""
    webhook: str = ""


def watch(
    folder: Path,
    lake: Path | None = None,
    once: bool = False,
    settle: float = 30.0,
    marker: str = "",
    days: int = 7,
    outputs: list[Path] | None = None,
    alerts: Alerts = Alerts(),
    keep: str | None = None,
) -> None:
    """Ingest new dumps of a folder, and report changed findings.

    Each file and each changed finding is a line of JSON. A finding is new, worse, better or gone. An alert is sent once
    when a finding becomes act, and once when it is gone, also after a kill and a restart. The state is kept in the
    lake. With --once the exit code is 10 if there is a new finding to act on, and 1 if a file or a step failed.

    Example: iosq watch dumps --once -o report.html --lake lake
    """
    from iosq.watching import Watcher, Wish

    wish = Wish(
        folder, lake, settle_s=settle, marker=marker, days=days, outputs=tuple(outputs or ()),
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
