"""`iosq report`: one page about the lake."""

from pathlib import Path
from typing import Literal

from iosq.toolkit.cli.options import Engine
from iosq.toolkit.cli.talk import say
from iosq.toolkit.show.output import check, spoken

Form = Literal["html", "xlsx", "json"]


def report(
    lake: Path | None = None,
    output: Path | None = None,
    form: Form | None = None,
    utc: bool = False,
    part: Engine = Engine(),
) -> None:
    """Write the report: findings, charts and tables in one HTML page.

    The page needs no network. As a workbook (xlsx) the report has the same findings and charts, and the tables with all
    their rows. As JSON it is for programs, with the record fields of each column; the schema is report.schema.json in
    the reference.

    Example: iosq report --lake lake -o report.html
    """
    named = form is not None
    if form is None:
        ending = output.suffix.lower() if output else ""
        form = "xlsx" if ending == ".xlsx" else "json" if ending == ".json" else "html"
    output = output or Path(f"report.{form}")
    check(output, (f".{form}",) if named else (".html", ".htm", ".xlsx", ".json"))
    print_findings(output, part.of(lake, utc).report(output, form))


def print_findings(output: Path, findings: list[str]) -> None:
    """Print the path of the page and its findings."""
    say(f"report: {spoken(output)}")
    for number, finding in enumerate(findings, 1):
        say(f"  {number}. {finding}")
    if not findings:
        say("  no findings: no rule found a problem in this lake")
