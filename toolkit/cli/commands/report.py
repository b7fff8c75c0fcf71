"""`iosq report`: one page about the lake."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from iosq.toolkit.cli.filters import LcuOption, SinceOption, SystemOption, UntilOption, VolumeOption, chosen
from iosq.toolkit.cli.session import LakeOption, open_lake, say, thresholds


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(report)


def report(
    lake: LakeOption = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The page.")] = Path("report.html"),
    since: SinceOption = None,
    until: UntilOption = None,
    system: SystemOption = None,
    lcu: LcuOption = None,
    volume: VolumeOption = None,
) -> None:
    """Write one self-contained HTML page: findings first, then charts, then tables. It opens without a network.

    Example: iosq report --lake lake -o report.html
    """
    from iosq.toolkit.report import write

    where = chosen(since, until, system, lcu, volume)
    tell(output, write(open_lake(lake, where=where), output, thresholds()))


def tell(output: Path, findings: list[str]) -> None:
    """Say where the page is and what it found."""
    say(f"report: {output.resolve()}")
    for number, finding in enumerate(findings, 1):
        say(f"  {number}. {finding}")
    if not findings:
        say("  nothing to report: no rule found a trouble in this lake")
